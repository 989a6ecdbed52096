import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findBreaches } from './boundaries.ts'
import { migrationName, withScreen } from './new-screen.ts'
import { readSources } from './source.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'inkstone-new-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('a new screen passes types, lint and boundaries as it is written', { timeout: 120_000 }, () => {
  for (const name of [
    'src',
    'tools',
    'migrations',
    'package.json',
    'biome.json',
    'tsconfig.base.json',
    'tsconfig.model.json',
    'tsconfig.server.json',
    'tsconfig.page.json',
  ]) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  }
  for (const name of ['e2e', 'bench']) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
    return { status, said: `${stdout}${stderr}` }
  }
  expect(run('tools/new-screen.ts', 'orders/order-review', '--route', '/order/examine')).toMatchObject({ status: 0 })
  const slice = 'src/areas/orders/order-review'
  expect(readFileSync(join(copy, 'src/areas/orders/area.ts'), 'utf8')).toContain(
    "'order-review': { route: '/order/examine', key: 'order-examine' },",
  )
  expect(run('node_modules/typescript/bin/tsc', '-b', 'tsconfig.server.json', 'tsconfig.page.json').said).not.toContain(
    'order-review',
  )
  expect(run('node_modules/@biomejs/biome/bin/biome', 'ci', slice, 'src/areas/orders/area.ts')).toMatchObject({
    status: 0,
  })
  expect(findBreaches(readSources(copy)).filter(breach => breach.includes('order-review'))).toEqual([])
  expect(run('tools/new-screen.ts', 'orders/order-review')).toMatchObject({
    status: 1,
    said: expect.stringMatching(/is there already/),
  })
})

test('a screen becomes the last one of its area', () => {
  const text =
    "export const area = defineArea({\n  name: 'x',\n  screens: {\n    a: { route: '/a', key: 'a' },\n  },\n})\n"
  const screen = { area: 'x', screen: 'b', route: '/b', key: 'b', table: 'b' }
  expect(withScreen(text, screen)).toBe(text.replace("key: 'a' },", "key: 'a' },\n    b: { route: '/b', key: 'b' },"))
})

test('a migration is named by the minute it was written, and comes after those named by letters', () => {
  const name = migrationName(new Date('2026-11-15T09:05:30Z'), 'order_review')
  expect(name).toBe('20261115T0905-order-review.sql')
  const lettered = readdirSync(join(ROOT, 'migrations')).filter(file => /^\d{8}[A-Z]-/.test(file))
  expect([...lettered, name].toSorted().at(-1)).toBe(name)
})
