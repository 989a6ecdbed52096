import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Catalogue, readCatalogue } from '../src/kit/server/catalogue.ts'
import { isDemo, readSources, type SourceFile } from './source.ts'

const sources = readSources().filter(({ path }) => path.startsWith('src/') && !/\.test\.tsx?$/.test(path))
let catalogue: Catalogue
beforeAll(async () => {
  catalogue = await readCatalogue()
})

const lines = (place: string) =>
  sources
    .filter(({ path }) => path === place || path.startsWith(`${place}/`))
    .reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)

/** The files everybody must read (decision 009). */
function heartOf(slice: string): number {
  const counted = ['model.ts', 'server.ts', 'page.tsx'].map(file => lines(`${slice}/${file}`))
  expect(counted.every(count => count > 0)).toBe(true)
  return counted.reduce((sum, count) => sum + count)
}

describe('a slice stays small, because the kit does the rest', () => {
  test('what makes the dictionary a list has at most 180 lines; the input of its entries and what is built in stand beside it', () => {
    expect(heartOf('src/areas/system/dictionary')).toBeLessThanOrEqual(180)
  })

  test('what makes a refund a list with a workflow has at most 450 lines; payment, calculator and checklist stand beside it', () => {
    expect(heartOf('src/areas/orders/refund-application')).toBeLessThanOrEqual(450)
  })
})

/** Types of the kit that slices fill in, where they stand, and which files fill them in. */
const DECLARATIONS: readonly (readonly [type: string, file: string, callers: RegExp])[] = [
  ['Screen place', 'src/kit/model/area.ts', /^src\/areas\/[^/]+\/area\.ts$/],
  ['Resource', 'src/kit/model/resource.ts', /^src\/areas\/.*model\.ts$/],
  ['ListDeclaration', 'src/kit/model/resource.ts', /^src\/areas\/.*model\.ts$/],
  ['Reference', 'src/kit/model/resource.ts', /^src\/areas\/.*model\.ts$/],
  ['Step', 'src/kit/model/workflow.ts', /^src\/areas\/.*model\.ts$/],
  ['Workflow', 'src/kit/model/workflow.ts', /^src\/areas\/.*model\.ts$/],
  ['Rules', 'src/kit/server/change/rules.ts', /^src\/areas\/.*server\.ts$/],
]

/** Parts of the kit whose second screen is the next to come: trees are for menu permissions too. */
const AWAITED: readonly string[] = []

describe('the kit holds nothing that only one slice needs', () => {
  test.each(DECLARATIONS)('every property of %s is used twice', (type, file, callers) => {
    const used = sources.filter(({ path }) => callers.test(path))
    const lonely = propertiesOf(type.replace('Screen place', 'ScreenPlace'), file).filter(name => uses(used, name) < 2)
    expect(lonely).toEqual(AWAITED.filter(name => lonely.includes(name)))
  })

  test('what waits for its second screen is taken off the list when that screen stands', () => {
    const used = sources.filter(({ path }) => /^src\/areas\/.*server\.ts$/.test(path))
    expect(AWAITED.filter(name => uses(used, name) !== 1)).toEqual([])
  })

  /** Read from the text: types leave nothing behind that a test could ask. */
  function propertiesOf(type: string, file: string): string[] {
    const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '')
    const body = new RegExp(`type ${type}\\b[^={]*(?:= [^={]*)*= \\{\\n([\\s\\S]*?)\\n\\}`).exec(text)?.[1]
    if (body === undefined) throw new Error(`${file} has no type ${type}`)
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(match => match[1] as string)
  }

  function uses(files: readonly SourceFile[], name: string): number {
    return files.reduce(
      (sum, { text }) => sum + (text.match(new RegExp(`(?<![.\\w])${name}(?=\\s*[:(,}]|\\s*$)`, 'gm'))?.length ?? 0),
      0,
    )
  }
})

describe('every table has one owner', () => {
  /** Which folder writes which table: by query builder, by SQL, or by serving it as a resource. */
  function writers(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>()
    const note = (table: string, owner: string) => found.set(table, (found.get(table) ?? new Set()).add(owner))
    for (const { path, text } of sources.filter(({ path }) => !isDemo(path))) {
      const writes = [
        ...text.matchAll(/\b(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'/g),
        ...text.matchAll(
          /\b(?:insert into|update|delete from) (\w+)(?= (?:as \w+ )?(?:\(|set|values|where|using|select))/g,
        ),
      ]
      for (const [, table] of writes) note(table as string, ownerOf(path))
    }
    // A screen on a part of a table (`only`), and one that only reads, stand beside its owner.
    for (const { name, resource, workflow } of catalogue.slices)
      if (resource && !resource.list.only && (workflow || resource.actions.some(action => WRITES.includes(action))))
        note(resource.table, `areas/${name}`)
    return found
  }

  const WRITES = ['create', 'update', 'delete', 'move']

  /**
   * A person's row belongs to the staff of the organisation. The personal centre changes one's own, and sign-in and the
   * management of users what concerns signing in.
   */
  const OWN_PERSON =
    /^(staff|password_history): (areas\/account\/[\w-]+, )+(areas\/organisation\/staff, )?(areas\/system\/user, )?kit$/

  /** The company and the role of its first administrator have to stand before anybody can be hired, and so before their screens. */
  const COMPANY = /^(org: areas\/organisation\/department|role: areas\/system\/role), kit$/

  /** A job is the code's, and runs by itself; when it is due is people's to say. */
  const JOBS = /^schedule_job: areas\/system\/schedule-job, kit$/

  /** Sign-in writes what happened; the screen on it ends what goes on, and counts that as an edit. */
  const SIGN_INS = /^login_trace: areas\/system\/login-trace, kit$/

  /** A lead is the engine's, which all sources and the members share; its screen is where people take their steps with it. */
  const LEADS = /^lead: areas\/sales\/salvage, engines\/lead$/

  /** So are the terms leads are given on: the engine counts beside them, and people set them on its screen. */
  const CONSULTANTS = /^consultant: areas\/sales\/consultant, engines\/allocation$/

  /** And a statement: the engine reckons it, and people pass it on. */
  const STATEMENTS = /^settlement_statement: areas\/channel\/statement, engines\/settlement$/

  const ownerOf = (path: string) => /^src\/(areas\/[^/]+\/[^/]+|engines\/[^/]+|kit)\//.exec(path)?.[1] ?? path

  test('a screen says that it shows no records exactly where none of its can be opened', () => {
    const told = catalogue.areas.flatMap(({ screens }) => Object.values(screens)).filter(({ key }) => key !== null)
    const hasDetail = (name: string) =>
      catalogue.slices.some(({ resource }) => resource?.screen.name === name && resource.actions.includes('detail'))
    expect(told.filter(({ name, records }) => records !== hasDetail(name)).map(({ name }) => name)).toEqual([])
  })

  test('no two slices write the same table, and none writes one of the kit', () => {
    const shared = [...writers()]
      .filter(([, owners]) => owners.size > 1)
      .map(([table, owners]) => `${table}: ${[...owners].sort().join(', ')}`)
    const KNOWN = [OWN_PERSON, COMPANY, JOBS, SIGN_INS, LEADS, CONSULTANTS, STATEMENTS]
    expect(shared.filter(line => KNOWN.every(known => !known.test(line)))).toEqual([])
  })
})
