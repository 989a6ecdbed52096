import { existsSync, globSync, readdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Area } from '../src/kit/model/area.ts'
import type { Language } from '../src/kit/model/language.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { follow, hindrances, isLoaded, openAs, openWindow, place } from './console.ts'

const areas = await Promise.all(
  globSync('src/areas/*/area.ts').map(
    async path => ((await import(/* @vite-ignore */ `../${path}`)) as { area: Area }).area,
  ),
)
const screens = areas.flatMap(area =>
  Object.entries(area.screens).map(([folder, { route }]) => ({ route, folder: `${area.name}/${folder}` })),
)
const paths = [...screens.map(({ route }) => route), '/exception/403', '/exception/404', '/exception/500']

/** What the kit draws it with: every list alike, every statistic alike. A page drawn by itself is a kind of its own. */
async function kindOf(folder: string): Promise<string> {
  const path = `src/areas/${folder}/model.ts`
  const model = existsSync(path) ? ((await import(/* @vite-ignore */ `../${path}`)) as Record<string, unknown>) : {}
  if (model.statistic) return 'statistic'
  if (!model.resource) return folder
  return model.workflow ? 'list with steps' : 'list'
}

/** In turn, a screen after the other. */
const OTHERS: readonly Language[] = ['en-US', 'pt-BR', 'zh-TW']

/** The first screen of each kind, and every eighth of the others. */
async function sample(): Promise<string[]> {
  const seen = new Set<string>()
  const chosen: string[] = []
  for (const [at, { route, folder }] of screens.entries()) {
    const kind = await kindOf(folder)
    if (!seen.has(kind) || at % 8 === 0) chosen.push(route)
    seen.add(kind)
  }
  return [...chosen, '/exception/403']
}
const sampled = IS_LONG ? paths : await sample()
/** In how many languages a screen is gone to, all of them together. */
const LOOKS = paths.length + sampled.length * (IS_LONG ? OTHERS.length : 1)
/** Each is loaded, drawn and mostly looked through by axe, on a busy machine. */
const PATIENCE_MS = 60_000 + LOOKS * 20_000

/** Beginnings of keys: what stands before the dot in "field.amountFen". */
const KEYS =
  'about action ask base cause code colour dimension effect exception field fulfilState greeting grant help key kind ledger level measure payState push refundState result source state status step tab todo tone trackingStatus'
/** A key instead of its text, or the place of one: "field.amountFen", "orders/order". */
const RAW_KEY = new RegExp(
  `\\b(?:${KEYS.replaceAll(' ', '|')})\\.[#\\w-]+|\\b(?:kit|engines|${readdirSync('src/areas').join('|')})/[a-z-]+`,
)

async function show(page: Page, path: string): Promise<void> {
  if (place(page) !== path) {
    const before = await page.title()
    await follow(page, path)
    // Until the next page can be drawn, the one before stands.
    await page.waitForFunction(title => document.title !== title, before)
  }
  await isLoaded(page)
}

type Walk = { language: Language; dark: boolean; through: readonly string[]; judged: readonly string[] }

/** Goes through screens and gives what is wrong with them, one line each. */
async function walk({ language, dark, through, judged }: Walk): Promise<string[]> {
  const page = await openAs('admin', '/dashboard', { language, dark, multiTab: false })
  const found: string[] = []
  // The frame is the same around every screen: to see through it again with each costs up to as much as the screen itself.
  const look = { within: 'html' }
  for (const path of through) {
    await show(page, path)
    const key = RAW_KEY.exec(await page.locator('body').innerText())
    const hindered = judged.includes(path) ? await hindrances(page, look) : []
    if (judged.includes(path) && !IS_LONG) look.within = 'main'
    found.push(...[...(key ? [key[0]] : []), ...hindered].map(line => `${path} in ${language}: ${line}`))
  }
  return found
}

test('the pages before signing in hinder nobody, light or dark', async () => {
  const look = async (dark: boolean) => {
    const page = await openWindow('/user/login', { language: 'zh-CN', dark })
    await page.getByRole('button', { name: '登录' }).waitFor()
    const login = await hindrances(page)
    await follow(page, '/user/register')
    await page.getByRole('link', { name: '返回登录' }).waitFor()
    return [...login, ...(await hindrances(page))]
  }
  expect((await Promise.all([look(false), look(true)])).flat()).toEqual([])
})

test(
  `every screen is drawn, and ${IS_LONG ? 'each' : 'each kind of them'} has its texts in ${IS_LONG ? 'all languages' : 'one more language'} and hinders nobody who sees little or uses no mouse, light or dark`,
  async () => {
    const found = await Promise.all([
      walk({ language: 'zh-CN', dark: false, through: paths, judged: sampled }),
      ...OTHERS.map((language, nth) => {
        const through = IS_LONG ? sampled : sampled.filter((_, at) => at % OTHERS.length === nth)
        // Words that are longer hide nothing more from who sees little: the dark is looked through once.
        return walk({ language, dark: true, through, judged: IS_LONG && nth > 0 ? [] : through })
      }),
    ])
    expect(found.flat()).toEqual([])
  },
  PATIENCE_MS,
)
