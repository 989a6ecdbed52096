import { expect, test } from 'vitest'
import { bytesOf, dialog, openAs, paidOrder } from './console.ts'

const WHOLE = /^1\d{10}$/

test('a phone number is shown in full only to whoever says why, and is masked again afterwards', async () => {
  const order = await paidOrder()
  const page = await openAs('sales', `/order/list?open=${order.id}`)
  const masked = dialog(page).getByText(/^1\d{2}\*+\d{4}$/)
  await masked.first().waitFor()
  await dialog(page).getByRole('button', { name: 'Show in full' }).first().click()
  const asking = dialog(page)
  await asking.getByText('Why do you need it? This is logged.').waitFor()
  const show = asking.getByRole('button', { name: 'Show in full' })
  expect(await show.isDisabled()).toBe(true)
  await asking.getByLabel('Reason').fill('The parcel came back')
  await show.click()
  await asking.getByText(WHOLE).waitFor()
  await asking.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText(WHOLE).waitFor({ state: 'detached' })

  await dialog(page).getByRole('tab', { name: 'Timeline' }).click()
  await dialog(page).getByText('Looked at in full').first().waitFor()
  await dialog(page).getByText('The parcel came back').first().waitFor()
})

test('a whole phone number in the search box finds its member and never stands in the address', async () => {
  const order = await paidOrder()
  const page = await openAs('sales', `/order/list?open=${order.id}`)
  await dialog(page).getByRole('button', { name: 'Show in full' }).first().click()
  await dialog(page).getByLabel('Reason').fill('A call came in')
  await dialog(page).getByRole('button', { name: 'Show in full' }).click()
  const phone = (await dialog(page).getByText(WHOLE).textContent()) ?? ''
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('searchbox', { name: 'Search' }).fill(phone)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain(`memberId=${order.memberId}`)
  expect(page.url()).not.toContain(phone)
  await page.getByText(order.orderNo).first().waitFor()
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
