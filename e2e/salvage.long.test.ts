import { expect, test } from 'vitest'
import { dialog, hindrances, list, openAs, pick, question } from './console.ts'

type Lead = { id: string; phone: string; status: string; ownerId: string | null }

test('a consultant claims a lead from the open pool, sees its number, notes what was said and gives it back with a reason', async () => {
  const [lead] = await list<Lead>('sales', '/sales/salvage?status=UNASSIGNED&sort=id:asc')
  const id = lead?.id ?? ''
  const sales = await openAs('sales', `/sale/salvage?id=${id}`)
  const row = sales.locator('.ant-table-row').filter({ visible: true })
  await row.getByText(lead?.phone ?? '').click()
  const record = dialog(sales)
  // In the pool nobody sees the number.
  expect(await record.getByRole('button', { name: /reveal|in full/i }).count()).toBe(0)
  await record.getByRole('button', { name: 'Claim', exact: true }).click()
  await question(sales).getByRole('button', { name: 'Claim', exact: true }).click()
  await sales.getByText('Claimed').first().waitFor()

  await record.getByRole('button', { name: 'Record first contact' }).click()
  const said = question(sales)
  await pick(said, 'Contact method')
  await said.getByLabel('What was said').fill('Trial lesson on Saturday')
  await pick(said, 'Interest', 'B – interested')
  await said.getByRole('button', { name: 'Record first contact' }).click()
  await sales.getByText('Recorded').first().waitFor()
  await record.getByRole('tab', { name: 'Contacts' }).click()
  await record.getByText('Trial lesson on Saturday').waitFor()
  expect(await hindrances(sales)).toEqual([])

  await record.getByRole('button', { name: 'Return to pool' }).click()
  await pick(question(sales), 'Returned because', 'No answer')
  await question(sales).getByRole('button', { name: 'Return to pool' }).click()
  await sales.getByText('Returned to the pool').first().waitFor()
  const [returned] = await list<Lead>('sales', `/sales/salvage?id=${id}`)
  expect(returned).toMatchObject({ status: 'RETURNED', ownerId: null })
})

test('a manager opens a pool of its own and says who may claim from it', async () => {
  const manager = await openAs('sales-manager-copy', '/sale/salvage')
  await manager.getByRole('button', { name: 'Pools', exact: true }).click()
  const form = dialog(manager)
  await form.getByText('New pool', { exact: true }).click()
  const name = `Pool ${Date.now()}`
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByLabel('Claims per person and day').fill('7')
  await form.getByRole('button', { name: 'Save pool' }).click()
  await manager.getByText('Pool saved').first().waitFor()
  await form.getByText(name, { exact: false }).first().waitFor()
  expect(await hindrances(manager)).toEqual([])
})
