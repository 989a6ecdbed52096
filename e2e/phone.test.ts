import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../src/kit/server/auth/demo-account.ts'
import { CAPTCHA } from '../tools/testing/browser.ts'
import { askRefund, dialog, hindrances, openWindow, paidOrder, place } from './console.ts'

/** WCAG 2.2: nothing that is tapped is smaller than 24 px. */
const THUMB = { rules: { 'target-size': { enabled: true } } }

test('on a telephone a manager signs in, finds a refund by the menu and approves it with a thumb', async () => {
  const order = await paidOrder()
  await askRefund(order.id, 1_717, 'sales')

  const page = await openWindow('/', { phone: true })
  await page.getByLabel('Account', { exact: true }).fill('sales-manager-copy')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByLabel('Verification code').fill(CAPTCHA)
  await page.getByRole('button', { name: 'Sign in' }).tap()
  await page.getByText(/^Good /).waitFor()

  await page.getByRole('button', { name: 'Main menu' }).tap()
  await dialog(page).getByText('Orders').first().tap()
  await dialog(page).getByRole('link', { name: 'Refund applications' }).tap()
  await expect.poll(() => place(page)).toBe('/order/refundApply')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await page.getByRole('columnheader').count()).toBe(0)

  const card = page.locator('.ant-card').filter({ hasText: '17.17' }).first()
  await card.waitFor()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
  expect(await hindrances(page, THUMB)).toEqual([])

  await card.locator('.inkstone-card-title').tap()
  await dialog(page).getByRole('button', { name: 'Approve refund' }).tap()
  await page.getByText('Finance or the cashier takes over from here.').waitFor()
  await dialog(page).getByRole('button', { name: 'Approve refund' }).tap()
  await page.getByText('Submitted successfully').waitFor()
  await dialog(page).getByText('Approved by manager').first().waitFor()
  expect(await hindrances(page, THUMB)).toEqual([])
})
