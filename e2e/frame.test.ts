import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dialog, follow, isLoaded, openAs, place, row, tab } from './console.ts'

const menu = (page: Page) => page.getByRole('complementary')

test('another language reaches menu, tabs, table heads, server messages and calendar words at once', async () => {
  const page = await openAs('admin', '/system/dictionary/list?create=1')
  await dialog(page).getByLabel('Name').fill('Again')
  await dialog(page).getByLabel('Code').fill('ORDER_SOURCE')
  await dialog(page).getByRole('button', { name: 'Create dictionary type' }).click()
  await dialog(page).getByText('Already in use. Choose another.').waitFor()

  await follow(page, '/order/list')
  await page.getByRole('columnheader', { name: 'Order no.' }).waitFor()
  await page.getByText('10 / page').filter({ visible: true }).waitFor()
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: 'Português' }).click()

  await page.getByRole('columnheader', { name: 'Nº do pedido' }).waitFor()
  expect(await menu(page).textContent()).toContain('Pedidos')
  expect(await menu(page).textContent()).not.toContain('Orders')
  const tabs = page.getByRole('navigation', { name: 'Páginas abertas' })
  expect(await tabs.textContent()).toMatch(/Dicionário[\s\S]*Pedidos/)
  await page.getByText('10 / página').filter({ visible: true }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR')
  expect(await page.title()).toMatch(/^Pedidos - /)

  await tabs.getByRole('link', { name: 'Dicionário' }).click()
  await dialog(page).getByRole('button', { name: 'Criar tipo de dicionário' }).click()
  await dialog(page).getByText('Já está em uso, escolha outro').waitFor()
})

test('what is set in the drawer is seen at once and stays after a reload', async () => {
  const page = await openAs('admin', '/order/list')
  await row(page, 'Paid').first().waitFor()
  const dress = () =>
    page.evaluate(() => {
      const cell = document.querySelector('.ant-table-tbody td.ant-table-cell')
      return {
        dark: document.documentElement.classList.contains('ink-dark'),
        background: getComputedStyle(document.querySelector('header') ?? document.body).backgroundColor,
        primary: getComputedStyle(document.querySelector('.ant-tabs-tab-active .ant-tabs-tab-btn') ?? document.body)
          .color,
        rowHeight: cell?.getBoundingClientRect().height ?? 0,
        side: document.querySelector('aside') !== null,
      }
    })
  const before = await dress()
  await page.getByRole('button', { name: 'Appearance' }).click()
  await dialog(page).locator('.ink-setting').filter({ hasText: 'Page style' }).getByText('Dark').click()
  await dialog(page).getByRole('radio', { name: 'Plum' }).check({ force: true })
  await dialog(page).getByText('Top', { exact: true }).click()
  await dialog(page).getByText('Spacious').click()
  await dialog(page).getByLabel('Multiple tabs').click()
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await dress()).rowHeight).toBeGreaterThan(before.rowHeight)
  const after = await dress()
  expect(after).toMatchObject({ dark: true, side: false })
  expect(after.background).not.toBe(before.background)
  expect(after.primary).not.toBe(before.primary)
  expect(await page.getByRole('navigation', { name: 'Open pages' }).count()).toBe(0)

  await page.reload()
  await row(page, 'Paid').first().waitFor()
  await expect.poll(dress).toEqual(after)

  await page.getByRole('button', { name: 'Appearance' }).click()
  await dialog(page).getByRole('button', { name: 'Restore defaults' }).click()
  await expect.poll(dress).toEqual(before)
})

