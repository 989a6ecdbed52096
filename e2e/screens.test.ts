import { globSync, readdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Area } from '../src/kit/model/area.ts'
import type { Language } from '../src/kit/model/language.ts'
import { follow, hindrances, isLoaded, openAs, openWindow, place } from './console.ts'

const areas = await Promise.all(
  globSync('src/areas/*/area.ts').map(
    async path => ((await import(/* @vite-ignore */ `../${path}`)) as { area: Area }).area,
  ),
)
const paths = [
  ...areas.flatMap(({ screens }) => Object.values(screens).map(({ route }) => route)),
  '/exception/403',
  '/exception/404',
  '/exception/500',
]
/** Each screen is loaded and drawn in each language, and looked through by axe in both themes, on a busy machine. */
const PATIENCE_MS = 60_000 + paths.length * 10_000

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

type Walk = { language: Language; dark: boolean; isJudged?: boolean }

/** Goes through all screens and gives what is wrong with them, one line each. */
async function walk({ language, dark, isJudged = false }: Walk): Promise<string[]> {
  const page = await openAs('admin', '/dashboard', { language, dark, multiTab: false })
  const found: string[] = []
  for (const path of paths) {
    await show(page, path)
    const key = RAW_KEY.exec(await page.locator('body').innerText())
    const hindered = isJudged ? await hindrances(page) : []
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
  'every screen has all its texts in each language, and hinders nobody who sees little or uses no mouse, light or dark',
  async () => {
    const found = await Promise.all([
      walk({ language: 'zh-CN', dark: false, isJudged: true }),
      walk({ language: 'en-US', dark: true, isJudged: true }),
      walk({ language: 'zh-TW', dark: false }),
      walk({ language: 'pt-BR', dark: true }),
    ])
    expect(found.flat()).toEqual([])
  },
  PATIENCE_MS,
)
