import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SPEC_ROUTES } from '../spec-routes.ts'
import { areaFiles, withScreen } from './area-file.ts'
import { childFiles, childMigration } from './child.ts'
import { existingTableFiles, readTable } from './existing-table.ts'
import { listFiles, listMigration } from './list.ts'
import { pageFiles } from './page.ts'
import { statisticFiles } from './statistic.ts'
import { treeFiles, treeMigration } from './tree.ts'
import { type Files, folderOf, KINDS, type Kind, type Wanted } from './wanted.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const USAGE = `Usage: npm run new -- <area>/<screen> [--route </route of the specification>] [--kind ${KINDS.join('|')}]
       [--table <table>]        a list or tree on this table: on one that exists, or on one that is made
       [--of <area>/<screen>]   a statistic counts the records of this list
       <area>/<screen>/<child> --kind child   what belongs to a record of that list`

/**
 * By the minute, so that migrations written side by side do not take the same name; "T" comes after the letters once used. After
 * all there are, whatever the clock says: what belongs to a record may be written in the same minute as its table.
 */
export function migrationName(now: Date, table: string, existing: readonly string[] = []): string {
  const newest = existing.map(name => STAMPED.exec(name)?.slice(1)).filter(stamp => stamp !== undefined)
  const last = Math.max(...newest.map(([day, hour, minute]) => Date.parse(`${isoDay(day)}T${hour}:${minute}Z`)))
  const at = new Date(Math.max(now.getTime(), last + MINUTE_MS))
  return `${at.toISOString().slice(0, 16).replace(/[-:]/g, '')}-${table.replaceAll('_', '-')}.sql`
}
const STAMPED = /^(\d{8})T(\d\d)(\d\d)-/
const MINUTE_MS = 60_000
const isoDay = (day = ''): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

function readWanted(args: string[]): Wanted {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    options: { kind: text, route: text, table: text, of: text },
    allowPositionals: true,
  })
  const [area, screen, child] = split(positionals[0], 'a screen')
  const kind = KINDS.find(name => name === (values.kind ?? 'list'))
  if (!kind) throw new Error(`--kind is one of ${KINDS.join(', ')}`)
  if ((kind === 'statistic') !== (values.of !== undefined))
    throw new Error('--of <area>/<screen> names the list a statistic counts; no other kind has it')
  if ((kind === 'child') !== (child !== undefined))
    throw new Error('--kind child is for <area>/<screen>/<child>: what belongs to the records of that screen')
  const route = values.route ?? `/${area}/${screen}`
  const pinned = SPEC_ROUTES.find(entry => entry.route === route)
  const holder = child ? undefined : areaAt(route)
  if (holder) throw new Error(`${route} is a screen of ${holder} already.`)
  if (!pinned && !child) console.error(`${route} is not a route of the specification: \`npm test\` will say so too.`)
  const own = [screen, ...(child ? [child] : [])].join('_').replaceAll('-', '_')
  const table = values.of === undefined ? (values.table ?? own) : tableOf(values.of)
  const owner = ownerOf(table)
  return {
    ...{ area, screen, kind, route, table },
    key: pinned?.key ?? `${area}-${screen}`,
    ...(child === undefined ? {} : { child }),
    ...(values.of === undefined ? {} : { of: values.of }),
    ...(owner === undefined || owner === area ? {} : { reads: owner }),
  }
}

/** The area one of whose screens stands at this address. */
const areaAt = (route: string): string | undefined =>
  globSync('src/areas/*/area.ts', { cwd: ROOT })
    .find(path => readFileSync(join(ROOT, path), 'utf8').includes(`{ route: '${route}'`))
    ?.split('/')[2]

/** The area one of whose models declares this table. */
const ownerOf = (table: string): string | undefined =>
  globSync('src/areas/*/*/model.ts', { cwd: ROOT })
    .find(path => readFileSync(join(ROOT, path), 'utf8').includes(`table: '${table}'`))
    ?.split('/')[2]

