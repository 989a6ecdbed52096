import { expect, test } from 'vitest'
import { hindrances, openAs, place } from './console.ts'

test('a manager reads the month on the board, opens where a figure comes from, and puts the month on the wall', async () => {
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

  const wall = await openAs('sales-manager-copy', '/sale/chart?wall=1')
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
  await wall.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })
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
