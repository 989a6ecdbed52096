import { randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { addDays, dayOf } from '../src/kit/model/time.ts'
import { colleague } from './colleagues.ts'
import { dialog, follow, isLoaded, list, openAs, pick, question, row, send } from './console.ts'

type Lead = { readonly id: string; readonly phone: string; readonly status: string; readonly memberId: string | null }
type Batch = { readonly id: string; readonly title: string }
type Link = { readonly id: string; readonly code: string; readonly productId: string }

/** A figure of the statistic that stands open. */
async function figure(page: Page, path: string, measure: string): Promise<number> {
  await follow(page, path)
  await page.reload()
  const card = page.locator('.ink-card').filter({ visible: true }).filter({ hasText: measure }).first()
  await card.waitFor()
  await isLoaded(page)
  return Number((await card.locator('.ink-card-value').innerText()).replaceAll(/\D/g, ''))
}

test('a number is imported, given to a consultant, spoken with, buys by the link it is sent, and counts as won', async () => {
  const phone = `1997${randomInt(1_000_000, 10_000_000)}`
  const seller = await colleague('销售顾问', '销售一组')
  const manager = await openAs('sales-manager-copy', '/members/salePhone')
  // Told to go on while it opens, a window may end where it was to begin.
  await isLoaded(manager)
  const wonBefore = await figure(manager, `/sale/count?soldBy=${seller.id}`, 'Deals')

  await follow(manager, '/members/salePhone')
  await manager.getByRole('button', { name: 'Import', exact: true }).click()
  const wizard = dialog(manager)
  const title = `first-payment-${phone.slice(-6)}.csv`
  const rows = ['手机号,称呼,来源,渠道,联系依据,归属人账号', `${phone},,公益课学校,SCHOOL,学校报名,`]
  const file = { name: title, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }
  await wizard.locator('input[type=file]').setInputFiles(file)
  await pick(wizard, 'Numbers from', 'School')
  await pick(wizard, 'Marketing consent', 'Not agreed')
  await wizard.getByRole('button', { name: 'Check all rows' }).click()
  await wizard.getByRole('button', { name: 'Import 1 row' }).click()
  await wizard.getByText('1 row imported, 0 not imported').waitFor()
  const [batch] = (await list<Batch>('admin', '/members/number-import')).filter(one => one.title === title)
  const find = async () => {
    const newest = await list<Lead>('admin', '/sales/salvage?sort=createdAt:desc&size=20')
    return newest.find(one => one.phone.startsWith('199') && one.phone.endsWith(phone.slice(-4)))
  }
  const id = (await find())?.id ?? ''

  // The rules deal it out in working hours; a manager may at any time.
  await follow(manager, `/sale/salvage?open=${id}`)
  await dialog(manager).getByRole('button', { name: 'Assign', exact: true }).click()
  await pick(question(manager), 'New owner', seller.name)
  await question(manager).getByRole('button', { name: 'Assign' }).click()
  await manager.getByText('Assigned').first().waitFor()

  const sales = await openAs(seller.account, `/sale/salvage?open=${id}`)
  await dialog(sales).getByRole('button', { name: 'Record first contact' }).click()
  await pick(question(sales), 'Contact method')
  await question(sales).getByLabel('What was said').fill('Wants the course, asks for a link')
  await question(sales).getByRole('button', { name: 'Record first contact' }).click()
  await sales.getByText('Recorded').first().waitFor()

  await follow(sales, '/sale/link?create=1')
  await pick(dialog(sales), 'Product')
  const until = dialog(sales).getByLabel('Valid to')
  await until.fill(addDays(dayOf(new Date()), 5))
  await until.press('Enter')
  await dialog(sales).getByRole('button', { name: 'Create link' }).click()
  await sales.locator('.ant-drawer-open').waitFor({ state: 'detached' })
  const [link] = await list<Link>(seller.account, '/sales/link?sort=id:desc')
  const { code = '', productId = '' } = link ?? {}
  const products = await list<{ id: string; code: string; priceFen: number }>('admin', '/products/product?size=100')
  const product = products.find(one => one.id === productId)

  expect((await fetch(`${inject('consoleUrl')}/api/go/${code}`, { redirect: 'manual' })).status).toBeLessThan(400)
  const orderNo = `7${String(randomInt(10 ** 12)).padStart(17, '0')}`
  await send('app', 'registration.reached', { phone, step: 'PROFILE', source: 'APP', channel: 'STORE', state: code })
  await send('app', 'member.registered', { phone, name: '林第一单', source: 'APP', channel: 'STORE' })
  await send('app', 'order.placed', { phone, orderNo, productCode: product?.code, source: 'LINK', state: code })
  const paid = { orderNo, provider: 'WECHAT', providerNo: `W${orderNo}`, amountFen: product?.priceFen }
  await send('app', 'order.paid', { ...paid, paidAt: new Date().toISOString() })
  await expect.poll(async () => (await find())?.status, { timeout: 60_000 }).toBe('DEAL')

  await follow(sales, `/sale/salvage?open=${id}`)
  await dialog(sales).getByText('Won').first().waitFor()
  await follow(sales, `/sale/link?query=${code}`)
  await row(sales, code).getByRole('link', { name: 'Paid orders 1' }).waitFor()
  expect(await figure(manager, `/sale/phoneCount?batchId=${batch?.id}`, 'Paid')).toBe(1)
  expect(await figure(manager, `/sale/count?soldBy=${seller.id}`, 'Deals')).toBe(wonBefore + 1)
})
