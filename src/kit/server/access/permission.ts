import { sql } from 'kysely'
import { type Database, lockTree, type Tx } from '../database/database.ts'
import type { Declared } from '../declared.ts'
import type { Texts } from '../text/texts.ts'
import { type KnownPlace, placesOf } from './menu-order.ts'

type Wanted = { code: string; name: string; actions: readonly string[]; children: readonly Wanted[] }

/**
 * Keeps the permission rows in step with the code's screens: new ones are added, renamed ones renamed, vanished ones
 * flagged and then open nothing. No row is deleted, because roles may name it, and what people made of a row (its own
 * names, its order among its own, its icon) stays theirs.
 */
export async function syncPermissions(db: Database, catalogue: Declared, texts: Texts): Promise<void> {
  await db.write(async tx => {
    // One instance at a time, and nobody who moves a menu meanwhile: two that start together would add the same rows. On a
    // slow machine the others wait longer than anybody who asks for a record would.
    await sql`set local lock_timeout = ${sql.lit(WAIT)}`.execute(tx)
    await sql`set local statement_timeout = ${sql.lit(WAIT)}`.execute(tx)
    await lockTree(tx, 'permission')
    const menus = inOrder(wantedMenus(catalogue, texts))
    if (await areKept(tx, menus)) return
    await tx.updateTable('permission').set({ vanished: true }).execute()
    await keepMenus(tx, menus)
  })
}
const WAIT = '2min'

type Placed = {
  code: string
  name: string
  parent: string | null
  sort: number
  actions: { code: string; sort: number }[]
}

/** All menus as they stand below one another, each followed by its actions. */
function inOrder(menus: readonly Wanted[]): Placed[] {
  let sort = 0
  const place = (menu: Wanted, parent: string | null): Placed[] => {
    const own = { code: menu.code, name: menu.name, parent, sort: ++sort }
    const actions = menu.actions.map(code => ({ code, sort: ++sort }))
    return [{ ...own, actions }, ...menu.children.flatMap(child => place(child, menu.code))]
  }
  return menus.flatMap(menu => place(menu, null))
}

/** Most starts find the rows as they should be, and write nothing. */
async function areKept(tx: Tx, menus: readonly Placed[]): Promise<boolean> {
  const wanted = menus.flatMap(({ code, name, parent, sort, actions }) => [
    JSON.stringify([parent, 'MENU', code, name, sort]),
    ...actions.map(action => JSON.stringify([code, 'PERMISSION', action.code, action.code, action.sort])),
  ])
  const rows = await tx
    .selectFrom('permission')
    .leftJoin('permission as parent', 'parent.id', 'permission.parent_id')
    .select(['parent.resource_code as parent', 'permission.display_type', 'permission.resource_code'])
    .select(['permission.display_name', 'permission.code_sort'])
    .where('permission.vanished', '=', false)
    .orderBy('permission.code_sort')
    .execute()
  const kept = rows.map(row =>
    JSON.stringify([row.parent, row.display_type, row.resource_code, row.display_name, row.code_sort]),
  )
  return kept.length === wanted.length && kept.every((row, at) => row === wanted[at])
}

function wantedMenus(catalogue: Declared, texts: Texts): Wanted[] {
  const name = (namespace: string) => texts.text('zh-CN', namespace, 'title')
  return catalogue.areas.flatMap((area): Wanted[] => {
    const screens = Object.values(area.screens).filter(screen => screen.key !== null)
    const children = screens.map(screen => ({
      code: screen.key as string,
      name: name(screen.name),
      actions: catalogue.pages.get(screen.key as string) ?? [],
      children: [],
    }))
    return area.key === null ? children : [{ code: area.key, name: name(area.name), actions: [], children }]
  })
}

/** Level by level, so that what stands below finds what it stands below; then all actions at once. */
async function keepMenus(tx: Tx, menus: readonly Placed[]): Promise<void> {
  const places = placesOf(menus, await knownPlaces(tx))
  const ids = new Map<string | null, string | null>([[null, null]])
  for (let level = menus.filter(({ parent }) => parent === null); level.length > 0; ) {
    const rows = level.map(({ code, name, parent, sort }) => ({
      parent_id: ids.get(parent) ?? null,
      display_type: 'MENU' as const,
      resource_code: code,
      display_name: name,
      sort: places.get(code) ?? sort,
      code_sort: sort,
    }))
    const kept = await tx
      .insertInto('permission')
      .values(rows)
      .onConflict(conflict =>
        conflict
          .column('resource_code')
          .where('display_type', '=', 'MENU')
          .doUpdateSet(({ ref }) => ({
            parent_id: ref('excluded.parent_id'),
            display_name: ref('excluded.display_name'),
            sort: ref('excluded.sort'),
            code_sort: ref('excluded.code_sort'),
            vanished: false,
          })),
      )
      .returning(['id', 'resource_code'])
      .execute()
    for (const { id, resource_code } of kept) ids.set(resource_code, id)
    const above = new Set(level.map(({ code }) => code))
    level = menus.filter(({ parent }) => parent !== null && above.has(parent))
  }
  const actions = menus.flatMap(menu =>
    menu.actions.map(({ code, sort }) => ({
      parent_id: ids.get(menu.code) ?? null,
      display_type: 'PERMISSION' as const,
      resource_code: code,
      display_name: code,
      sort,
      code_sort: sort,
    })),
  )
  if (actions.length === 0) return
  await tx
    .insertInto('permission')
    .values(actions)
    .onConflict(conflict =>
      conflict
        .columns(['parent_id', 'resource_code'])
        .where('display_type', '=', 'PERMISSION')
        .doUpdateSet(({ ref }) => ({
          vanished: false,
          sort: ref('excluded.sort'),
          code_sort: ref('excluded.code_sort'),
        })),
    )
    .execute()
}

/** The menus as they stand, those that vanished too: one that comes back finds its place again. */
const knownPlaces = (tx: Tx): Promise<KnownPlace[]> =>
  tx
    .selectFrom('permission')
    .leftJoin('permission as parent', 'parent.id', 'permission.parent_id')
    .select(['permission.resource_code as code', 'parent.resource_code as parent'])
    .select(['permission.sort', 'permission.code_sort as codeSort'])
    .where('permission.display_type', '=', 'MENU')
    .orderBy('permission.sort')
    .orderBy('permission.id')
    .execute()
