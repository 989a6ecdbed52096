import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../src/kit/server/auth/demo-account.ts'
import { CAPTCHA } from '../tools/testing/browser.ts'
import {
  askRefund,
  dialog,
  follow,
  hindrances,
  isLoaded,
  isStill,
  openAs,
  openWindow,
  paidOrder,
  place,
  question,
} from './console.ts'
import { brokenFigures, covered, cutQuestion, unreachable } from './measures.ts'

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
  // What opens moves what stands below it.
  await isStill(page)
  await dialog(page).getByRole('link', { name: 'Refund applications' }).tap()
  await expect.poll(() => place(page)).toBe('/order/refundApply')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await page.getByRole('columnheader').count()).toBe(0)

  const card = page.locator('.ant-card').filter({ hasText: '17.17' }).first()
  await card.waitFor()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
  const heights = await page.evaluate(() =>
    ['.inkstone-bar', '.inkstone-search'].map(part => document.querySelector<HTMLElement>(part)?.offsetHeight),
  )
  // One line of tools, none of them lower than a thumb needs.
  expect(heights).toEqual([40, 40])
  expect(await hindrances(page, THUMB)).toEqual([])

  await card.locator('.inkstone-card-title').tap()
  // What stands in the head stands side by side, and the facts are no wider than the page.
  const [state, arrow] = await Promise.all([
    dialog(page).locator('.ant-drawer-title .inkstone-patch').boundingBox(),
    dialog(page).getByRole('button', { name: 'Previous' }).boundingBox(),
  ])
  expect((state?.x ?? 0) + (state?.width ?? 0)).toBeLessThanOrEqual(arrow?.x ?? 0)
  expect(
    await dialog(page)
      .locator('.ant-drawer-body')
      .evaluate(body => body.scrollWidth),
  ).toBeLessThanOrEqual(390)
  await dialog(page).getByRole('button', { name: 'Approve refund' }).tap()
  await page.getByText(/the cashier pays it/i).waitFor()
  await dialog(page).getByRole('button', { name: 'Approve refund' }).tap()
  await page.getByText('Submitted successfully').waitFor()
  await dialog(page).getByText('Approved by manager').first().waitFor()
  expect(await hindrances(page, THUMB)).toEqual([])
})

/** A list with many tools, two statistics, and what an administrator looks at on the way: accounts and messages. */
const PHONE_PAGES = [
  '/order/logistics',
  '/order/refundCount',
  '/analyse/order-count',
  '/system/iamUser/index',
  '/system/message/list',
]

test('on a telephone no page is wider than the screen, no tool lies over another and the search has room for a number, in three languages', async () => {
  const found: string[] = []
  for (const language of ['zh-CN', 'en-US', 'pt-BR'] as const) {
    const page = await openAs('admin', '/dashboard', { language, phone: true })
    for (const path of PHONE_PAGES) {
      await follow(page, path)
      await page.locator('.inkstone-card, .ink-chart').filter({ visible: true }).first().waitFor()
      await isLoaded(page)
      const lines = [...(await unreachable(page)), ...(await brokenFigures(page))]
      found.push(...lines.map(line => `${path} in ${language}: ${line}`))
    }
    await page.close()
  }
  expect(found).toEqual([])
})

test('on a telephone and on a low window a payment is examined by facts and a picture that are whole, above buttons that stay in sight', async () => {
  for (const phone of [true, false]) {
    const page = await openAs('finance', '/order/examine?status=WAITING&kind=OFFLINE', { phone })
    if (!phone) await page.setViewportSize({ width: 1280, height: 720 })
    await isLoaded(page)
    await page.getByRole('button', { name: 'Approve' }).filter({ visible: true }).first().click()
    await question(page).locator('.inkstone-matter img').first().waitFor()
    await isStill(page)
    expect(await cutQuestion(page), phone ? 'on a telephone' : 'on a low window').toEqual([])
    await page.close()
  }
})

test('on a telephone all that may be done with chosen cards stays under the thumb, however far they are scrolled', async () => {
  const order = await paidOrder()
  await askRefund(order.id, 1_719, 'sales')
  const page = await openAs('sales-manager-copy', '/order/refundApply', { phone: true })
  await page.locator('.inkstone-card .ant-checkbox-input').filter({ visible: true }).first().check({ force: true })
  const tools = page.getByRole('toolbar', { name: '1 selected' })
  await tools.getByRole('button', { name: 'Clear selection' }).waitFor()
  for (const at of [0, 600]) {
    await page.evaluate(top => scrollTo(0, top), at)
    expect(await covered(page, '.inkstone-bulk button')).toEqual([])
  }
})
