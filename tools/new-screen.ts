import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SPEC_ROUTES } from './spec-routes.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const USAGE = 'npm run new -- <area>/<screen> --route </legacy/route of the specification>'

export type NewScreen = {
  readonly area: string
  readonly screen: string
  readonly route: string
  readonly key: string
  readonly table: string
}

/** A slice that lists, adds, changes and deletes one plain record: the beginning of a screen, in the shape all of them have. */
export function sliceFiles({ area, screen, table }: NewScreen): Record<string, string> {
  const folder = `src/areas/${area}/${screen}`
  const words = screen.replaceAll('-', ' ')
  return {
    [`${folder}/model.ts`]: `import * as z from 'zod'
import { id, instant, longText, text, version } from '#kit/model/field.ts'
import { defineResource } from '#kit/model/resource.ts'
import { area } from '../area.ts'

export const resource = defineResource({
  screen: area.screens${property(screen)},
  table: '${table}',
  record: z.strictObject({
    id: id(),
    name: text(100),
    note: longText(500),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  list: {
    columns: ['name', 'note', 'createdAt'],
    filters: ['name', 'createdAt'],
    sort: ['name', 'createdAt'],
    search: ['name'],
  },
  create: ['name', 'note'],
  edit: ['name', 'note'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  scope: 'shared',
})
`,
    [`${folder}/server.ts`]: `import { serve } from '#kit/server/serve/serve.ts'
import { resource } from './model.ts'

export const routes = serve(resource)
`,
    [`${folder}/page.tsx`]: `import { ListPage } from '#kit/page/list/list-page.tsx'
import { resource } from './model.ts'

export function Page() {
  return <ListPage resource={resource} />
}
`,
    [`${folder}/locale.ts`]: localeText(words),
    [`${folder}/demo.server.ts`]: `import { addRecords } from '#demo/records.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { resource } from './model.ts'

export const demo: Story = {
  holds: { AUDITOR: READ },
  plan: world => addRecords(world, resource, [{ name: '${words}', note: '' }]),
}
`,
    [`${folder}/server.test.ts`]: testText(area, screen, words),
  }
}

const property = (name: string): string => (/^[a-z0-9]+$/.test(name) ? `.${name}` : `['${name}']`)

function localeText(words: string): string {
  const language = (name: string, [title, record, field, note, created, empty]: readonly string[]) => `  '${name}': {
    title: '${title}',
    record: '${record}',
    'field.name': '${field}',
    'field.note': '${note}',
    'field.createdAt': '${created}',
    empty: '${empty}',
  },`
  const capital = words.charAt(0).toUpperCase() + words.slice(1)
  return `import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
${language('zh-CN', [words, words, '名称', '备注', '创建时间', '还没有数据。'])}
${language('en-US', [capital, words, 'Name', 'Note', 'Created', 'Nothing here yet.'])}
${language('pt-BR', [capital, words, 'Nome', 'Observação', 'Criado em', 'Ainda não há nada aqui.'])}
})
`
}

const testText = (
  area: string,
  screen: string,
  words: string,
): string => `import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person } from '../../../../tools/testing/instance.ts'

describe('${words}', () => {
  let admin: Caller
  beforeAll(async () => {
    admin = await person(await openTestInstance(), { superAdmin: true })
  })

  test('what is added stands in the list', async () => {
    const { data } = await admin.post<{ id: string }>('/${area}/${screen}', { name: 'first', note: '' })
    const list = await admin.get<{ records: { id: string; name: string }[] }>('/${area}/${screen}')
    expect(list.data.records).toMatchObject([{ id: data.id, name: 'first' }])
  })

  test('a name is needed, and without one nothing is added', async () => {
    expect(await admin.post('/${area}/${screen}', { name: '', note: '' })).toMatchObject({ code: 4005 })
    expect((await admin.get<{ total: number }>('/${area}/${screen}')).data.total).toBe(1)
  })
})
`

export const migrationText = (table: string): string => `create table ${table} (
  id         bigint generated always as identity primary key,
  name       text not null check (length(name) between 1 and 100),
  note       text not null default '' check (length(note) <= 500),
  created_at timestamptz not null default now(),
  version    int not null default 1
);
create index ${table}_name on ${table} (name text_pattern_ops, id);
create index ${table}_name_pairs on ${table} using gin (name_pairs(name));
create index ${table}_created on ${table} (created_at, id);
`

/** The area's file with the screen as its last one. */
export function withScreen(areaText: string, { screen, route, key }: NewScreen): string {
  const name = /^[a-z0-9]+$/.test(screen) ? screen : `'${screen}'`
  const end = areaText.lastIndexOf('\n  },\n})')
  if (end === -1) throw new Error('area.ts does not end with its screens')
  return `${areaText.slice(0, end)}\n    ${name}: { route: '${route}', key: '${key}' },${areaText.slice(end)}`
}

/** By the minute, so that migrations written side by side do not take the same name; "T" comes after the letters once used. */
export const migrationName = (now: Date, table: string): string =>
  `${now.toISOString().slice(0, 16).replace(/[-:]/g, '')}-${table.replaceAll('_', '-')}.sql`

function readArguments(args: readonly string[]): NewScreen {
  const [, area, screen] = /^([a-z]+)\/([a-z0-9]+(?:-[a-z0-9]+)*)$/.exec(args[0] ?? '') ?? []
  if (!area || !screen || (args.length > 1 && args[1] !== '--route')) throw new Error(`Usage: ${USAGE}`)
  const route = args[2] ?? `/${area}/${screen}`
  const pinned = SPEC_ROUTES.find(entry => entry.route === route)
  if (!pinned) console.error(`${route} is not a route of the specification: \`npm test\` will say so too.`)
  return { area, screen, route, key: pinned?.key ?? `${area}-${screen}`, table: screen.replaceAll('-', '_') }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  writeFileSync(join(ROOT, path), text)
  console.log(`written: ${path}`)
}

function main(): void {
  const wanted = readArguments(process.argv.slice(2))
  const areaFile = `src/areas/${wanted.area}/area.ts`
  if (!existsSync(join(ROOT, areaFile)))
    throw new Error(`There is no ${areaFile}: write it first, with the group's key, icon and place in the menu.`)
  if (existsSync(join(ROOT, `src/areas/${wanted.area}/${wanted.screen}`)))
    throw new Error(`src/areas/${wanted.area}/${wanted.screen} is there already.`)
  for (const [path, text] of Object.entries(sliceFiles(wanted))) write(path, text)
  write(areaFile, withScreen(readFileSync(join(ROOT, areaFile), 'utf8'), wanted))
  write(`migrations/${migrationName(new Date(), wanted.table)}`, migrationText(wanted.table))
  console.log('Next: fill in the record and the migration, then npm run generate, then npm test.')
}

if (import.meta.main) {
  try {
    main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
