import { sql } from 'kysely'
import * as z from 'zod'
import { mayOpen } from '#kit/model/actor.ts'
import { LANGUAGES, type Language } from '#kit/model/language.ts'
import { isPasswordOld } from '../access/password.ts'
import type { App } from '../app.ts'
import { type Route, route } from '../http/route.ts'

const permission = z.strictObject({
  id: z.string(),
  parentId: z.string().nullable(),
  resourceCode: z.string(),
  displayName: z.string(),
  displayType: z.enum(['MENU', 'PERMISSION']),
})
const userInfo = z.strictObject({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  avatar: z.string().nullable(),
  language: z.enum(LANGUAGES).nullable(),
  mustChangePassword: z.boolean(),
  preference: z.record(z.string(), z.unknown()),
  role: z
    .strictObject({ code: z.string(), name: z.string(), superAdmin: z.boolean(), permissionList: z.array(permission) })
    .nullable(),
})

/** Spec §3, §7: who is signed in. Somebody without a role gets none; a role without permissions gets an empty list. */
export const userInfoRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: '/auth/userInfo',
    access: 'session',
    answer: userInfo,
    summary: 'The person signed in, with the roles of that person taken together.',
    async handle(call) {
      const person = await app.db.query
        .selectFrom('staff')
        .select(['id', 'account', 'name', 'avatar', 'language', 'preference', 'must_change', 'password_set_at'])
        .where('id', '=', call.actor.id)
        .executeTakeFirstOrThrow()
      const { must_change, password_set_at, ...shown } = person
      return {
        ...shown,
        mustChangePassword: must_change || isPasswordOld(app.env.SECURITY_PROFILE, password_set_at, call.now),
        role: await roleOf(app, call.actor.id, call.language),
      }
    },
  })

async function roleOf(app: App, staffId: string, language: Language): Promise<z.infer<typeof userInfo>['role']> {
  const roles = await app.db.query
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .select(['r.code', 'r.name'])
    .where('sr.staff_id', '=', staffId)
    .orderBy('r.id')
    .execute()
  if (roles.length === 0) return null
  const superAdmin = roles.some(({ code }) => code === 'SUPER_ADMIN')
  return {
    code: roles.map(({ code }) => code).join(','),
    name: roles.map(({ name }) => name).join(', '),
    superAdmin,
    permissionList: await permissionsOf(app, staffId, superAdmin, language),
  }
}

type PermissionRow = {
  id: string
  parentId: string | null
  resourceCode: string
  displayName: string
  displayType: 'MENU' | 'PERMISSION'
}

/** What the roles hold and the menus above it: whoever holds a page holds the way to it. */
async function permissionsOf(
  app: App,
  staffId: string,
  superAdmin: boolean,
  language: Language,
): Promise<PermissionRow[]> {
  const { rows } = await sql<PermissionRow>`
    with recursive held as (
      select p.* from permission p where not p.vanished and (${superAdmin} or exists (
        select from role_permission rp join staff_role sr on sr.role_id = rp.role_id
        where rp.permission_id = p.id and sr.staff_id = ${staffId}))
      union
      select above.* from permission above join held on held.parent_id = above.id where not above.vanished
    )
    select id, parent_id as "parentId", resource_code as "resourceCode", display_name as "displayName", display_type as "displayType"
    from held order by sort, id`.execute(app.db.query)
  const codes = new Map(rows.map(({ id, resourceCode }) => [id, resourceCode]))
  const menus = new Set([...app.catalogue.areas, ...app.catalogue.screens].map(({ key }) => key))
  // A key may be held for its pushes before its screen stands: no menu has room for it until then.
  const stands = ({ displayType, resourceCode, parentId }: PermissionRow) =>
    menus.has((displayType === 'MENU' ? resourceCode : codes.get(parentId ?? '')) ?? null)
  return rows
    .filter(stands)
    .map(row => ({ ...row, displayName: nameOf(app, language, row, codes.get(row.parentId ?? '')) }))
}

/** In the asker's language where the code knows the screen or the action; otherwise as stored. */
function nameOf(app: App, language: Language, row: PermissionRow, menu: string | undefined): string {
  const screenOf = (key: string | undefined) => app.catalogue.screens.find(screen => screen.key === key)?.name
  if (row.displayType === 'MENU') {
    const place = screenOf(row.resourceCode) ?? app.catalogue.areas.find(area => area.key === row.resourceCode)?.name
    return place === undefined ? row.displayName : app.texts.text(language, place, 'title')
  }
  const known: [string, string][] = [
    [screenOf(menu) ?? '', `step.${row.resourceCode}`],
    ['kit/server/auth', `action.${row.resourceCode}`],
  ]
  const found = known.find(([namespace, key]) => app.texts.has(namespace, key))
  return found ? app.texts.text(language, ...found) : row.displayName
}

const navScreen = z.strictObject({ key: z.string().nullable(), name: z.string(), title: z.string(), path: z.string() })
const navArea = z.strictObject({
  key: z.string().nullable(),
  name: z.string(),
  title: z.string(),
  icon: z.string(),
  children: z.array(navScreen),
})

/** Spec §7 names the path only: the caller's menu, as the console draws it from the same declarations. */
export const navRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: '/user/nav',
    access: 'session',
    answer: z.array(navArea),
    summary: "The caller's menu.",
    async handle({ actor, language }) {
      const title = (name: string) => app.texts.text(language, name, 'title')
      return app.catalogue.areas
        .map(({ key, name, icon, screens }) => ({
          key,
          name,
          title: title(name),
          icon,
          children: Object.values(screens)
            .filter(screen => !screen.hidden && (screen.key === null || mayOpen(actor, screen.key)))
            .map(screen => ({ key: screen.key, name: screen.name, title: title(screen.name), path: screen.route })),
        }))
        .filter(({ children }) => children.length > 0)
    },
  })
