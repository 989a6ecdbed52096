import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  askRefund,
  call,
  dialog,
  follow,
  hindrances,
  list,
  openAs,
  paidOrder,
  pick,
  place,
  question,
  row,
  tokenOf,
  untilJudged,
} from './console.ts'

test('a refund is asked by sales, refused to its applicant, and approved by the manager', async () => {
  const order = await paidOrder()
  const sales = await openAs('sales', `/order/list?query=${order.orderNo}`)
  await row(sales, order.orderNo).getByRole('button', { name: 'More' }).click()
  await sales.getByRole('menuitem', { name: 'Request refund' }).click()
  await dialog(sales).getByText(order.orderNo).waitFor()
  await dialog(sales).getByText('Use suggested amount').waitFor()
  await dialog(sales).getByLabel('Amount', { exact: true }).fill('12.34')
  await dialog(sales).getByLabel('Reason for the difference').fill('agreed by phone')
  await pick(dialog(sales), 'Reason')
  await dialog(sales).getByRole('button', { name: 'Apply for refund' }).click()
  await sales.getByText('Added successfully').waitFor()
  await row(sales, '12.34').first().waitFor()

  await untilJudged(1_234)
  const manager = await openAs('sales-manager-copy', '/order/refundApply?status=SUBMITTED')
  const asked = row(manager, '12.34').first()
  await asked.getByRole('button', { name: 'Approve refund' }).click()
  await question(manager).getByRole('button', { name: 'Approve refund' }).click()
  await manager.getByText('Submitted successfully').waitFor()
  await asked.waitFor({ state: 'detached' })
})

test('nobody approves their own refund, and the button says why', async () => {
  const order = await paidOrder()
  const id = await askRefund(order.id, 555, 'sales-manager-copy')
  const page = await openAs('sales-manager-copy', `/order/refundApply?open=${id}`)
  const button = dialog(page).getByRole('button', { name: 'Approve refund' })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  expect(await hindrances(page)).toEqual([])
  await button.hover({ force: true })
  await page.getByRole('tooltip', { name: 'You cannot approve or pay your own refund' }).waitFor()
})

test('a manager approves all that match at once, and finds what became of each under his tasks', async () => {
  const amountFen = 611
  for (let nth = 0; nth < 11; nth += 1) await askRefund((await paidOrder()).id, amountFen, 'sales')
  await untilJudged(amountFen)
  const matching = `status=SUBMITTED&amountFenBegin=${amountFen}&amountFenEnd=${amountFen}`
  const page = await openAs('sales-manager-copy', `/order/refundApply?${matching}&size=10`)
  await row(page, '6.11').first().waitFor()
  await page.getByRole('columnheader').getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Select all 11 that match' }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Approve refund' }).click()
  await question(page).getByText('11 match the filter · ¥67.21 in all').waitFor()
  await question(page).getByRole('button', { name: 'Approve refund ¥67.21' }).click()
  await page.getByText('Task done').waitFor()
  const notice = page.locator('.ant-notification-notice', { hasText: 'Task done' })
  await notice.getByRole('button', { name: 'View' }).click()
  await dialog(page).getByText('11 done').waitFor()
  expect(await list('sales-manager-copy', `/orders/refund-application?${matching}`)).toEqual([])
})

/**
 * An order of the sales account that was paid through a provider, with this much left to refund, of a member who never asked
 * for any: who asked often is held by the rules.
 */
async function providerPaid(leftFen: number): Promise<string> {
  const token = await tokenOf('sales')
  const paid = '/orders/order?payState=PAID&size=100&refundState=NONE'
  const orders = await list<{ id: string; memberId: string; paidFen: number }>('sales', paid)
  const refunds = await list<{ memberId: string }>('sales', '/orders/refund-application?size=100')
  const askers = new Set(refunds.map(({ memberId }) => memberId))
  for (const { id } of orders.filter(order => order.paidFen >= leftFen && !askers.has(order.memberId))) {
    const path = `/orders/refund-application/suggestion?orderId=${id}`
    const suggestion = await call<{ leftFen: number; routes: string[] }>('GET', path, undefined, token)
    if (suggestion.routes.includes('ORIGINAL') && suggestion.leftFen >= leftFen) return id
  }
  throw new Error('the demo business has no such order')
}