function split(name: string | undefined, what: string): [area: string, screen: string, child?: string] {
  const [area, screen, child, ...more] = (name ?? '').split('/')
  const isNamed = (part: string) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)
  if (!area || !screen || more.length > 0 || ![area, screen, ...(child === undefined ? [] : [child])].every(isNamed))
    throw new Error(`${what} is named <area>/<screen>, in small letters, digits and hyphens`)
  return child === undefined ? [area, screen] : [area, screen, child]
}

/** What the list a statistic counts is stored in. */
function tableOf(of: string): string {
  const [area, screen] = split(of, 'a list')
  const path = `${folderOf({ area, screen })}/model.ts`
  const model = existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : ''
  const [, table] = /\btable: '(\w+)'/.exec(model) ?? []
  if (!table) throw new Error(`${path} has no list whose records could be counted`)
  return table
}

/** What is written for this screen, and what people have to look at themselves. */
function filesOf(wanted: Wanted): { files: Files; leftOut?: readonly string[] } {
  const migration = (sql: string) => ({
    [`migrations/${migrationName(new Date(), wanted.table, readdirSync(join(ROOT, 'migrations')))}`]: sql,
  })
  const kinds: Record<Kind, () => { files: Files; leftOut?: readonly string[] }> = {
    list() {
      const table = readTable(ROOT, wanted.table)
      if (table) {
        if (wanted.reads)
          throw new Error(
            `${wanted.table} is listed by ${wanted.reads} already: a second screen on a part of it takes its record and says \`only\`, as logistics/shipment-approval does`,
          )
        const { files, indexes, leftOut } = existingTableFiles(wanted, table)
        return { files: { ...files, ...(indexes === '' ? {} : migration(indexes)) }, leftOut }
      }
      return { files: { ...listFiles(wanted), ...migration(listMigration(wanted.table)) } }
    },
    tree: () => ({ files: { ...treeFiles(wanted), ...migration(treeMigration(wanted.table)) } }),
    statistic: () => ({ files: statisticFiles(wanted) }),
    page: () => ({ files: pageFiles(wanted) }),
    child() {
      const parent = tableOf(`${wanted.area}/${wanted.screen}`)
      return {
        files: { ...childFiles(ROOT, wanted, parent), ...migration(childMigration(wanted.table, parent)) },
      }
    },
  }
  return kinds[wanted.kind]()
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  writeFileSync(join(ROOT, path), text)
  console.log(`written: ${path}`)
}

function main(): void {
  const wanted = readWanted(process.argv.slice(2))
  const folder = [folderOf(wanted), ...(wanted.child ? [wanted.child] : [])].join('/')
  if (existsSync(join(ROOT, folder))) throw new Error(`${folder} is there already.`)
  const { files, leftOut = [] } = filesOf(wanted)
  const all = { ...files, ...(wanted.child ? {} : filesOfArea(wanted)) }
  for (const [path, text] of Object.entries(all)) write(path, text)
  format(Object.keys(all).filter(path => !path.endsWith('.sql')))
  if (leftOut.length > 0) console.log(`Left to you, because only people can tell what they are: ${leftOut.join(', ')}`)
  console.log('Next: fill in what is its own, then npm run generate and npm test.')
}

/** How long a line is depends on the names that were given. */
function format(paths: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [BIOME, 'check', '--write', '--colors=off', ...paths], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`What was written could not be formatted: ${stderr}`)
}
const BIOME = 'node_modules/@biomejs/biome/bin/biome'

/** The area's own file with the new screen, and what else an area has that nobody has begun. */
function filesOfArea(wanted: Wanted): Files {
  const path = `src/areas/${wanted.area}/area.ts`
  const files = existsSync(join(ROOT, path))
    ? { [path]: readFileSync(join(ROOT, path), 'utf8') }
    : areaFiles(wanted.area)
  return { ...files, [path]: withScreen(files[path] ?? '', wanted) }
}

if (import.meta.main) {
  try {
    main()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    process.exitCode = 1
  }
}
