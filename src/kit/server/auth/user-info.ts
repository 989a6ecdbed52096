import * as z from 'zod'
import { type Actor, mayOpen } from '#kit/model/actor.ts'
import { LANGUAGES, type Language } from '#kit/model/language.ts'
import { arranged, ownOf } from '#kit/model/menu.ts'
import { isPasswordOld } from '../access/password.ts'
import { isToEnrol } from '../access/session.ts'
import type { App } from '../app.ts'
import { type Route, route } from '../http/route.ts'
import { permission, permissionsOf } from './permission-list.ts'

const userInfo = z.strictObject({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  avatar: z.string().nullable(),
  language: z.enum(LANGUAGES).nullable(),
  mustChangePassword: z.boolean(),
  /** A second factor has to be set up before anything else. */
  mustEnrol: z.boolean(),
  preference: z.record(z.string(), z.unknown()),
  role: z
    .strictObject({ code: z.string(), name: z.string(), superAdmin: z.boolean(), permissionList: z.array(permission) })
    .nullable(),
  /** Beside the contract's fields, where the console is looked at as a role does. */
  preview: z.strictObject({ roleId: z.string(), name: z.string(), until: z.string() }).optional(),
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
      const profile = app.env.SECURITY_PROFILE
      const person = await app.db.query
        .selectFrom('staff as p')
        .innerJoin('session as s', 's.staff_id', 'p.id')
        .select(['p.id', 'p.account', 'p.name', 'p.avatar', 'p.language', 'p.preference'])
        .select(['p.must_change', 'p.password_set_at', isToEnrol(profile).as('mustEnrol')])
        .where('p.id', '=', call.actor.id)
        .where('s.id', '=', call.sessionId)
        .executeTakeFirstOrThrow()
      const { must_change, password_set_at, ...shown } = person
      return {
        ...shown,
        mustChangePassword: must_change || isPasswordOld(profile, password_set_at, call.now),
        role: await roleOf(app, call.actor, call.language),
        ...(call.actor.preview ? { preview: call.actor.preview } : {}),
      }
    },
  })

async function roleOf(app: App, actor: Actor, language: Language): Promise<z.infer<typeof userInfo>['role']> {
  const permissionList = await permissionsOf(app, actor, language)
  if (actor.preview)
    return { code: actor.roleCodes.join(','), name: actor.preview.name, superAdmin: false, permissionList }
  const roles = await app.db.query
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .select(['r.code', 'r.name'])
    .where('sr.staff_id', '=', actor.id)
    .orderBy('r.id')
    .execute()
  if (roles.length === 0) return null
  return {
    code: roles.map(({ code }) => code).join(','),
    name: roles.map(({ name }) => name).join(', '),
    superAdmin: roles.some(({ code }) => code === 'SUPER_ADMIN'),
    permissionList,
  }
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
      const held = await permissionsOf(app, actor, language)
      const menus = held.filter(({ displayType }) => displayType === 'MENU')
      const entries = new Map(menus.map(entry => [entry.resourceCode, entry]))
      const title = ({ key, name }: { key: string | null; name: string }) =>
        entries.get(key ?? '')?.displayName ?? app.texts.text(language, name, 'title')
      const groups = arranged(app.catalogue.areas, entries, ({ key }) => key === null || mayOpen(actor, key))
      return groups.map(({ area, screens }) => ({
        key: area.key,
        name: area.name,
        title: title(area),
        icon: ownOf(entries, area.key)?.icon ?? area.icon,
        children: screens.map(screen => ({
          key: screen.key,
          name: screen.name,
          title: title(screen),
          path: screen.route,
        })),
      }))
    },
  })
