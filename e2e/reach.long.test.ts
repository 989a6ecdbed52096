import { globSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Area } from '../src/kit/model/area.ts'
import { call, dialog, expectComplaint, follow, isLoaded, isOnline, isStill, openAs, tab, tokenOf } from './console.ts'

/** What a thumb hits without looking. */
const THUMB_PX = 40

test('that the connection is gone is said within two seconds, above a form too, and no longer once it is back', async () => {
  const page = await openAs('admin', '/system/dictionary/list?create=1')
  await isOnline(page)
  // All its parts are there: what cannot be loaded any more is another story. The form comes after the list behind it.
  await dialog(page).waitFor()
  await isLoaded(page)
  await page.waitForLoadState('networkidle')
  const bar = page.locator('.ink-offline')
  expect(await bar.count()).toBe(0)
  // Timed where it is seen: what the news takes from here to the browser and back is not the console's.
  const toldAfter = await page.evaluateHandle(() => ({
    ms: new Promise<number>(told => {
      addEventListener('offline', ({ timeStamp }) => {
        const look = () =>
          document.querySelector('.ink-offline') ? told(performance.now() - timeStamp) : requestAnimationFrame(look)
        look()
      })
    }),
  }))
  await page.context().setOffline(true)
  await bar.waitFor()
  expect(await toldAfter.evaluate(({ ms }) => ms)).toBeLessThan(2_000)
  const { top, bottom } = await boxOf(bar)
  const seen = (y: number) => document.elementFromPoint(innerWidth / 2, y)?.closest('.ink-offline') !== null
  expect(await page.evaluate(seen, (top + bottom) / 2)).toBe(true)
  expect((await boxOf(page.locator('.ant-drawer-open .ant-drawer-section'))).top).toBeGreaterThanOrEqual(bottom - 1)
  await page.context().setOffline(false)
  await bar.waitFor({ state: 'detached' })
})

test('a page that is opened without a network says so, and is there by itself once that is back', async () => {
  const page = await openAs('admin', '/order/list', { isNew: true })
  await page.locator('.ant-table-tbody .ant-table-row').first().waitFor()
  await page.context().setOffline(true)
  await page.getByText('Connection lost').waitFor()
  await page.evaluate(() => {
    location.hash = '/system/scheduleJob/list'
  })
  const missing = page.getByRole('heading', { name: 'The page could not be loaded' })
  await missing.waitFor()
  await page.context().setOffline(false)
  await page.getByRole('cell', { name: 'Run now' }).first().waitFor()
  expect(await missing.count()).toBe(0)
  expectComplaint(/dynamically imported module/)
})

test('while the rows scroll, filters, what is chosen and the head of the table stay in sight, and so does the scrollbar of a table that is too wide', async () => {
  const page = await openAs('admin', '/order/list?size=50', { fixedHeader: true })
  await page.setViewportSize({ width: 1280, height: 720 })
  // Columns that somebody asked for stand in the list however narrow it is.
  const shown = ['reservedFen', 'fulfilState', 'source', 'channel', 'soldBy', 'ownerId', 'createdAt', 'paidAt']
  const layout = { order: [], hidden: [], shown, pinned: [], widths: {} }
  const kept = JSON.stringify({ state: { layouts: { 'orders/order': layout } }, version: 0 })
  await page.evaluate(columns => localStorage.setItem('inkstone-columns', columns), kept)
  await page.reload()
  await page.locator('.ant-table-tbody .ant-checkbox-input').nth(1).check()
  await page.mouse.move(600, 500)
  await page.mouse.wheel(0, 900)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(600)

  const [bulk, head] = await Promise.all([
    boxOf(page.locator('.inkstone-bulk')),
    boxOf(page.locator('.ant-table-header')),
  ])
  const row = await boxOf(page.locator('.ant-table-tbody .ant-table-row').nth(30))
  const tabs = await boxOf(page.getByRole('navigation', { name: 'Open pages' }))
  expect(bulk.top).toBeGreaterThanOrEqual(tabs.bottom - 1)
  expect(head.top).toBeGreaterThanOrEqual(bulk.bottom - 1)
  expect(head.bottom).toBeLessThan(400)
  expect(row.top).toBeLessThan(720)
  const bar = await boxOf(page.locator('.ant-table-sticky-scroll'))
  expect(bar.bottom).toBeLessThanOrEqual(720)
  expect(bar.top).toBeGreaterThan(head.bottom)

  await page.getByRole('button', { name: 'Clear selection' }).click()
  const search = await boxOf(page.locator('[data-search]').filter({ visible: true }))
  expect(search.top).toBeGreaterThanOrEqual(tabs.bottom - 1)
  expect(search.bottom).toBeLessThanOrEqual(head.top + 1)
})

