import { expect, test } from 'vitest'
import { colleague } from './colleagues.ts'
import { call, hindrances, list, openAs, place, tokenOf } from './console.ts'

test('a manager reads the month on the board and opens where a figure comes from', async () => {
  const board = await openAs('sales-manager-copy', '/sale/chart')
  const people = board.getByRole('region', { name: 'Consultants' })
  await people.waitFor()
  expect(await hindrances(board)).toEqual([])
  await people
    .getByRole('link', { name: /Sales ¥/ })
    .first()
    .click()
  await expect.poll(() => place(board)).toMatch(/^\/sale\/count\?.*soldBy=/)
  await board.locator('.ink-card-value').filter({ visible: true }).first().waitFor()
})

type Lead = { readonly id: string; readonly steps: Readonly<Record<string, unknown>> }
const ACCOUNT = 'sales-manager-copy'

test('the wall is read from afar in both themes, shows a lead that is given out as soon as it is, and is left by Escape', async () => {
  for (const dark of [false, true]) {
    const wall = await openAs(ACCOUNT, '/sale/chart?wall=1', { dark })
    await wall.setViewportSize({ width: 1920, height: 1080 })
    const shown = wall.getByRole('region', { name: 'Wall screen' })
    await shown.waitFor()
    const sizes = await shown
      .locator('strong')
      .evaluateAll(nodes => nodes.map(node => Number(getComputedStyle(node).fontSize.replace('px', ''))))
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(64)
    expect(
      await shown.evaluate(node => [node.scrollWidth <= node.clientWidth, node.scrollHeight <= node.clientHeight]),
    ).toEqual([true, true])
    expect(await hindrances(wall, { within: '.sales-wall' })).toEqual([])

    const funnel = shown.getByRole('region', { name: 'Lead funnel' })
    const leads = async () =>
      Number((await funnel.locator('li .sales-figure').first().innerText()).replaceAll(/\D/g, ''))
    const before = await leads()
    const seller = await colleague('销售顾问', '销售一组')
    const waiting = await list<Lead>(ACCOUNT, '/sales/salvage?status=UNASSIGNED&size=20')
    const lead = waiting.find(({ steps }) => steps.assign === null)
    await call('POST', `/sales/salvage/${lead?.id}/assign`, { newOwnerId: seller.id }, await tokenOf(ACCOUNT))
    await expect.poll(leads, { timeout: 30_000 }).toBe(before + 1)
    await wall.keyboard.press('Escape')
    await shown.waitFor({ state: 'detached' })
  }
})

test('a number of the statistics of courses and of imported numbers opens its rows', async () => {
  for (const [path, measure] of [
    ['/sale/packageCount?from=2026-01-01', 'Courses begun'],
    ['/sale/phoneCount', 'Imported'],
  ] as const) {
    const page = await openAs('sales-manager-copy', path)
    const number = page.getByRole('link', { name: new RegExp(`${measure}.*\\d`) }).first()
    await number.waitFor()
    expect(await hindrances(page)).toEqual([])
    await number.click()
    await expect.poll(() => place(page)).toContain('body=rows')
    await page.locator('.ant-table-row').filter({ visible: true }).first().waitFor()
  }
})
