import { LANGUAGES, type Language } from '#kit/model/language.ts'
import type { App } from '#kit/server/app.ts'
import { actionName, codeName, menuName } from '#kit/server/auth/permission-name.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { type HeldRight, isAsked, type MenuPermission, resource } from './model.ts'

export const routes = serve(resource, {
  async store(op, input, before, write) {
    // A group has no page to keep, and a page no picture: whatever is sent, those stay as they are.
    const kind = before && kindOf(op.app, before)
    const kept = Object.entries(before ?? {}).filter(([field]) => field in input && !isAsked(field, kind))
    const id = await write({ ...input, ...Object.fromEntries(kept) })
    await tellEverybody(op)
    return id
  },
  named: (app, row, language) => ({ displayName: menuName(app, language, row) }),
  async detail(app, row, language) {
    const rights = await rightsOf(app, row, language)
    const isGone = rights.some(({ id, vanished }) => id === row.id && vanished)
    const kind = isGone ? 'VANISHED' : kindOf(app, row)
    const page = app.catalogue.screens.find(({ key }) => kind === 'PAGE' && key === row.resourceCode)
    const codeNames = Object.fromEntries(LANGUAGES.map(spoken => [spoken, codeName(app, spoken, row)]))
    return { kind, rights, route: page?.route ?? null, codeNames: codeNames as MenuPermission['codeNames'] }
  },
  tree: { beside: marks, moved: tellEverybody },
})

/** The menu is everybody's: every open console asks for it again. */
async function tellEverybody({ app, tx }: Operation): Promise<void> {
  await app.signals.send(tx, 'menu', {})
}

/** As the code has it. */
function kindOf({ catalogue }: App, { resourceCode }: Pick<MenuPermission, 'resourceCode'>): MenuPermission['kind'] {
  return catalogue.areas.some(({ key }) => key === resourceCode) ? 'GROUP' : 'PAGE'
}

/** What sets an entry apart from those around it. */
async function marks(app: App, language: Language): Promise<ReadonlyMap<string, string>> {
  const rows = await app.db.query
    .selectFrom('permission')
    .select(['id', 'vanished', 'hidden'])
    .where('display_type', '=', 'MENU')
    .execute()
  return new Map(
    rows.flatMap(({ id, hidden, vanished }) => {
      const mark = vanished ? 'VANISHED' : hidden ? 'HIDDEN' : undefined
      return mark === undefined ? [] : [[id, app.texts.text(language, resource.screen.name, `kind.${mark}`)]]
    }),
  )
}

/**
 * The entry itself and the actions below it, each with the roles that hold it: who holds anything below an entry opens it.
 * Of what the code no longer has, the roles that still name it are told, and nobody may do anything by it.
 */
async function rightsOf(app: App, { id, ...menu }: MenuPermission, language: Language): Promise<HeldRight[]> {
  const rows = await app.db.read.rows(
    `select own.id, own.resource_code as code, own.display_type as type, own.vanished,
       coalesce(jsonb_agg(distinct jsonb_build_object('id', r.id::text, 'name', r.name)) filter (where r.id is not null), '[]') as roles,
       count(distinct p.id)::int as people
     from permission own
     left join role r on (r.code = 'SUPER_ADMIN' and not own.vanished) or exists (
       select from role_permission rp join permission held on held.id = rp.permission_id
       where rp.role_id = r.id and held.vanished = own.vanished and starts_with(held.path, own.path))
     left join staff_role sr on sr.role_id = r.id and not own.vanished
     left join staff p on p.id = sr.staff_id and p.status = 'ENABLED'
     where own.id = $1 or (own.parent_id = $1 and own.display_type = 'PERMISSION')
     group by own.id order by own.display_type, own.sort`,
    [id],
  )
  return rows.map(({ type, ...row }) => {
    const code = String(row.code)
    const own = app.texts.text(language, resource.screen.name, 'open')
    const name = type === 'MENU' ? own : actionName(app, language, menu.resourceCode, code)
    return { ...(row as Omit<HeldRight, 'name'>), id: String(row.id), name }
  })
}
