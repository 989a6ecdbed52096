import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Files, folderOf, localeText, type Wanted } from './wanted.ts'

/** Records that belong to one of a list (decision 044): listed below it, and drawn in its detail as a tab. */
export function childFiles(root: string, wanted: Wanted): Files {
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
    [serverFile]: withChild(readFileSync(join(root, serverFile), 'utf8'), child),
  }
}

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
