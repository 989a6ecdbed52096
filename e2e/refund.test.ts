import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, expectAccessible, openAs, tokenOf } from './console.ts'

const dialog = (page: Page) => page.getByRole('dialog').last()

/** A paid order the sales demo account owns, with money left to refund. */
async function paidOrder(): Promise<{ id: string; orderNo: string }> {
  const token = await tokenOf('sales')
  const { records } = await call<{
    records: { id: string; orderNo: string; paidFen: number; reservedFen: number; refundedFen: number }[]
  }>('GET', '/orders/order?payState=PAID&size=100', undefined, token)
  const order = records.find(({ paidFen, reservedFen, refundedFen }) => paidFen - reservedFen - refundedFen > 10_000)
  if (!order) throw new Error('the demo business has no such order')
  return order
}

test('a refund is asked by sales, refused to its applicant, and approved by the manager', async () => {
  const order = await paidOrder()
  const sales = await openAs('sales', `/order/list?query=${order.orderNo}`)
  await sales.getByRole('row').filter({ hasText: order.orderNo }).getByRole('button', { name: 'More' }).click()
  await sales.getByRole('menuitem', { name: 'Ask refund' }).click()
  await dialog(sales).getByText(order.orderNo).waitFor()
  await dialog(sales).getByLabel('Amount').fill('12.34')
  await dialog(sales).getByLabel('Reason').click()
  await sales.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  await dialog(sales).getByRole('button', { name: 'Submit' }).click()
  await sales.getByText('Added successfully').waitFor()
  await sales.getByRole('row').filter({ hasText: '12.34' }).first().waitFor()

  const manager = await openAs('sales-manager-copy', '/order/refundApply?status=SUBMITTED')
  const row = manager.getByRole('row').filter({ hasText: '12.34' }).first()
  await row.getByRole('button', { name: 'Approve refund' }).click()
  await dialog(manager).getByRole('button', { name: 'Approve refund' }).click()
  await manager.getByText('Submitted successfully').waitFor()
  await row.waitFor({ state: 'detached' })
})

test('nobody approves their own refund, and the button says why', async () => {
  const order = await paidOrder()
  const token = await tokenOf('sales-manager-copy')
  const { id } = await call<{ id: string }>(
    'POST',
    '/orders/refund-application',
    { orderId: order.id, amountFen: 555, reason: 'OTHER', note: '' },
    token,
  )
  const page = await openAs('sales-manager-copy', `/order/refundApply?open=${id}`)
  const button = dialog(page).getByRole('button', { name: 'Approve refund' })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  await button.hover({ force: true })
  await page.getByRole('tooltip', { name: 'You cannot approve your own refund' }).waitFor()
  await expectAccessible(page)
})
