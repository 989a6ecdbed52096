import { expect, inject, test } from 'vitest'
import { addDays, dayOf } from '../src/kit/model/time.ts'
import { dialog, follow, hindrances, list, openAs, pick, send } from './console.ts'

type Link = { id: string; code: string; status: string; visits: number; leads: number }

test('a consultant makes a link, a parent opens it and begins to register, and the lead is found by its figure', async () => {
  const sales = await openAs('sales', '/sale/link?create=1')
  const form = dialog(sales)
  await pick(form, 'Product')
  const day = form.getByLabel('Valid to')
  await day.fill(addDays(dayOf(new Date()), 5))
  await day.press('Enter')
  await form.getByRole('button', { name: 'Create link' }).click()
  await sales.locator('.ant-drawer-open').waitFor({ state: 'detached' })
  const newest = async () => (await list<Link>('sales', '/sales/link?sort=id:desc'))[0] as Link
  const { id, code } = await newest()

  const parent = await fetch(`${inject('consoleUrl')}/api/go/${code}`, { redirect: 'manual' })
  expect(parent.status).toBeLessThan(400)
  const phone = `136${String(Date.now()).slice(-8)}`
  await send('app', 'registration.reached', { phone, step: 'PROFILE', source: 'APP', channel: 'STORE', state: code })
  await expect.poll(newest, { timeout: 30_000 }).toMatchObject({ id, visits: 1, leads: 1 })

  await follow(sales, `/sale/link/${id}`)
  await sales.getByRole('img', { name: new RegExp(code) }).waitFor()
  expect(await hindrances(sales)).toEqual([])
  await follow(sales, `/sale/link?query=${code}`)
  await sales.getByRole('link', { name: 'Leads 1' }).click()
  await sales.getByText(phone.slice(-4)).first().waitFor()
})