test('a page is found by pinyin, its initials or its English name, and opened without the mouse', async () => {
  const page = await openAs('admin', '/dashboard', { language: 'zh-CN' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const [typed, path] of [
    ['tuikuan', '/order/refundApply'],
    ['zd', '/system/dictionary/list'],
    ['orders', '/order/list'],
  ] as const) {
    await page.keyboard.press('Control+k')
    const box = dialog(page).getByRole('combobox')
    await box.fill(typed)
    await page.keyboard.press('Enter')
    await expect.poll(() => place(page)).toBe(path)
    await box.waitFor({ state: 'detached' })
  }
})

test('a list is worked by keyboard: search, rows, open, close, help', async () => {
  const page = await openAs('admin', '/order/list')
  await row(page, 'Paid').first().waitFor()
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox', { name: 'Search' })
  await expect.poll(() => search.evaluate(box => box === document.activeElement)).toBe(true)
  await search.blur()
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key)
  const first = page.locator('.ant-table-tbody tr.ant-table-row').first()
  await expect.poll(() => first.getAttribute('class')).toContain('inkstone-cursor')
  const orderNo = (await first.locator('.inkstone-code').first().textContent()) ?? ''
  await page.keyboard.press('Enter')
  await dialog(page).getByText(orderNo).first().waitFor()
  expect(place(page)).toMatch(/^\/order\/list\?open=\d+$/)
  await page.keyboard.press('Escape')
  await expect.poll(() => place(page)).toBe('/order/list')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  await dialog(page).getByText('Next row, previous row').waitFor()
})

test('only roles that may copy can select the text of a page', async () => {
  const selected = async (account: string) => {
    const page = await openAs(account, '/order/list')
    await row(page, 'Paid').first().waitFor()
    await row(page, 'Paid').first().getByRole('cell').nth(2).dblclick()
    return page.evaluate(() => String(getSelection()).trim())
  }
  const [finance, ...others] = await Promise.all(['finance', 'sales-manager-copy', 'admin'].map(selected))
  expect(finance).toBe('')
  for (const text of others) expect(text).not.toBe('')
})

test('a page one may not open says so, and an unknown address leads home', async () => {
  const page = await openAs('finance', '/system/dictionary/list')
  await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor()
  expect(place(page)).toBe('/system/dictionary/list')
  expect(await menu(page).textContent()).not.toContain('System')
  await page.getByRole('button', { name: 'Back to the workbench' }).click()
  await page.waitForURL(/#\/dashboard$/)
  await follow(page, '/no/such/page')
  await page.waitForURL(/#\/dashboard$/)
  for (const [code, title] of [
    ['404', 'Page not found'],
    ['500', 'Something went wrong on our side'],
  ]) {
    await follow(page, `/exception/${code}`)
    await page.getByRole('heading', { name: title as string }).waitFor()
  }
  await tab(page, 'Workbench').click()
  await page.getByText(/^Good /).waitFor()
})

test('from an address to its rows are four trips one after another: page, way in, parts, rows', async () => {
  const page = await openAs('admin', '/order/list')
  await isLoaded(page)
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.setCacheDisabled', { cacheDisabled: true })
  // Far: what is asked together is told apart from what waits for an answer.
  await line.send('Network.emulateNetworkConditions', FAR)
  const trips = new Map<string, Trip>()
  line.on('Network.requestWillBeSent', ({ requestId, request, timestamp, type }) => {
    // Nobody waits for a picture.
    if (type === 'Image' || type === 'Other') return
    trips.set(requestId, { url: request.url, begun: timestamp, ended: Number.POSITIVE_INFINITY })
  })
  line.on('Network.loadingFinished', ({ requestId, timestamp }) => {
    const trip = trips.get(requestId)
    if (trip) trip.ended = timestamp
  })
  await page.reload()
  await page.locator('.ant-table-row').first().waitFor()
  const rows = [...trips.values()].find(({ url }) => url.includes('/api/orders/order?'))
  expect(rows && tripsTo(rows, [...trips.values()])).toBe(4)
})

const FAR = { offline: false, latency: 1_500, downloadThroughput: -1, uploadThroughput: -1 }
type Trip = { readonly url: string; readonly begun: number; ended: number }

/** How many trips had to end, one after another, before this one could; itself counted. */
function tripsTo(trip: Trip, all: readonly Trip[]): number {
  const before = all.filter(({ ended }) => ended <= trip.begun)
  return 1 + Math.max(0, ...before.map(earlier => tripsTo(earlier, before)))
}

test('a favourite is set and taken away by its star, which opens no page', async () => {
  const page = await openAs('sales', '/order/list')
  await isLoaded(page)
  const entry = menu(page).getByRole('menuitem').filter({ hasText: 'Refund applications' }).last()
  for (const isSet of ['true', 'false']) {
    await entry.hover()
    await entry.locator('.ink-star').click()
    await expect.poll(() => entry.locator('.ink-star').getAttribute('aria-pressed')).toBe(isSet)
  }
  expect(place(page)).toBe('/order/list')
})
