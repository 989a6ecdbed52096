import { randomInt, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, dialog, follow, isLoaded, isOnline, list, openAs, row, send, tab, tokenOf } from './console.ts'

/** Names people could give themselves. Where one of them is taken for a part of the page, it says so. */
const HOSTILE = '<img src=x onerror=window.hit=1>'
const SCRIPT = '"><script>window.hit=1</script>'

const isUnharmed = async (page: Page) => {
  // What a broken picture sets off comes after it was drawn.
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn, 100))))
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
}

test('what people call themselves is shown as they wrote it, in lists, details, notices, pickers and titles, and does nothing', async () => {
  const phone = `139${randomInt(10_000_000, 99_999_999)}`
  await send('app', 'member.registered', { phone, name: HOSTILE, source: 'APP', channel: 'STORE' })
  const admin = await openAs('admin', '/dashboard')
  await isOnline(admin)

  const orderNo = `${Date.now()}${randomInt(10_000, 99_999)}`
  await send('app', 'order.placed', { orderNo, phone, product: SCRIPT, amountFen: 100, source: 'APP' })
  const notice = admin.locator('.ant-notification-notice').filter({ hasText: orderNo })
  await notice.waitFor()
  expect(await notice.textContent()).toContain(HOSTILE)
  await isUnharmed(admin)

  await notice.getByRole('button', { name: 'View' }).click()
  await row(admin, orderNo).waitFor()
  expect(await row(admin, orderNo).textContent()).toContain(HOSTILE)
  await row(admin, orderNo).getByText(HOSTILE).first().hover()
  await isUnharmed(admin)

  const find = () => list<{ id: string }>('admin', `/orders/order?query=${orderNo}`).catch(() => [])
  await expect.poll(async () => (await find()).length).toBe(1)
  const [order] = await find()
  const shown = admin.getByText(HOSTILE).filter({ visible: true }).first()
  await follow(admin, `/order/list?open=${order?.id}`)
  await dialog(admin).getByText(HOSTILE).first().waitFor()
  await isUnharmed(admin)

  await follow(admin, `/members/list?query=${encodeURIComponent('<img')}`)
  await tab(admin, 'Members').waitFor()
  await isLoaded(admin)
  await shown.waitFor()
  await isUnharmed(admin)

  const token = await tokenOf('admin')
  const code = `X${randomUUID().slice(0, 8).toUpperCase()}`
  await call('POST', '/system/dictionary', { code, name: HOSTILE, note: SCRIPT, items: [] }, token)
  await follow(admin, '/system/dictionary/list')
  await tab(admin, 'Dictionary').waitFor()
  await isLoaded(admin)
  await shown.waitFor()
  await isUnharmed(admin)
})
