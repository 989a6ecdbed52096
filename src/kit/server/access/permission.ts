import { sql } from 'kysely'
import { PUSHES } from '#kit/model/contract.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Declared } from '../declared.ts'
import type { Texts } from '../text/texts.ts'

type Wanted = { code: string; name: string; actions: readonly string[]; children: readonly Wanted[] }

/**
 * Keeps the permission rows in step with the code's screens: new ones are added, renamed ones renamed, vanished ones
 * flagged and then open nothing. No row is deleted, because roles may name it.
 */
export async function syncPermissions(db: Database, catalogue: Declared, texts: Texts): Promise<void> {
  await db.write(async tx => {
    // One instance at a time: two that start together would add the same rows.
    await sql`select pg_advisory_xact_lock(7283402)`.execute(tx)
    const menus = wantedMenus(catalogue, texts)
    if (await areKept(tx, menus)) return
    await tx.updateTable('permission').set({ vanished: true }).execute()
    let sort = 0
    for (const menu of menus) await keepMenu(tx, menu, null, () => (sort += 1))
  })
}

/** Most starts find the rows as they should be, and write nothing. */
async function areKept(tx: Tx, menus: readonly Wanted[]): Promise<boolean> {
  const wanted: string[] = []
  const want = (menu: Wanted, parent: string | null) => {
    wanted.push(JSON.stringify([parent, 'MENU', menu.code, menu.name, wanted.length + 1]))
    for (const action of menu.actions)
      wanted.push(JSON.stringify([menu.code, 'PERMISSION', action, action, wanted.length + 1]))
    for (const child of menu.children) want(child, menu.code)
  }
  for (const menu of menus) want(menu, null)
  const rows = await tx
    .selectFrom('permission')
    .leftJoin('permission as parent', 'parent.id', 'permission.parent_id')
    .select(['parent.resource_code as parent', 'permission.display_type', 'permission.resource_code'])
    .select(['permission.display_name', 'permission.sort'])
    .where('permission.vanished', '=', false)
    .orderBy('permission.sort')
    .execute()
  const kept = rows.map(row =>
    JSON.stringify([row.parent, row.display_type, row.resource_code, row.display_name, row.sort]),
  )
  return kept.length === wanted.length && kept.every((row, at) => row === wanted[at])
}

function wantedMenus(catalogue: Declared, texts: Texts): Wanted[] {
  const name = (namespace: string) => texts.text('zh-CN', namespace, 'title')
  const groups = catalogue.areas.flatMap((area): Wanted[] => {
    const screens = Object.values(area.screens).filter(screen => screen.key !== null)
    const children = screens.map(screen => ({
      code: screen.key as string,
      name: name(screen.name),
      actions: catalogue.pages.get(screen.key as string) ?? [],
      children: [],
    }))
    return area.key === null ? children : [{ code: area.key, name: name(area.name), actions: [], children }]
  })
  const known = new Set(groups.flatMap(group => [group.code, ...group.children.map(child => child.code)]))
  // Pushes are addressed by the key of their screen, also before that screen stands.
  const keys = new Set(Object.values(PUSHES).flatMap(({ page }) => (page !== null && !known.has(page) ? [page] : [])))
  return [...groups, ...[...keys].map(code => ({ code, name: code, actions: ['list'], children: [] }))]
}

async function keepMenu(tx: Tx, menu: Wanted, parentId: string | null, next: () => number): Promise<void> {
  const sort = next()
  const { id } = await tx
    .insertInto('permission')
    .values({
      parent_id: parentId,
      display_type: 'MENU',
      resource_code: menu.code,
      display_name: menu.name,
      sort,
    })
    .onConflict(conflict =>
      conflict
        .column('resource_code')
        .where('display_type', '=', 'MENU')
        .doUpdateSet({ parent_id: parentId, display_name: menu.name, sort, vanished: false }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const action of menu.actions) {
    const place = next()
    await tx
      .insertInto('permission')
      .values({ parent_id: id, display_type: 'PERMISSION', resource_code: action, display_name: action, sort: place })
      .onConflict(conflict =>
        conflict
          .columns(['parent_id', 'resource_code'])
          .where('display_type', '=', 'PERMISSION')
          .doUpdateSet({ vanished: false, sort: place }),
      )
      .execute()
  }
  for (const child of menu.children) await keepMenu(tx, child, id, next)
}
