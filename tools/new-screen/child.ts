import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Files, folderOf, localeText, type Wanted, wordsOf } from './wanted.ts'

/** Records that belong to one of a list (decision 044): listed below it, and drawn in its detail as a tab. */
export function childFiles(root: string, wanted: Wanted, parent: string): Files {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const { screen, child = '', table } = wanted
  const folder = folderOf(wanted)
  const [serverFile, tabFile] = [`${folder}/server.ts`, `${folder}/tab-of-${screen}.page.tsx`]
  if (!existsSync(join(root, serverFile))) throw new Error(`There is no ${serverFile}: make the list first`)
  if (existsSync(join(root, tabFile))) throw new Error(`${tabFile} shows what belongs to it already: add yours by hand`)
  return {
    [`${folder}/${child}/model.ts`]: `import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { id, instant, longText } from '#kit/model/field.ts'
import { resource } from '../model.ts'

export const child = defineChild({
  of: resource,
  name: '${child}',
  by: 'parentId',
  table: '${table}',
  record: z.strictObject({
    id: id(),
    parentId: id(),
    note: longText(500),
    createdAt: instant(),
  }),
  title: 'note',
  list: {
    columns: ['note', 'createdAt'],
    filters: [],
    sort: [],
    search: [],
  },
})
`,
    [`${folder}/${child}/locale.ts`]: localeText(child, {
      empty: ['还没有数据。', 'Nothing here yet.', 'Ainda não há nada aqui.'],
      'field.parentId': ['所属', 'Belongs to', 'Pertence a'],
      'field.note': ['备注', 'Note', 'Observação'],
      'field.createdAt': ['创建时间', 'Created', 'Criado em'],
    }),
    [tabFile]: `import { childTab } from '#kit/page/detail/child-list.tsx'
import { child } from './${child}/model.ts'

export const tab = childTab(child, { order: 5 })
`,
    [`${folder}/${child}/demo.server.ts`]: demoText(wanted, parent),
    [`${folder}/${child}/server.test.ts`]: isPlain(read(`${folder}/model.ts`))
      ? listedTest(wanted)
      : missingTest(wanted),
    [serverFile]: withChild(read(serverFile), child),
  }
}

/** One to begin with, below the first record there is. */
const demoText = (
  { child = '', table }: Wanted,
  parent: string,
): string => `import type { Story } from '#demo/story.server.ts'
import { run } from '#kit/server/database/database.ts'

export const demo: Story = {
  stored: tx =>
    run(
      tx,
      'insert into ${table} (parent_id, note) select min(id), $1 from ${parent} having count(*) > 0',
      ['${wordsOf(child)}'],
    ),
}
`

/** Made here, and changed by nobody since: then we know what a new record takes. */
const isPlain = (model: string): boolean => model.includes("  create: ['name', 'note'],\n")

const TEST_HEAD = `import { expect, test } from 'vitest'
import { openTestInstance, person } from '../../../../../tools/testing/instance.ts'
`

const listedTest = ({ area, screen, child = '', table }: Wanted): string => `${TEST_HEAD}
test('is listed below the record it belongs to, and below no other', async () => {
  const instance = await openTestInstance()
  const admin = await person(instance, { superAdmin: true })
  const add = async (name: string) =>
    (await admin.post<{ id: string }>('/${area}/${screen}', { name, note: '' })).data.id
  const [own, other] = [await add('own'), await add('other')]
  await instance.app.db.query.insertInto('${table}').values({ parent_id: own, note: 'its own' }).execute()
  const below = async (id: string) =>
    (await admin.get<{ records: { note: string }[] }>(\`/${area}/${screen}/\${id}/${child}\`)).data.records
  expect((await below(own)).map(({ note }) => note)).toEqual(['its own'])
  expect(await below(other)).toEqual([])
})
`

const missingTest = ({ area, screen, child = '' }: Wanted): string => `${TEST_HEAD}
test('below a record that is not there nothing is listed', async () => {
  const admin = await person(await openTestInstance(), { superAdmin: true })
  expect(await admin.get('/${area}/${screen}/999999999/${child}')).toMatchObject({ code: 4004 })
})
`

const PLAIN = 'export const routes = serve(resource)\n'

/** Only what nobody has changed yet is changed by us; elsewhere people know where it belongs. */
function withChild(server: string, child: string): string {
  if (!server.includes(PLAIN))
    throw new Error(
      `server.ts has rules of its own: add \`...serveChild(child)(app)\` to its routes, with \`child\` of ./${child}/model.ts`,
    )
  const imports = `import type { Routes } from '#kit/server/http/route.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { child } from './${child}/model.ts'
`
  return (
    imports +
    server.replace(PLAIN, 'export const routes: Routes = app => [...serve(resource)(app), ...serveChild(child)(app)]\n')
  )
}

export const childMigration = (table: string, parent: string): string => `create table ${table} (
  id         bigint generated always as identity primary key,
  parent_id  bigint not null references ${parent} on delete cascade,
  note       text not null default '' check (length(note) <= 500),
  created_at timestamptz not null default now()
);
create index ${table}_parent on ${table} (parent_id, id);
`
