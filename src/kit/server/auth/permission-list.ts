import { sql } from 'kysely'
import * as z from 'zod'
import { type Actor, can, mayOpen } from '#kit/model/actor.ts'
import { LANGUAGES, type Language } from '#kit/model/language.ts'
import type { OwnEntry } from '#kit/model/menu.ts'
import type { App } from '../app.ts'
import { spellingOf } from '../text/pinyin.ts'
import { actionName, menuName, type OwnNames, ownNames } from './permission-name.ts'

/** Spec §3. `own` stands beside the contract's fields, where people here changed something about an entry of the menu. */
export const permission = z.strictObject({
  id: z.string(),
  parentId: z.string().nullable(),
  resourceCode: z.string(),
  displayName: z.string(),
  displayType: z.enum(['MENU', 'PERMISSION']),
  own: z
    .strictObject({
      names: z.partialRecord(z.enum(LANGUAGES), z.string()),
      words: z.array(z.string()).readonly(),
      icon: z.string().nullable(),
      hidden: z.boolean(),
      keepAlive: z.boolean(),
    })
    .optional(),
})

type Row = Omit<z.infer<typeof permission>, 'own'> &
  OwnNames & { icon: string | null; hidden: boolean; keepAlive: boolean }

/** What the roles hold and the menus above it, in the order of the menu: whoever holds a page holds the way to it. */
export async function permissionsOf(app: App, actor: Actor, language: Language): Promise<z.infer<typeof permission>[]> {
  const { rows } = await sql<Row>`
    with recursive held as (
      select p.* from permission p where not p.vanished and ${heldBy(actor)}
      union
      select above.* from permission above join held on held.parent_id = above.id where not above.vanished
    )
    select id, parent_id as "parentId", resource_code as "resourceCode", display_name as "displayName",
      display_type as "displayType", name_zh_cn as "nameZhCn", name_zh_tw as "nameZhTw", name_en_us as "nameEnUs",
      name_pt_br as "namePtBr", icon, hidden, keep_alive as "keepAlive"
    from held order by sort, id`.execute(app.db.query)
  const codes = new Map(rows.map(({ id, resourceCode }) => [id, resourceCode]))
  const pageOf = ({ displayType, resourceCode, parentId }: Row) =>
    displayType === 'MENU' ? resourceCode : (codes.get(parentId ?? '') ?? '')
  // As a role nobody sees more than as himself; a group is seen with its pages.
  const isSeen = (row: Row) => {
    if (!actor.preview) return true
    if (row.displayType === 'PERMISSION') return can(actor, pageOf(row), row.resourceCode)
    return (
      mayOpen(actor, row.resourceCode) ||
      rows.some(({ parentId, resourceCode }) => parentId === row.id && mayOpen(actor, resourceCode))
    )
  }
  return Promise.all(
    rows.filter(isSeen).map(async row => {
      const { id, parentId, resourceCode, displayType } = row
      const entry = { id, parentId, resourceCode, displayType }
      if (displayType === 'PERMISSION')
        return { ...entry, displayName: actionName(app, language, codes.get(parentId ?? ''), resourceCode) }
      const own = await ownEntry(app, row)
      return { ...entry, displayName: menuName(app, language, row), ...(own ? { own } : {}) }
    }),
  )
}

const heldBy = ({ id, superAdmin, preview }: Actor) =>
  preview
    ? sql`exists (select from role_permission rp where rp.permission_id = p.id and rp.role_id = ${preview.roleId})`
    : sql`(${superAdmin} or exists (select from role_permission rp join staff_role sr on sr.role_id = rp.role_id
        where rp.permission_id = p.id and sr.staff_id = ${id}))`

async function ownEntry(app: App, row: Row): Promise<OwnEntry | undefined> {
  const { icon, hidden, keepAlive } = row
  const names = ownNames(app, row)
  if (Object.keys(names).length === 0 && icon === null && !hidden && keepAlive) return undefined
  return { names, words: await spelled(row.nameZhCn ?? row.nameZhTw), icon, hidden, keepAlive }
}

async function spelled(name: string | null): Promise<string[]> {
  if (name === null) return []
  const { name_pinyin, name_initials } = await spellingOf(name)
  return [name_pinyin, name_initials]
}
