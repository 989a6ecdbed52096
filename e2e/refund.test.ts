import { expect, test } from 'vitest'
import { call, dialog, hindrances, openAs, paidOrder, row, tokenOf } from './console.ts'

test('a refund is asked by sales, refused to its applicant, and approved by the manager', async () => {
  const order = await paidOrder()
  const sales = await openAs('sales', `/order/list?query=${order.orderNo}`)
  await row(sales, order.orderNo).getByRole('button', { name: 'More' }).click()
  await sales.getByRole('menuitem', { name: 'Ask refund' }).click()
  await dialog(sales).getByText(order.orderNo).waitFor()
  await dialog(sales).getByLabel('Amount').fill('12.34')
  await dialog(sales).getByLabel('Reason').click()
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
  expect(await hindrances(page)).toEqual([])
  await button.hover({ force: true })
  await page.getByRole('tooltip', { name: 'You cannot approve your own refund' }).waitFor()
})
