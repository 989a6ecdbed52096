import { randomInt, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { askRefund, call, dialog, isOnline, openAs, paidOrder, place, row, send, tokenOf } from './console.ts'

const notices = (page: Page) => page.locator('.ant-notification-notice')

/** A member of the sales demo account, with the whole number, which only a reason opens. */
async function member(): Promise<{ id: string; name: string; phone: string }> {
  const order = await paidOrder()
  const body = { field: 'memberId', reason: 'an order came in' }
  const { value } = await call<{ value: string }>(
    'POST',
    `/orders/order/${order.id}/reveal`,
    body,
    await tokenOf('sales'),
  )
  return { id: order.memberId, name: order.labels.memberId?.name ?? '', phone: value }
}

const newOrderNo = () => `${Date.now()}${randomInt(10_000, 99_999)}`

test('a new order is announced to whoever may see it and opens in the order list', async () => {
  const { name, phone } = await member()
  const page = await openAs('sales')
  await isOnline(page)
  const orderNo = newOrderNo()
  const placed = { orderNo, phone, product: '年度会员', amountFen: 39_800, source: 'APP' }
  await send('app', 'order.placed', placed)
  const notice = notices(page).filter({ hasText: orderNo })
  await notice.waitFor()
  expect(await notice.textContent()).toContain(name)
  expect(await notice.textContent()).toContain('398.00')
  await notice.getByRole('button', { name: 'View' }).click()
  await row(page, orderNo).waitFor()
  expect(place(page)).toBe('/order/list')

  // The next one moves nothing under the reader's pointer: it waits to be asked for.
  const next = newOrderNo()
  await send('app', 'order.placed', { ...placed, orderNo: next })
  await page.getByRole('button', { name: '1 new' }).click()
  await row(page, next).waitFor()
})

test('a reminder that is dismissed does not come again, and nobody else hears of it who may not see the page', async () => {
  const { id, phone } = await member()
  const sales = await openAs('sales')
  const finance = await openAs('finance')
  await isOnline(sales)
  await isOnline(finance)
  const key = randomUUID()
  const browsed = { key, memberId: id, product: '硬笔入门课' }
  await send('app', 'order.browsed', browsed)
  const reminder = (page: Page) => notices(page).filter({ hasText: 'A member is looking at an order' })
  await reminder(sales).getByRole('button', { name: 'Do not remind me again' }).click()
  await reminder(sales).waitFor({ state: 'detached' })

  await send('app', 'order.browsed', browsed)
  // Pushes come in order: with this one there, the one before it would be there too.
  const orderNo = newOrderNo()
  await send('app', 'order.placed', { orderNo, phone, product: '年度会员', amountFen: 100, source: 'APP' })
  for (const page of [sales, finance]) {
    await notices(page).filter({ hasText: orderNo }).waitFor()
    expect(await reminder(page).count()).toBe(0)
    const latest = page.getByRole('region', { name: 'Latest notifications' })
    expect(await latest.getByText('A member is looking at an order').count()).toBe(page === sales ? 1 : 0)
  }
})

test('a refund of the short-video shop is counted, read and processed once, for everybody', async () => {
  const { phone } = await member()
  const sales = await openAs('sales')
  const manager = await openAs('sales-manager-copy')
  const badge = (page: Page) => page.getByRole('button', { name: /^Refund notices, \d+ unprocessed$/ })
  const count = async (page: Page) => Number(/\d+/.exec((await badge(page).getAttribute('aria-label')) ?? '')?.[0])
  for (const page of [sales, manager]) {
    await isOnline(page)
    await badge(page).waitFor()
  }
  const before = { sales: await count(sales), manager: await count(manager) }
  const orderNo = `DY${Date.now()}`
  await send('douyin', 'voucher.refunded', { orderNo, leadMobile: phone })
  await expect.poll(() => count(sales)).toBe(before.sales + 1)
  await expect.poll(() => count(manager)).toBe(before.manager + 1)

  await badge(sales).click()
  await dialog(sales).getByText('Refund info').waitFor()
  await expect.poll(async () => (await dialog(sales).boundingBox())?.width).toBe(800)
  const entry = dialog(sales).getByRole('listitem').filter({ hasText: orderNo })
  await entry.waitFor()
  expect(await entry.textContent()).toContain('Registered')
  expect(await entry.textContent()).not.toContain(phone)
  await entry.getByRole('button', { name: 'Mark as processed' }).click()
  await sales.getByText('Marked as processed').waitFor()
  await entry.waitFor({ state: 'detached' })
  await expect.poll(() => count(sales)).toBe(before.sales)
  await expect.poll(() => count(manager)).toBe(before.manager)
  await dialog(sales).getByRole('tab', { name: 'Processed', exact: true }).click()
  await dialog(sales).getByRole('listitem').filter({ hasText: orderNo }).waitFor()
})

test('a member that stands open shows a note and a refund as they come, without a reload', async () => {
  const { id, memberId } = await paidOrder()
  const page = await openAs('sales', `/members/list/${memberId}`)
  await isOnline(page)
  await page.getByRole('tab', { name: 'Follow-ups' }).click()
  const content = `about the next course, ${randomUUID()}`
  const note = { followUpKind: 'PHONE', content, nextAt: null }
  await call('POST', `/members/member/${memberId}/noteFollowUp`, note, await tokenOf('sales'))
  await page.getByText(content).waitFor()

  const told = page.getByText(/^Open refunds: \d+/)
  const before = (await told.count()) === 0 ? 0 : Number(/\d+/.exec(await told.innerText())?.[0])
  await askRefund(id, 137, 'sales')
  await page.getByText(new RegExp(`^Open refunds: ${before + 1}, `)).waitFor()
})
