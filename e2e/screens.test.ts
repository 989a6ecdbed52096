import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Area } from '../src/kit/model/area.ts'
import { LANGUAGES } from '../src/kit/model/language.ts'
import { follow, hindrances, openAs, openWindow } from './console.ts'

const areas = await Promise.all(
  globSync('src/areas/*/area.ts').map(async path => ((await import(`../${path}`)) as { area: Area }).area),
)
const routes = areas.flatMap(({ screens }) => Object.values(screens).map(({ route }) => route))
const EXCEPTIONS = ['/exception/403', '/exception/404', '/exception/500']

/** A key instead of its text: "field.amountFen", "kit/page", "orders/order:title". */
const RAW_KEY =
  /\b(?:field|step|ask|help|action|tone|state|status|result|exception|todo|greeting|push|colour|key)\.[#\w-]+|\b(?:kit|orders|system|account|workbench|members|live|organisation)\/[a-z-]+/

async function show(page: Page, path: string): Promise<void> {
  await follow(page, path)
  await page.locator('main h1:visible, main table:visible, main .ink-exception:visible').first().waitFor()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => page.locator('.ant-skeleton:visible, .ant-spin-spinning:visible').count()).toBe(0)
}

for (const dark of [false, true]) {
  test.each(['/user/login', '/user/register'])(`%s hinders nobody, ${dark ? 'dark' : 'light'}`, async path => {
    const page = await openWindow(path, { language: 'zh-CN', dark })
    await page.locator('main h1').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await hindrances(page)).toEqual([])
  })

  test(`no screen hinders anybody who sees little or uses no mouse, ${dark ? 'dark' : 'light'}`, async () => {
    const page = await openAs('admin', '/dashboard', { language: 'zh-CN', dark })
    const found: string[] = []
    for (const path of [...routes, ...EXCEPTIONS]) {
      await show(page, path)
      found.push(...(await hindrances(page)).map(line => `${path}: ${line}`))
    }
    expect(found).toEqual([])
  })
}

test.each(LANGUAGES)('every text of every screen is there in %s', async language => {
  const page = await openAs('admin', '/dashboard', { language })
  for (const path of [...routes, ...EXCEPTIONS]) {
    await show(page, path)
    expect(await page.locator('body').innerText()).not.toMatch(RAW_KEY)
  }
})
