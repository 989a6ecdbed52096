import { expect, test } from 'vitest'
import { bytesOf, call, dialog, openAs, paidOrder, place, tokenOf } from './console.ts'

const WHOLE = /^1\d{10}$/

test('a phone number is shown in full only to whoever says why, and is masked again afterwards', async () => {
  const order = await paidOrder()
  const page = await openAs('sales', `/order/list?open=${order.id}`)
  const masked = dialog(page).getByText(/^1\d{2}\*+\d{4}$/)
  await masked.first().waitFor()
  await dialog(page).getByRole('button', { name: 'Show in full' }).first().click()
  const asking = page.getByRole('tooltip').filter({ hasText: 'Why do you need to see it? This is logged.' })
  const show = asking.getByRole('button', { name: 'Show in full' })
  expect(await show.isDisabled()).toBe(true)
  await asking.getByLabel('Reason').fill('The parcel came back')
  await show.click()
  await dialog(page).getByText(WHOLE).waitFor()
  await dialog(page).getByRole('button', { name: 'Hide' }).click()
  await page.getByText(WHOLE).waitFor({ state: 'detached' })

  await dialog(page).getByText('Viewed in full').first().waitFor()
  await dialog(page).getByText('The parcel came back').first().waitFor()
})

test('a whole phone number in the search box finds its member and never stands in the address', async () => {
  const order = await paidOrder()
  const page = await openAs('sales', `/order/list?open=${order.id}`)
  await dialog(page).getByRole('button', { name: 'Show in full' }).first().click()
  await page.getByLabel('Reason', { exact: true }).fill('A call came in')
  await page.keyboard.press('Enter')
  const phone = (await dialog(page).getByText(WHOLE).textContent()) ?? ''
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('searchbox', { name: 'Search' }).fill(phone)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain(`memberId=${order.memberId}`)
  expect(page.url()).not.toContain(phone)
  await page.getByText(order.orderNo).first().waitFor()
})

test('a whole phone number, or the number of an order, finds what it belongs to from any page and opens it without the mouse', async () => {
  const order = await paidOrder()
  const body = { field: 'memberId', reason: 'A call came in' }
  const { value: phone } = await call<{ value: string }>(
    'POST',
    `/orders/order/${order.id}/reveal`,
    body,
    await tokenOf('sales'),
  )
  const page = await openAs('sales', '/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Search everything' })
  await box.fill(phone)
  const first = page.getByRole('option').first()
  await first.getByText(order.labels.memberId?.name ?? '').waitFor()
  expect(await page.getByRole('listbox').textContent()).not.toContain(phone)
  await page.keyboard.press('Enter')
  await expect.poll(() => place(page)).toBe(`/members/list?open=${order.memberId}`)
  await dialog(page)
    .getByText(`${phone.slice(0, 3)}****${phone.slice(-4)}`)
    .first()
    .waitFor()

  // Whoever is sure of a number does not wait for the list.
  await page.keyboard.press('Control+k')
  await box.fill(order.orderNo)
  await page.keyboard.press('Enter')
  await expect.poll(() => place(page)).toBe(`/order/list?open=${order.id}`)
})

test('an export gives a file of what the filter matches, and a consultant has no such button', async () => {
  const manager = await openAs('sales-manager-copy', '/order/list?payState=EXAMINING')
  const saved = manager.waitForEvent('download')
  await manager.getByRole('button', { name: 'Export' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^Orders-\d{8}-\d{6}\.xlsx$/)
  expect((await bytesOf(file)).subarray(0, 2).toString()).toBe('PK')
  const sales = await openAs('sales', '/order/list')
  await sales.getByRole('button', { name: 'Columns' }).waitFor()
  expect(await sales.getByRole('button', { name: 'Export' }).count()).toBe(0)
})
