import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findBreaches } from '../boundaries.ts'
import { readSources } from '../source.ts'
import { withScreen } from './area-file.ts'
import { existingTableFiles, readTable, type Table } from './existing-table.ts'
import { migrationName } from './new-screen.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'inkstone-new-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Each kind once, in an area that stands or in one nobody has begun, on tables of their own or on one that exists. */
const SCREENS = [
  ['finance/receipts', '--route', '/receipt/list'],
  ['welfare/school', '--route', '/jx/school', '--kind', 'tree'],
  ['finance/receipts/remarks', '--kind', 'child'],
  ['welfare/paid-orders', '--route', '/jx/statistics', '--kind', 'statistic', '--of', 'orders/order'],
  ['debug/clock', '--route', '/debug/model/sf', '--kind', 'page'],
  ['monitor/views', '--route', '/monitor/activity', '--table', 'saved_view'],
]

test('a new screen of each kind passes types, lint and boundaries as it is written', { timeout: 300_000 }, () => {
  for (const name of [
    'src',
    'tools',
    'migrations',
    'docs',
    'e2e',
    'bench',
    'biome.json',
    ...readdirSync(ROOT).filter(isConfig),
  ])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
    return { status, said: `${stdout}${stderr}` }
  }
  for (const wanted of SCREENS) expect(run(TOOL, ...wanted)).toMatchObject({ status: 0 })
  const read = (path: string) => readFileSync(join(copy, path), 'utf8')
  expect(read('src/areas/finance/area.ts')).toContain("receipts: { route: '/receipt/list', key: '")
  expect(read('src/areas/welfare/area.ts')).toContain("  order: 30,\n  dependsOn: ['orders'],\n")
  expect(run(TOOL, 'finance/receipts')).toMatchObject({ status: 1, said: expect.stringMatching(/is there already/) })
  expect(run(TOOL, 'orders/again', '--route', '/order/list')).toMatchObject({
    status: 1,
    said: expect.stringMatching(/a screen of orders already/),
  })
  expect(run(TOOL, 'nowhere/screen')).toMatchObject({ status: 1, said: expect.stringMatching(/no area of the spec/) })
  expect(run(TOOL, 'monitor/refunds', '--table', 'refund_application')).toMatchObject({
    status: 1,
    said: expect.stringMatching(/listed by orders already/),
  })
  expect(run(TOOL, 'orders/sums', '--kind', 'statistic')).toMatchObject({
    status: 1,
    said: expect.stringMatching(/--of/),
  })
  bringTypes()
  const folders = SCREENS.map(([name]) => `src/areas/${name}`)
  const types = run(join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'tsconfig.server.json', 'tsconfig.page.json')
  expect(types.said.split('\n').filter(line => folders.some(folder => line.includes(folder)))).toEqual([])
  const areas = ['finance', 'welfare', 'monitor', 'debug'].flatMap(area => [
    `src/areas/${area}/area.ts`,
    `src/areas/${area}/locale.ts`,
  ])
  expect(run(join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'ci', ...folders, ...areas)).toMatchObject({
    status: 0,
  })
  const breaches = findBreaches(readSources(copy))
  expect(breaches.filter(breach => folders.some(folder => breach.startsWith(folder)))).toEqual([])
})

/**
 * What the compiler knows already of all that is not new, and the packages it read, as files: behind a link they would be
 * other files to it, and all of it were to be read again.
 */
function bringTypes(): void {
  const known = join(ROOT, '.cache/types')
  if (!existsSync(known)) return
  cpSync(known, join(copy, '.cache/types'), { recursive: true })
  const read = readdirSync(known)
    .filter(name => name.endsWith('.tsbuildinfo'))
    .flatMap(name => {
      const { fileNames = [], packageJsons = [] } = JSON.parse(readFileSync(join(known, name), 'utf8'))
      return [...fileNames, ...packageJsons].map(path => relative(ROOT, join(known, path)))
    })
  rmSync(join(copy, 'node_modules'))
  for (const path of new Set(read))
    if (path.startsWith('node_modules') && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path))
}

const TOOL = 'tools/new-screen/new-screen.ts'
const isConfig = (name: string): boolean => name === 'package.json' || /^tsconfig.*\.json$/.test(name)

test('of a table that exists, what may be personal or means something else than it is stored as is left to people', () => {
  const wanted = { area: 'members', screen: 'pupils', kind: 'list', route: '/x', key: 'x', table: 'member' } as const
  const { leftOut } = existingTableFiles(wanted, readTable(ROOT, 'member') as Table)
  expect(leftOut).toEqual(expect.arrayContaining(['phone', 'guardian_name', 'owner_id']))
})

test('a screen takes its place in the order of the menu, and one the menu does not know comes last', () => {
  const text = (...lines: string[]) =>
    `export const area = defineArea({\n  name: 'x',\n  screens: {\n${lines.join('')}  },\n})\n`
  const [list, schools] = ["    a: { route: '/jx/q05', key: 'a' },\n", "    b: { route: '/jx/school', key: 'b' },\n"]
  const between = { screen: 'c', route: '/jx/customer', key: 'c', kind: 'list' } as const
  const placed = "    c: { route: '/jx/customer', key: 'c' },\n"
  expect(withScreen(text(list, schools), between)).toBe(text(list, placed, schools))
  expect(withScreen(text(schools), between)).toBe(text(placed, schools))
  expect(withScreen(text(list), between)).toBe(text(list, placed))
  const unknown = { screen: 'd', route: '/nowhere', key: 'd', kind: 'statistic' } as const
  expect(withScreen(text(list), unknown)).toBe(text(list, "    d: { route: '/nowhere', key: 'd', records: false },\n"))
})

test('a migration is named by the minute it was written, and comes after those named by letters', () => {
  const name = migrationName(new Date('2026-11-15T09:05:30Z'), 'order_review')
  expect(name).toBe('20261115T0905-order-review.sql')
  const lettered = readdirSync(join(ROOT, 'migrations')).filter(file => /^\d{8}[A-Z]-/.test(file))
  expect([...lettered, name].toSorted().at(-1)).toBe(name)
})

test('what belongs to a record is migrated after it, though both were written in one minute', () => {
  const now = new Date('2026-11-15T09:05:30Z')
  const parent = migrationName(now, 'receipts', ['20261114T2359-before.sql'])
  const child = migrationName(now, 'receipts_remarks', [parent])
  expect([parent, child]).toEqual(['20261115T0905-receipts.sql', '20261115T0906-receipts-remarks.sql'])
})
