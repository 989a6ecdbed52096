import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrationName } from './new-screen/new-screen.ts'
import { SPEC_ROUTES } from './spec-routes.ts'
import { childrenCpuMs } from './testing/report.mjs'

/**
 * What a further plain screen costs: ten copies of the dictionary slice, an area of their own, in a copy of the tree. Processor
 * time of what walks over all screens, and bytes of what every page loads, with them and without. `npm run ten-copies`, or some
 * parts of it: `npm run ten-copies -- contract bytes`.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COPIES = 10
const INSTANCES = 20
/** Of the specification, and nobody has built it yet: routes and keys are as pinned. */
const AREA = 'sales'
const ROUTES = SPEC_ROUTES.filter(({ area }) => area === AREA).slice(0, COPIES)
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
  plans: { unit: 's CPU', times: 1, of: root => testsCpu(root, 'faults', 'faults/plans.test.ts') },
  screens: { unit: 's CPU', times: 1, of: root => testsCpu(root, 'journeys', 'e2e/screens.test.ts') },
  bytes: { unit: 'B gz', times: 1, of: loadedBytes },
}

function instancesOpened(): number {
  const files = globSync(['{src,tools,faults}/**/*.test.ts'], { cwd: ROOT })
  return files.reduce(
    (sum, path) => sum + readFileSync(join(ROOT, path), 'utf8').split('openTestInstance(').length - 1,
    0,
  )
}

function testsCpu(root: string, project: string, filter: string): number {
  const before = childrenCpuMs() ?? Number.NaN
  node(root, 'node_modules/vitest/vitest.mjs', 'run', '--project', project, filter)
  return ((childrenCpuMs() ?? Number.NaN) - before) / 1_000
}

function loadedBytes(root: string): number {
  node(root, 'tools/build.ts')
  const asked = `import { firstLoads } from './tools/build.ts'; console.log((await firstLoads())['dictionary list'])`
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
  const folder = `src/areas/${AREA}`
  const screens = ROUTES.map(({ route, key }, nth) => `    copy${nth}: { route: '${route}', key: '${key}' },`)
  put(
    `${folder}/area.ts`,
    `import { defineArea } from '#kit/model/area.ts'\n\nexport const area = defineArea({\n  name: '${AREA}',\n  key: '${ROUTES[0]?.group}',\n  icon: 'setting',\n  order: 59,\n  screens: {\n${screens.join('\n')}\n  },\n})\n`,
  )
  put(`${folder}/locale.ts`, readFileSync(join(root, 'src/areas/system/locale.ts'), 'utf8'))
  for (const [nth] of ROUTES.entries()) {
    const read = (file: string) => readFileSync(join(root, SLICE, file), 'utf8')
    for (const file of ['model.ts', 'server.ts', 'page.tsx', 'items.page.tsx'])
      put(`${folder}/copy${nth}/${file}`, copied(read(file), nth))
    // Texts that are the same would be packed as one.
    put(`${folder}/copy${nth}/locale.ts`, read('locale.ts').replaceAll(/^ {4}(title|record): '/gm, `$&${nth} `))
  }
  put(`migrations/${migrationName(new Date(), 'copies')}`, ROUTES.map((_, nth) => tables(nth)).join('\n'))
}

/** Its own screen and tables; what the kit asks of dictionaries only they answer. */
const copied = (text: string, nth: number): string =>
  text
    .replaceAll(/^.*\bkeptAnswers\b.*\n/gm, '')
    .replaceAll('screens.dictionary', `screens.copy${nth}`)
    .replaceAll('dictionary_', `copy${nth}_`)
    .replaceAll('system/dictionary', `${AREA}/copy${nth}`)

const tables = (nth: number): string => `
create table copy${nth}_type (like dictionary_type including all);
alter index copy${nth}_type_code_idx rename to copy${nth}_type_code;
create table copy${nth}_item (like dictionary_item including all);
alter table copy${nth}_item add foreign key (type_id) references copy${nth}_type (id) on delete cascade;
`

const asked = process.argv.slice(2)
const parts = Object.entries(PARTS).filter(([name]) => asked.length === 0 || asked.includes(name))
const [plain, more] = [copyTree(), copyTree()]
try {
  addCopies(more)
  console.log('| part | without | with ten more | each, in a whole run |\n| --- | ---: | ---: | ---: |')
  for (const [name, { unit, times, of }] of parts) {
    const [before, after] = [of(plain), of(more)]
    const each = ((after - before) / COPIES) * times
    console.log(`| ${name} | ${before.toFixed(1)} ${unit} | ${after.toFixed(1)} ${unit} | ${each.toFixed(2)} ${unit} |`)
  }
} finally {
  for (const root of [plain, more]) rmSync(root, { recursive: true, force: true })
}
