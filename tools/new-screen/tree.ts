import { PLAIN_COLUMNS, PLAIN_FIELDS, plainIndexes, SERVER } from './list.ts'
import { type Files, folderOf, localeText, property, recordText, type Wanted, wordsOf } from './wanted.ts'

/** Records that stand below one another (decision 042), with a picker of them for other screens. */
export function treeFiles(wanted: Wanted): Files {
  const { area, screen, table } = wanted
  const folder = folderOf(wanted)
  const words = wordsOf(screen)
  return {
    [`${folder}/model.ts`]: `import * as z from 'zod'
import { branch, id, instant, longText, number, optional, text, version } from '#kit/model/field.ts'
import { defineReference, defineResource } from '#kit/model/resource.ts'
import { area } from '../area.ts'

export const resource = defineResource({
  screen: area.screens${property(screen)},
  table: '${table}',
  record: z.strictObject({
    id: id(),
    name: text(100),
    parentId: optional(branch('${screen}', '${table}')),
    note: longText(500),
    sort: number(0, 9_999),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  list: {
    columns: ['name', 'parentId', 'note', 'createdAt'],
    filters: ['parentId', 'createdAt'],
    sort: ['name'],
    search: ['name'],
  },
  create: ['parentId', 'name', 'note'],
  edit: ['name', 'note'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export', 'move'],
  scope: 'shared',
  tree: { parent: 'parentId', sort: 'sort' },
})

export const reference = defineReference({
  name: '${screen}',
  table: '${table}',
  label: { name: 'name', note: null, tone: null },
  search: ['name'],
  scope: 'shared',
})
`,
    [`${folder}/server.ts`]: SERVER,
    [`${folder}/page.tsx`]: `import { TreePage } from '#kit/page/tree/tree-page.tsx'
import { resource } from './model.ts'

export function Page() {
  return <TreePage resource={resource} />
}
`,
    [`${folder}/locale.ts`]: localeText(screen, {
      record: [words, words, words],
      ...PLAIN_FIELDS,
      'field.parentId': ['上级', 'Above it', 'Acima'],
      'field.sort': ['排序', 'Order', 'Ordem'],
    }),
    [`${folder}/demo.server.ts`]: recordText(`{ name: '${words}', note: '', parentId: null, sort: 1 }`),
    [`${folder}/server.test.ts`]: testText(area, screen),
  }
}

const testText = (area: string, screen: string): string => `import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person } from '../../../../tools/testing/instance.ts'

describe('${wordsOf(screen)}', () => {
  let admin: Caller
  beforeAll(async () => {
    admin = await person(await openTestInstance(), { superAdmin: true })
  })
  const add = async (name: string, parentId: string | null) =>
    (await admin.post<{ id: string }>('/${area}/${screen}', { name, parentId, note: '' })).data.id

  test('what is added below another stands below it, and goes along when that is moved', async () => {
    const [above, other] = [await add('above', null), await add('other', null)]
    const below = await add('below', above)
    const move = { parentId: other, afterId: null, version: 1 }
    expect(await admin.post(\`/${area}/${screen}/\${above}/move\`, move)).toMatchObject({ code: 0 })
    const list = await admin.get<{ records: { id: string }[] }>(\`/${area}/${screen}?parentId=\${other}\`)
    expect(list.data.records.map(({ id }) => id)).toContain(below)
  })

  test('nothing is moved below itself', async () => {
    const above = await add('circle', null)
    const below = await add('in it', above)
    const move = { parentId: below, afterId: null, version: 1 }
    expect(await admin.post(\`/${area}/${screen}/\${above}/move\`, move)).not.toMatchObject({ code: 0 })
  })
})
`

export const treeMigration = (table: string): string => `create table ${table} (
  id         bigint generated always as identity primary key,
  parent_id  bigint references ${table},
  path       text not null unique,
  sort       int not null default 0,
${PLAIN_COLUMNS.replace('not null default 1\n', 'not null default 1,\n')}  constraint ${table}_depth check (length(path) - length(replace(path, '/', '')) <= 13)
);
create trigger keep_path before insert or update of parent_id on ${table} for each row execute function keep_path();
create trigger move_below after update of parent_id on ${table} for each row
  when (old.path is distinct from new.path) execute function move_below();
create index ${table}_path on ${table} (path text_pattern_ops);
create index ${table}_children on ${table} (parent_id, sort, id);
${plainIndexes(table)}`
