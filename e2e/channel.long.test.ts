import { expect, inject, test } from 'vitest'
import { call, hindrances, list, openAs, question, tokenOf } from './console.ts'

type Statement = {
  id: string
  statementNo: string
  status: string
  linkState: string
  totalFen: number
  transferNo: string | null
}

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

test('a partner opens the link to its statement without signing in, asks for a code, and is told that another is wrong', async () => {
  const draft = (await statements('status=DRAFT&linkState=NONE'))[0]
  const told = async () => (await statements(`query=${draft?.statementNo}`))[0]
  const keeper = await openAs('operations', `/operate/channelCpa/${draft?.id}`)
  await keeper.getByRole('button', { name: 'Send link' }).first().click()
  await question(keeper)
    .getByRole('button', { name: /Send link/ })
    .click()
  await expect.poll(async () => (await told())?.linkState, { timeout: 30_000 }).toMatch(/SENDING|SENT/)

  type Message = { id: string; title: string; body: string }
  const newest = await list<Message>('admin', '/system/message?kind=NOTICE&channel=EMAIL&sort=createdAt:desc')
  const { id = '' } = newest.find(({ title }) => title.includes(draft?.statementNo ?? '')) ?? {}
  const { body } = await call<Message>('GET', `/system/message/${id}`, undefined, await tokenOf('admin'))
  const token = /\/partner\/([\w-]+)/.exec(body)?.[1]

  const partner = await openAs('auditor')
  // Nobody has signed in there: its words are those the browser asks for.
  await partner.setExtraHTTPHeaders({ 'accept-language': 'en-US' })
  await partner.goto(`${inject('consoleUrl')}/api/partner/${token}`)
  await partner.getByRole('heading', { name: /^Statement for/ }).waitFor()
  await partner.getByRole('button', { name: 'Send me a code' }).click()
  await partner.getByLabel('Your name').fill('Wang Li')
  await partner.getByLabel('Code from the text message').fill('000000')
  await partner.getByRole('button', { name: /^Confirm/ }).click()
  await partner.getByRole('alert').getByText('4 tries left').waitFor()
  expect(await told()).toMatchObject({ status: 'DRAFT', linkState: 'ASKED' })
})

test('whom the leads of a channel go to is seen beside its figures, and a line of its own is set from there and taken away again', async () => {
  const page = await openAs('operations-manager', '/channel/sale-line')
  const line = page.getByRole('button', { name: 'Sales line of Partner school' })
  await line.click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Add consultant' }).click()
  await form.getByRole('combobox', { name: /^Consultant/ }).click()
  await page.locator('.ant-select-item-option').filter({ visible: true }).first().click()
  await form.getByRole('button', { name: 'Put in force' }).click()
  const own = page.locator('tr').filter({ hasText: 'Partner school' }).getByText('Own line')
  await own.waitFor()
  expect(await hindrances(page)).toEqual([])

  await line.click()
  await form.getByRole('button', { name: 'Delete' }).click()
  await form.getByRole('button', { name: 'Back to the general rules' }).click()
  await own.waitFor({ state: 'detached' })
})
