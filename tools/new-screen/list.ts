import { type Files, folderOf, localeText, property, recordText, type Wanted, wordsOf } from './wanted.ts'

/** A slice that lists, adds, changes and deletes one plain record: the beginning of a screen, in the shape all of them have. */
export function listFiles(wanted: Wanted): Files {
  const { area, screen, table } = wanted
  const folder = folderOf(wanted)
  const words = wordsOf(screen)
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
    [`${folder}/server.ts`]: SERVER,
    [`${folder}/page.tsx`]: PAGE,
    [`${folder}/locale.ts`]: localeText(screen, {
      record: [words, words, words],
      ...PLAIN_FIELDS,
    }),
    [`${folder}/demo.server.ts`]: recordText(`{ name: '${words}', note: '' }`),
    [`${folder}/server.test.ts`]: testText(area, screen),
  }
}

export const SERVER = `import { serve } from '#kit/server/serve/serve.ts'
import { resource } from './model.ts'

export const routes = serve(resource)
`

export const PAGE = `import { ListPage } from '#kit/page/list/list-page.tsx'
import { resource } from './model.ts'

export function Page() {
  return <ListPage resource={resource} />
}
`

export const PLAIN_FIELDS = {
  'field.name': ['名称', 'Name', 'Nome'],
  'field.note': ['备注', 'Note', 'Observação'],
  'field.createdAt': ['创建时间', 'Created', 'Criado em'],
  empty: ['还没有数据。', 'Nothing here yet.', 'Ainda não há nada aqui.'],
} as const

const testText = (area: string, screen: string): string => `import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person } from '../../../../tools/testing/instance.ts'

describe('${wordsOf(screen)}', () => {
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

/** The columns of a plain record, and an index for each of its filters. */
export const listMigration = (table: string): string => `create table ${table} (
  id         bigint generated always as identity primary key,
${PLAIN_COLUMNS});
${plainIndexes(table)}`

export const PLAIN_COLUMNS = `  name       text not null check (length(name) between 1 and 100),
  note       text not null default '' check (length(note) <= 500),
  created_at timestamptz not null default now(),
  version    int not null default 1
`

export const plainIndexes = (
  table: string,
): string => `create index ${table}_name on ${table} (name text_pattern_ops, id);
create index ${table}_name_pairs on ${table} using gin (name_pairs(name));
create index ${table}_created on ${table} (created_at, id);
`
