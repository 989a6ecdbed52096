import { existsSync, globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Area } from '../src/kit/model/area.ts'
import type { Language } from '../src/kit/model/language.ts'
import type { Resource } from '../src/kit/model/resource.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { dialog, follow, isLoaded, list, openAs } from './console.ts'
import { brokenFigures, cutNumbers } from './measures.ts'

const LANGUAGES: readonly Language[] = ['zh-CN', 'en-US', 'pt-BR']
/** Whose records are full of figures: a drawer is narrower than the page. */
const CALCULATED = ['/order/refundApply']
const STATISTICS = ['/order/refundCount', '/analyse/order-count', '/source/count']
const SETTLED_MS = 3_000
/** What must be in sight beside name, state and amount, however long the words are. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  '/order/list': ['memberId', 'productName', 'fulfilState', 'createdAt'],
  '/order/refundApply': ['memberId', 'orderId'],
  '/order/sendGoods': ['receiverName', 'province'],
  '/orderPay/list': ['kind', 'cause'],
  '/members/videoOpus': ['memberId', 'lesson', 'submittedAt'],
}

/** Where a page shows something else first. */
const BEHIND: Readonly<Record<string, string>> = {
  '/operate/config': '/operate/config?view=changes',
  '/operate/redBookPublishLine': '/operate/redBookPublishLine?size=10',
}

const areas = await Promise.all(
  globSync('src/areas/*/area.ts').map(
    async path => ((await import(/* @vite-ignore */ `../${path}`)) as { area: Area }).area,
  ),
)
type Shown = { readonly resource?: Resource; readonly statistic?: object }
const shownBy = async (folder: string): Promise<Shown> => {
  const path = `src/areas/${folder}/model.ts`
  return existsSync(path) ? await import(/* @vite-ignore */ `../${path}`) : {}
}
/** How many columns the list of a screen has: a tree has none, nor a page that shows numbers, even where it says of which rows they are. */
async function columnsOf(folder: string): Promise<number> {
  const { resource, statistic } = await shownBy(folder)
  return resource && !statistic && !resource.tree ? resource.list.columns.length : 0
}
/** The lists of each area, those with the most columns first. */
const lists = await Promise.all(
  areas
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(async ({ name, screens }) => {
      const found = await Promise.all(
        Object.entries(screens).map(async ([folder, { route }]) => ({
          route,
          columns: await columnsOf(`${name}/${folder}`),
        })),
      )
      return found.filter(({ columns }) => columns > 0).sort((a, b) => b.columns - a.columns)
    }),
)

/** What cannot be read as it stands: columns under others, beside their heads or missing, cut cells, two lines of tools. */
const cut = (page: Page, needed: readonly string[]): Promise<string[]> =>
  page.evaluate(fields => {
    const list = [...document.querySelectorAll<HTMLElement>('.inkstone-list')].find(({ offsetParent }) => offsetParent)
    const scroller = list?.querySelector('.ant-table-body')
    const found: string[] = []
    if (!list || !scroller) return ['no list']
    const wide = scroller.scrollWidth - scroller.clientWidth
    if (wide > 1) found.push(`${wide} px stand under the actions`)
    for (const cell of scroller.querySelectorAll<HTMLElement>('td[data-field]:not(.ant-table-cell-ellipsis)'))
      if (cell.scrollWidth > cell.clientWidth + 1) found.push(`${cell.dataset.field} is cut: ${cell.textContent}`)
    for (const field of fields)
      if (!scroller.querySelector(`[data-field="${field}"]`)) found.push(`${field} is not in sight`)
    const [heads, cells] = [
      list.querySelectorAll('.ant-table-header th'),
      scroller.querySelectorAll('.ant-table-row:nth-of-type(2) > td'),
    ]
    for (const [at, cell] of cells.entries()) {
      const [over, under] = [heads[at]?.getBoundingClientRect(), cell.getBoundingClientRect()]
      if (!over || Math.abs(over.left - under.left) > 1)
        found.push(`${heads[at]?.textContent} stands beside its column`)
    }
    const tools = list.querySelector<HTMLElement>('.inkstone-bar')
    const inLine = [...(tools?.querySelectorAll('.ant-space-item:not(:has(.ant-space-item))') ?? [])]
      .map(({ firstElementChild: tool }) => ({ tool, place: tool?.getBoundingClientRect() }))
      .filter(({ place }) => place && place.width > 0)
    for (const [at, { tool, place }] of inLine.entries()) {
      const before = inLine[at - 1]?.place
      if (before && place && place.left < before.right - 1)
        found.push(`${tool?.textContent || tool?.ariaLabel} stands over the tool before it`)
    }
    if ((tools?.offsetHeight ?? 0) > 40) found.push(`the tools take ${tools?.offsetHeight} px`)
    return found
  }, needed)

