import { expect, test } from 'vitest'
import { askRefund, call, dialog, hindrances, openAs, paidOrder, row, tokenOf } from './console.ts'

test('a refund is asked by sales, refused to its applicant, and approved by the manager', async () => {
  const order = await paidOrder()
  const sales = await openAs('sales', `/order/list?query=${order.orderNo}`)
  await row(sales, order.orderNo).getByRole('button', { name: 'More' }).click()
  await sales.getByRole('menuitem', { name: 'Ask refund' }).click()
  await dialog(sales).getByText(order.orderNo).waitFor()
  await dialog(sales).getByText('Take the suggestion').waitFor()
  await dialog(sales).getByLabel('Amount', { exact: true }).fill('12.34')
  await dialog(sales).getByLabel('Why another amount').fill('agreed by phone')
  await dialog(sales).getByLabel('Reason', { exact: true }).click()
  await sales.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  await dialog(sales).getByRole('button', { name: 'Submit' }).click()
  await sales.getByText('Added successfully').waitFor()
  await row(sales, '12.34').first().waitFor()

  const manager = await openAs('sales-manager-copy', '/order/refundApply?status=SUBMITTED')
  const asked = row(manager, '12.34').first()
  await asked.getByRole('button', { name: 'Approve refund' }).click()
  await dialog(manager).getByRole('button', { name: 'Approve refund' }).click()
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
  await page.getByRole('tooltip', { name: 'You cannot approve your own refund' }).waitFor()
})

/** An order of the sales account that was paid through a provider, with this much left to refund. */
async function providerPaid(leftFen: number): Promise<string> {
  const token = await tokenOf('sales')
  const { records } = await call<{ records: { id: string; paidFen: number }[] }>(
    'GET',
    '/orders/order?payState=PAID&size=100&refundState=NONE',
    undefined,
    token,
  )
  for (const { id } of records.filter(({ paidFen }) => paidFen >= leftFen)) {
    const path = `/orders/refund-application/suggestion?orderId=${id}`
    const suggestion = await call<{ leftFen: number; isOriginal: boolean }>('GET', path, undefined, token)
    if (suggestion.isOriginal && suggestion.leftFen >= leftFen) return id
  }
  throw new Error('the demo business has no such order')
}

test('a large refund passes manager and finance, fails once at the provider, is paid, and every consequence is ticked', async () => {
  // The simulated provider refuses amounts that end in 13 fen the first time.
  const orderId = await providerPaid(100_013)
  const sales = await openAs('sales', `/order/refundApply?create=1&with.orderId=${orderId}`)
  await dialog(sales).getByText('Take the suggestion').waitFor()
  await dialog(sales).getByLabel('Amount', { exact: true }).fill('1000.13')
  await dialog(sales).getByLabel('Why another amount').fill('agreed by phone')
  await dialog(sales).getByLabel('Reason', { exact: true }).click()
  await sales.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  await dialog(sales).getByRole('button', { name: 'Submit' }).click()
  await sales.getByText('Added successfully').waitFor()

  const step = async (account: string, state: string, name: string) => {
    const page = await openAs(account, `/order/refundApply?status=${state}`)
    await row(page, '1,000.13').first().getByRole('button', { name, exact: true }).click()
    await dialog(page).getByRole('button', { name, exact: true }).click()
    await page.getByText('Submitted successfully').waitFor()
    return page
  }
  await step('sales-manager-copy', 'SUBMITTED', 'Approve refund')
  await step('finance', 'L1_APPROVED', 'Approve as finance')
  await step('finance-cashier', 'L2_APPROVED', 'Pay')
  await expect.poll(() => countOf('FAILED')).toBeGreaterThan(0)
  await step('finance-cashier', 'FAILED', 'Pay again')

  const refunds = async () =>
    (
      await call<{ records: { id: string; amountFen: number; status: string }[] }>(
        'GET',
        '/orders/refund-application?size=100&status=PAID',
        undefined,
        await tokenOf('finance'),
      )
    ).records
  await expect.poll(async () => (await refunds()).some(({ amountFen }) => amountFen === 100_013)).toBe(true)
  const paid = (await refunds()).find(({ amountFen }) => amountFen === 100_013)
  const page = await openAs('finance', `/order/refundApply?open=${paid?.id}`)
  await expect.poll(() => dialog(page).getByText('Done', { exact: true }).count()).toBe(5)
  expect(await hindrances(page)).toEqual([])
})

const countOf = async (state: string): Promise<number> =>
  (
    await call<{ records: { amountFen: number }[] }>(
      'GET',
      `/orders/refund-application?status=${state}`,
      undefined,
      await tokenOf('finance'),
    )
  ).records.filter(({ amountFen }) => amountFen === 100_013).length
