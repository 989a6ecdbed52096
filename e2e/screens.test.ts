import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Area } from '../src/kit/model/area.ts'
import { LANGUAGES } from '../src/kit/model/language.ts'
import { follow, hindrances, openAs, openWindow } from './console.ts'

const areas = await Promise.all(
  globSync('src/areas/*/area.ts').map(async path => ((await import(`../${path}`)) as { area: Area }).area),
)
const paths = [
  ...areas.flatMap(({ screens }) => Object.values(screens).map(({ route }) => route)),
  '/exception/403',
  '/exception/404',
  '/exception/500',
]
/** Each screen is loaded, drawn and looked through by axe in both themes; one after the other on a busy machine. */
const PATIENCE_MS = 60_000 + paths.length * 10_000

/** A key instead of its text: "field.amountFen", "orders/order". */
const RAW_KEY =
  /\b(?:field|step|ask|help|action|tone|state|status|result|exception|todo|greeting|push|colour|key)\.[#\w-]+|\b(?:kit|orders|system|account|workbench|members|live|organisation)\/[a-z-]+/

async function show(page: Page, path: string): Promise<void> {
  await follow(page, path)
  await page.locator('main h1').filter({ visible: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  const waiting = page.locator('[aria-busy="true"], .ant-skeleton').filter({ visible: true })
  await expect.poll(() => waiting.count()).toBe(0)
}

async function expectNoRawKey(page: Page): Promise<void> {
  expect((await page.locator('body').allInnerTexts()).join()).not.toMatch(RAW_KEY)
}

test.each([false, true])('the pages before signing in hinder nobody (dark: %s)', async dark => {
  const page = await openWindow('/user/login', { language: 'zh-CN', dark })
  await page.getByRole('button', { name: '登录' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await hindrances(page)).toEqual([])
  await follow(page, '/user/register')
  await page.getByRole('link', { name: '返回登录' }).waitFor()
  expect(await hindrances(page)).toEqual([])
})

test(
  'no screen hinders anybody who sees little or uses no mouse, light or dark',
  async () => {
    const found: string[] = []
    const look = async (dark: boolean) => {
      const page = await openAs('admin', '/dashboard', { language: 'zh-CN', dark, multiTab: false })
      for (const path of paths) {
        await show(page, path)
        await expectNoRawKey(page)
        found.push(...(await hindrances(page)).map(line => `${path} ${dark ? 'dark' : 'light'}: ${line}`))
      }
    }
    await Promise.all([look(false), look(true)])
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test.each(LANGUAGES.filter(language => language !== 'zh-CN'))(
  'every text of every screen is there in %s',
  async language => {
    const page = await openAs('admin', '/dashboard', { language })
    for (const path of paths) {
      await show(page, path)
      await expectNoRawKey(page)
    }
  },
  PATIENCE_MS,
)