/** What is wrong for good: heads that stand beside their columns find back over them within a second. */
async function onceStill(wrong: () => Promise<string[]>): Promise<string[]> {
  const until = Date.now() + SETTLED_MS
  let lines = await wrong()
  while (lines.length > 0 && Date.now() < until) {
    await new Promise(later => setTimeout(later, 100))
    lines = await wrong()
  }
  return lines
}

/** One list of each area, in one language after the other: as many looks as five lists in three languages. */
const sample = lists.flatMap(([widest]) => widest?.route ?? []).filter(route => !CALCULATED.includes(route))
const measuredIn = (language: Language): readonly string[] =>
  IS_LONG
    ? lists.flat().map(({ route }) => route)
    : [...CALCULATED, ...sample.filter((_, at) => LANGUAGES[at % LANGUAGES.length] === language)]
const statistics = await Promise.all(
  areas.flatMap(({ name, screens }) =>
    Object.entries(screens).map(async ([folder, { route }]) =>
      (await shownBy(`${name}/${folder}`)).statistic ? [route] : [],
    ),
  ),
)
const counted = IS_LONG ? statistics.flat() : STATISTICS
const LOOKS = LANGUAGES.reduce((sum, language) => sum + measuredIn(language).length + counted.length, 0)

test(
  'at 1280 × 720 no figure is cut or broken, no column stands under the actions or beside its head and the tools take one line, in three languages',
  async () => {
    const found: string[] = []
    for (const language of LANGUAGES) {
      const page = await openAs('admin', '/dashboard', { language, multiTab: false })
      await page.setViewportSize({ width: 1280, height: 720 })
      for (const path of measuredIn(language)) {
        await follow(page, BEHIND[path] ?? path)
        await page.locator('.inkstone-table .ant-table-row').first().waitFor()
        await isLoaded(page)
        const lines = await onceStill(() => cut(page, NEEDED[path] ?? []))
        found.push(...lines.map(line => `${path} in ${language}: ${line}`))
        if (!CALCULATED.includes(path)) continue
        await page.locator('.inkstone-table .ant-table-row').first().locator('td[data-field="amountFen"]').click()
        await dialog(page).locator('.inkstone-story').waitFor()
        await isLoaded(page)
        found.push(...(await brokenFigures(page)).map(line => `a record of ${path} in ${language}: ${line}`))
      }
      for (const path of counted) {
        await follow(page, path)
        await page.locator('.ink-numbers .ant-table-row').first().waitFor()
        await isLoaded(page)
        const lines = [...(await cutNumbers(page)), ...(await brokenFigures(page))]
        found.push(...lines.map(line => `${path} in ${language}: ${line}`))
      }
      await page.close()
    }
    expect(found).toEqual([])
  },
  // On a busy machine.
  60_000 + LOOKS * 10_000,
)

/** What is wider than its place. */
const overflowing = (page: Page, inside: string): Promise<string[]> =>
  dialog(page)
    .locator(inside)
    .evaluateAll(parts =>
      parts.flatMap(part => (part.scrollWidth > part.clientWidth + 1 ? [`${part.textContent} is cut`] : [])),
    )

test.each([
  ['pt-BR', 'Benefícios'],
  ['en-US', 'Entitlements'],
] as const)(
  'heads of lines, and the kinds of what a member holds, are whole in a drawer at 1280: %s',
  async (language, held) => {
    const [[product], [member]] = [
      await list<{ id: string }>('admin', '/products/product'),
      await list<{ id: string }>('admin', '/members/member?level=MEMBER'),
    ]
    const page = await openAs('admin', `/product/list?edit=${product?.id}`, { language, multiTab: false })
    await page.setViewportSize({ width: 1280, height: 720 })
    await dialog(page).locator('.inkstone-lines-head').first().waitFor()
    expect(await overflowing(page, '.inkstone-lines-head > span')).toEqual([])
    await follow(page, `/members/list?open=${member?.id}`)
    await dialog(page).getByRole('tab', { name: held }).click()
    await dialog(page).locator('.ant-segmented').last().waitFor()
    await isLoaded(page)
    expect(await overflowing(page, '.inkstone-story')).toEqual([])
    expect(await overflowing(page, '.inkstone-story :has(> .ant-segmented)')).toEqual([])
  },
)
