import { expect, test } from 'vitest'
import { hindrances, list, openAs, question } from './console.ts'

type Statement = { id: string; statementNo: string; status: string; totalFen: number; transferNo: string | null }

const statements = (query: string) => list<Statement>('finance-cashier', `/channel/statement?${query}`)

test('the statement of a month is confirmed by its partner, approved by finance and paid by the cashier, with every line in sight', async () => {
  const draft = (await statements('status=DRAFT&sort=totalFen:desc'))[0]
  const at = `/operate/channelCpa/${draft?.id}`
  const told = async () => (await statements(`query=${draft?.statementNo}`))[0]

  const keeper = await openAs('operations', at)
  await keeper.getByRole('tab', { name: 'Lines' }).click()
  await keeper.getByText('Counted').first().waitFor()
  await keeper.getByRole('button', { name: 'Confirm', exact: true }).first().click()
  await question(keeper).getByLabel('Confirmed by partner').fill('Wang Li')
  await question(keeper)
    .getByRole('button', { name: /^Confirm/ })
    .click()
  await expect.poll(async () => (await told())?.status, { timeout: 30_000 }).toBe('CHANNEL_CONFIRMED')
  expect(await hindrances(keeper)).toEqual([])

  const finance = await openAs('finance', at)
  await finance
    .getByRole('button', { name: /^Approve/ })
    .first()
    .click()
  await question(finance)
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect.poll(async () => (await told())?.status, { timeout: 30_000 }).toBe('APPROVED')

  const cashier = await openAs('finance-cashier', at)
  await cashier
    .getByRole('button', { name: /^Record payment/ })
    .first()
    .click()
  await question(cashier).getByLabel('Transfer no.').fill('2026111800042')
  await question(cashier)
    .getByRole('button', { name: /^Record payment/ })
    .click()
  await expect.poll(told, { timeout: 30_000 }).toMatchObject({ status: 'PAID', transferNo: '2026111800042' })
})
