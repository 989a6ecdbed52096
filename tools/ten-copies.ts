import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { FirstLoad } from './build.ts'
import { areaFiles, withScreen } from './new-screen/area-file.ts'
import { migrationName } from './new-screen/new-screen.ts'
import { SPEC_ROUTES } from './spec-routes.ts'
import { OF_THE_LONG_RUN } from './testing/reach.mjs'
import { childrenCpuMs } from './testing/report.mjs'

/**
 * What a further plain screen costs: ten copies of the dictionary slice, under routes nobody has built yet, in a copy of the
 * tree. Processor time of what walks over all screens, and bytes of what every page loads, with them and without.
 * `npm run ten-copies`, or some parts of it, or as many as are left: `npm run ten-copies -- bytes --copies 61`.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const INSTANCES = 20
const OPENED = /\bopen(?:Test|Demo)Instance\(/
const SLICE = 'src/areas/system/dictionary'

const PROBE = `import { test } from 'vitest'
import { openTestInstance } from './testing/instance.ts'
test('opens instances', async () => {
  for (let nth = 0; nth < ${INSTANCES}; nth += 1) await (await openTestInstance()).close()
})
`

/** Each part: what is measured of a tree, and how often a run of all tests does it. */
const PARTS: Readonly<Record<string, { unit: string; times: number; of(root: string): number }>> = {
  contract: { unit: 's CPU', times: 1, of: root => testsCpu(root, 'server', 'tools/contract-') },
  instances: {
    unit: 's CPU',
    times: instancesOpened() / INSTANCES,
    of: root => testsCpu(root, 'server', 'tools/opening.test.ts'),
  },
  pages: { unit: 's CPU', times: 1, of: root => testsCpu(root, 'page', 'src/kit/page/detail/every-detail') },
  plans: { unit: 's CPU', times: 1, of: root => testsCpu(root, 'faults', 'faults/plans.test.ts') },
  screens: { unit: 's CPU', times: 1, of: root => testsCpu(root, 'journeys', 'e2e/screens.test.ts') },
  login: { unit: 'B gz', times: 1, of: root => loadedBytes(root, 'login') },
  bytes: { unit: 'B gz', times: 1, of: root => loadedBytes(root, 'dictionary list') },
}

/** In a plain run, by how often its tests say so. */
function instancesOpened(): number {
  const files = globSync(['{src,tools,faults}/**/*.test.ts'], { cwd: ROOT }).filter(
    path => !path.endsWith(OF_THE_LONG_RUN),
  )
  return files.reduce((sum, path) => sum + readFileSync(join(ROOT, path), 'utf8').split(OPENED).length - 1, 0)
}

function testsCpu(root: string, project: string, filter: string): number {
  const before = childrenCpuMs() ?? Number.NaN
  node(root, 'node_modules/vitest/vitest.mjs', 'run', '--project', project, filter)
  return ((childrenCpuMs() ?? Number.NaN) - before) / 1_000
}

function loadedBytes(root: string, load: FirstLoad): number {
  node(root, 'tools/build.ts')
  const asked = `import { firstLoads } from './tools/build.ts'; console.log((await firstLoads())['${load}'])`
  return Number(node(root, '--input-type=module', '-e', asked))
}

function node(root: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')}\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`)
  return stdout
}

/** Beside the tree and with packages of its own, as links to the same files: the names of packages in the build stay theirs. */
function copyTree(): string {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const root = mkdtempSync(join(ROOT, '.cache', 'copies-'))
  const known = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const path of known) cpSync(join(ROOT, path), join(root, path))
  execFileSync('cp', ['-al', join(ROOT, 'node_modules'), join(root, 'node_modules')])
  writeFileSync(join(root, 'tools/opening.test.ts'), PROBE)
  return root
}

function addCopies(root: string): void {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  for (const [nth, { area, route, key }] of routes.entries()) {
    const screen = `copy${nth}`
    const [areaFile, folder] = [`src/areas/${area}/area.ts`, `src/areas/${area}/${screen}`]
    if (!existsSync(join(root, areaFile))) for (const [path, text] of Object.entries(areaFiles(area))) put(path, text)
    put(areaFile, withScreen(read(areaFile), { screen, route, key: String(key), kind: 'list' }))
    for (const file of ['model.ts', 'losing.server.ts', 'server.ts', 'page.tsx', 'items.page.tsx'])
      put(`${folder}/${file}`, copied(read(`${SLICE}/${file}`), `${area}/${screen}`, screen))
    // Texts that are the same would be packed as one.
    const texts = read(`${SLICE}/locale.ts`).replaceAll(/^ {4}(title|record): '/gm, `$&${nth} `)
    put(`${folder}/locale.ts`, texts)
  }
  put(`migrations/${migrationName(new Date(), 'copies')}`, routes.map((_, nth) => tables(nth)).join('\n'))
}

/** Its own screen and tables; what the kit asks of dictionaries only they answer. */
const copied = (text: string, slice: string, screen: string): string =>
  text
    .replaceAll(/^.*\bkeptAnswers\b.*\n/gm, '')
    .replaceAll('screens.dictionary', `screens.${screen}`)
    .replaceAll('dictionary_', `${screen}_`)
    .replaceAll('system/dictionary', slice)

const tables = (nth: number): string => `
create table copy${nth}_type (like dictionary_type including all);
alter index copy${nth}_type_code_idx rename to copy${nth}_type_code;
create table copy${nth}_item (like dictionary_item including all);
alter table copy${nth}_item add foreign key (type_id) references copy${nth}_type (id) on delete cascade;
`

/** Of the specification, and nobody has built them yet: routes and keys are as pinned. */
function unbuiltRoutes(count: number): typeof SPEC_ROUTES {
  const areas = globSync('src/areas/*/area.ts', { cwd: ROOT }).map(path => readFileSync(join(ROOT, path), 'utf8'))
  const left = SPEC_ROUTES.filter(
    ({ route, key, hidden }) => key && !hidden && !areas.some(text => text.includes(`route: '${route}'`)),
  )
  if (left.length < count) throw new Error(`Of the specification ${left.length} routes are left to copy something to`)
  return left.slice(0, count)
}

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { copies: { type: 'string', default: '10' } },
})
const routes = unbuiltRoutes(Number(values.copies))
const parts = Object.entries(PARTS).filter(([name]) => asked.length === 0 || asked.includes(name))
const [plain, more] = [copyTree(), copyTree()]
try {
  addCopies(more)
  console.log(`| part | without | with ${routes.length} more | each, in a whole run |\n| --- | ---: | ---: | ---: |`)
  for (const [name, { unit, times, of }] of parts) {
    const [before, after] = [of(plain), of(more)]
    const each = ((after - before) / routes.length) * times
    console.log(`| ${name} | ${before.toFixed(1)} ${unit} | ${after.toFixed(1)} ${unit} | ${each.toFixed(2)} ${unit} |`)
  }
} finally {
  for (const root of [plain, more]) rmSync(root, { recursive: true, force: true })
}