/** The refund of this amount in this state, as finance sees it. */
async function refundIn(state: string, amountFen: number): Promise<{ id: string } | undefined> {
  const path = `/orders/refund-application?size=100&status=${state}`
  const refunds = await list<{ id: string; amountFen: number }>('finance', path)
  return refunds.find(refund => refund.amountFen === amountFen)
}

/** A number of the whole period on the statistics page. */
const numberOf = (page: Page, measure: string) =>
  page.getByRole('listitem').getByRole('link', { name: new RegExp(`^${measure}: `) })

/** Money in fen, anything else as it is counted. */
const figure = async (page: Page, measure: string): Promise<number> =>
  Number((await numberOf(page, measure).innerText()).replaceAll(/\D/g, ''))

test('a large refund passes manager and finance, fails once at the provider, is paid, every consequence is ticked, and the statistics count it', async () => {
  // The simulated provider refuses amounts that end in 13 fen the first time.
  const orderId = await providerPaid(100_013)
  const finance = await openAs('finance', '/order/refundCount')
  await numberOf(finance, 'Refunded amount').waitFor()
  const before = {
    amount: await figure(finance, 'Refunded amount'),
    orders: await figure(finance, 'Refunded orders'),
  }
  const sales = await openAs('sales', `/order/refundApply?create=1&with.orderId=${orderId}`)
  const amount = dialog(sales).getByLabel('Amount', { exact: true })
  await dialog(sales).getByText('Use suggested amount').click()
  await expect.poll(() => amount.inputValue()).toMatch(/^[\d,]+\.\d\d$/)
  await amount.fill('1000.13')
  await dialog(sales).getByLabel('Reason for the difference').fill('agreed by phone')
  await pick(dialog(sales), 'Reason')
  await dialog(sales).getByRole('button', { name: 'Apply for refund' }).click()
  await sales.getByText('Added successfully').waitFor()

  const step = async (page: Page, state: string, name: string) => {
    await follow(page, `/order/refundApply?status=${state}`)
    const button = row(page, '1,000.13').first().getByRole('button', { name, exact: true })
    await button.click()
    await question(page)
      .getByRole('button', { name: `${name} ¥` })
      .click()
    await button.waitFor({ state: 'detached' })
  }
  await untilJudged(100_013)
  await step(await openAs('sales-manager-copy'), 'SUBMITTED', 'Approve refund')
  await step(finance, 'L1_APPROVED', 'Approve (finance)')
  const cashier = await openAs('finance-cashier')
  await step(cashier, 'L2_APPROVED', 'Pay refund')
  await expect.poll(() => refundIn('FAILED', 100_013)).toBeDefined()
  await step(cashier, 'FAILED', 'Retry payment')
  await expect.poll(() => refundIn('PAID', 100_013)).toBeDefined()

  await follow(finance, `/order/refundApply?open=${(await refundIn('PAID', 100_013))?.id}`)
  await expect.poll(() => dialog(finance).getByText('Done', { exact: true }).count()).toBe(5)
  expect(await hindrances(finance)).toEqual([])

  await follow(finance, '/order/refundCount')
  await finance.getByRole('button', { name: 'Reload this page' }).click()
  await expect.poll(() => figure(finance, 'Refunded amount')).toBe(before.amount + 100_013)
  expect(await figure(finance, 'Refunded orders')).toBe(before.orders + 1)
  await numberOf(finance, 'Refunded amount').click()
  await row(finance, '1,000.13').filter({ hasText: 'Refunded' }).waitFor()
  expect(place(finance)).toMatch(/^\/order\/refundApply\?.*status=PAID/)
})