test('with every page open at 1280 px, the shown tab can be closed by its own button and is in sight in the menu, whichever it is', async () => {
  const areas = await Promise.all(
    globSync('src/areas/*/area.ts').map(
      async path => ((await import(/* @vite-ignore */ `../${path}`)) as { area: Area }).area,
    ),
  )
  const routes = areas.flatMap(({ screens }) => Object.values(screens).map(({ route }) => route))
  const { id } = await call<{ id: string }>('GET', '/auth/userInfo', undefined, await tokenOf('admin'))
  const page = await openAs('admin', '/order/list')
  await isLoaded(page)
  // As they are kept over a reload.
  const tabs = routes.map((route, used) => ({ route, address: route, used }))
  await page.evaluate(kept => sessionStorage.setItem('inkstone-tabs', kept), JSON.stringify({ person: id, tabs }))
  await page.reload()
  const bar = page.getByRole('navigation', { name: 'Open pages' })
  await expect.poll(() => bar.getByRole('link').count()).toBe(routes.length)

  const edge = await boxOf(bar)
  for (const title of ['Orders', 'Dictionary']) {
    if (title === 'Dictionary') await follow(page, '/system/dictionary/list')
    await expect.poll(() => tab(page, title).getAttribute('aria-current')).toBe('page')
    const close = bar.getByRole('button', { name: `Close ${title}`, exact: true })
    const box = await boxOf(close)
    expect(box.left).toBeGreaterThanOrEqual(edge.left)
    expect(box.right).toBeLessThanOrEqual(edge.right)
    // The menu is longer than the window, and shows where one is.
    const entry = page.locator('.ink-sider .ant-menu-item-selected')
    await expect.poll(async () => (await boxOf(entry)).bottom).toBeLessThanOrEqual(800)
    await close.click()
    await close.waitFor({ state: 'detached' })
  }
})

test('on a telephone nothing that is tapped in a list, a record or a form is smaller than 40 px', async () => {
  const page = await openAs('admin', '/members/list', { phone: true })
  const found: string[] = []
  const look = async (where: string) => {
    await isLoaded(page)
    found.push(...(await small(page)).map(line => `${where}: ${line}`))
  }
  await page.locator('.inkstone-card').first().waitFor()
  await look('list')
  await page.locator('.inkstone-card-title').first().tap()
  await dialog(page).getByRole('tab', { name: 'Details' }).waitFor()
  await look('record')
  await follow(page, '/members/list?create=1')
  await dialog(page).getByRole('button', { name: 'Create member' }).waitFor()
  await look('form')
  await follow(page, '/order/refundApply')
  await page.locator('.inkstone-card').filter({ visible: true }).first().waitFor()
  await look('list with steps')
  await page.getByRole('button', { name: 'Main menu' }).tap()
  await dialog(page).getByRole('searchbox').waitFor()
  await look('menu')
  expect(found).toEqual([])
})

/** What is pressed and smaller than a thumb; a tab is pressed wherever it is. */
const small = (page: Page): Promise<string[]> =>
  page.evaluate(min => {
    const pressed = 'button, a[href], [role="button"], [role="tab"], [role="menuitem"], .ant-checkbox-wrapper'
    return [...document.querySelectorAll<HTMLElement>(pressed)]
      .filter(
        part => part.checkVisibility({ visibilityProperty: true }) && !part.closest('[inert], [aria-hidden="true"]'),
      )
      .map(part => part.closest<HTMLElement>('.ant-tabs-tab') ?? part)
      .flatMap(part => {
        const { width, height } = part.getBoundingClientRect()
        const name = part.getAttribute('aria-label') ?? part.textContent?.slice(0, 30)
        // Half a pixel is the browser's rounding.
        return width > 0 && Math.min(width, height) < min - 0.5 ? [`${name} ${width} × ${height}`] : []
      })
  }, THUMB_PX)

async function boxOf(part: Locator): Promise<{ left: number; right: number; top: number; bottom: number }> {
  const box = await part.first().boundingBox()
  if (!box) throw new Error('not on the page')
  return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height }
}

test('on a telephone all filters stand within the window', async () => {
  const page = await openAs('admin', '/order/refundApply', { phone: true })
  await page.getByRole('button', { name: 'More filters' }).tap()
  const panel = page.locator('.inkstone-filters')
  await panel.waitFor()
  await isStill(page)
  const { x = -1, width = 0 } = (await panel.boundingBox()) ?? {}
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
})

test('a column that is chosen stands there at once, and those the list is read by stay', async () => {
  const page = await openAs('admin', '/order/refundApply')
  await page.setViewportSize({ width: 1280, height: 720 })
  const head = (name: string) => page.getByRole('columnheader').filter({ hasText: new RegExp(`^${name}`) })
  await head('Member').first().waitFor()
  expect(await head('Reason').count()).toBe(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Reason', exact: true }).check()
  await head('Reason').first().waitFor()
  for (const name of ['Refund no', 'Order', 'Member']) expect(await head(name).count()).toBeGreaterThan(0)
})

test('heads that stand beside their columns find back over them', async () => {
  const page = await openAs('admin', '/order/refundApply')
  await page.locator('.ant-table-tbody .ant-table-row').first().waitFor()
  await isLoaded(page)
  const farthest = () =>
    page.evaluate(() => {
      const lefts = (cells: string) =>
        [...document.querySelectorAll(cells)].map(cell => cell.getBoundingClientRect().left)
      const columns = lefts('.ant-table-measure-row > td')
      return Math.max(...lefts('.ant-table-header th').map((left, at) => Math.abs(left - (columns[at] ?? 0))))
    })
  await expect.poll(farthest).toBeLessThan(1.5)
  await page.evaluate(() => {
    for (const column of document.querySelectorAll<HTMLElement>('.ant-table-header col')) column.style.width = '60px'
  })
  expect(await farthest()).toBeGreaterThan(20)
  await expect.poll(farthest, { timeout: 10_000 }).toBeLessThan(1.5)
})
