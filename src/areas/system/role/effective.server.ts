import { sql } from 'kysely'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { isPasswordOld } from '#kit/server/access/password.ts'
import { ASKS_ALL_FOR_FACTOR } from '#kit/server/access/session.ts'
import type { App } from '#kit/server/app.ts'
import { rolesDemandingFactor } from '#kit/server/auth/factor.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { type Effective, effective, type First, question } from './effective.model.ts'
import { SUPER_ADMIN } from './factor.model.ts'
import { resource } from './model.ts'
import { entriesOf, type PagePermissions } from './permission-tree.model.ts'
import { readTree } from './permission-tree.server.ts'

export const effectiveRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${resource.screen.name}/effective`,
    reads: true,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'detail' },
    body: question,
    answer: effective,
    summary: 'What a person may do on a page, and by which role, scope and field right.',
    async handle({ actor, language, now }, { body }) {
      const tree = await readTree(app, actor, language)
      const page = tree.flatMap(({ pages }) => pages).find(({ key }) => key === body.page)
      const person = await readPerson(app, body.staffId, now)
      if (!page || !person) throw new Refused(refuse('kit:record-missing'), 'not-found')
      return answerOf(app, page, person, await readRoles(app, body.staffId, body.page))
    },
  })

type Person = { id: string; name: string; status: string; first: First | null }
type HeldRole = { code: string; name: string; scope: string; isOwn: boolean; keys: string[]; departments: string[] }

async function readPerson({ db, env }: App, id: string, now: Date): Promise<Person | undefined> {
  const profile = env.SECURITY_PROFILE
  const found = await db.query
    .selectFrom('staff')
    .select(['id', 'name', 'status', 'must_change', 'password_set_at', 'has_factor'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) return undefined
  const { must_change, password_set_at, has_factor, ...person } = found
  const isDemanded = ASKS_ALL_FOR_FACTOR[profile] || (await rolesDemandingFactor(db.query, id)).length > 0
  const mustChange = must_change || isPasswordOld(profile, password_set_at, now)
  return { ...person, first: mustChange ? 'PASSWORD' : isDemanded && !has_factor ? 'FACTOR' : null }
}

/** All roles with what they hold of the page: those that are not the person's tell whom to ask for which. */
async function readRoles(app: App, staffId: string, page: string): Promise<HeldRole[]> {
  const { rows } = await sql<HeldRole>`
    select r.code, r.name, r.scope,
      exists (select from staff_role sr where sr.role_id = r.id and sr.staff_id = ${staffId}) as "isOwn",
      array(
        select case p.display_type when 'MENU' then p.resource_code else menu.resource_code || ':' || p.resource_code end
        from role_permission rp join permission p on p.id = rp.permission_id and not p.vanished
        left join permission menu on menu.id = p.parent_id and p.display_type = 'PERMISSION'
        where rp.role_id = r.id and coalesce(menu.resource_code, p.resource_code) = ${page}) as keys,
      array(
        select o.name from role_org ro join org o on o.id = ro.org_id
        where ro.role_id = r.id and r.scope = 'CHOSEN' order by o.path limit ${MOST_NAMED}) as departments
    from role r order by r.id`.execute(app.db.query)
  return rows
}
const MOST_NAMED = 20

function answerOf(
  app: App,
  page: PagePermissions,
  { status, ...person }: Person,
  roles: readonly HeldRole[],
): Effective {
  const isEnabled = status === 'ENABLED'
  const own = roles.filter(({ isOwn }) => isOwn)
  const holds = (key: string) => (role: HeldRole) => role.code === SUPER_ADMIN || role.keys.includes(key)
  const namesOf = (some: readonly HeldRole[]) => some.map(({ name }) => name).slice(0, MOST_NAMED)
  // The page itself stands open to whoever holds anything on it.
  const verdicts = entriesOf(page).map(({ key, name }) => {
    const by = own.filter(holds(key))
    const others = roles.filter(role => !role.isOwn && role.code !== SUPER_ADMIN)
    const elsewhere = by.length > 0 ? [] : others.filter(holds(key))
    return { key, name, isHeld: isEnabled && by.length > 0, by: namesOf(by), elsewhere: namesOf(elsewhere) }
  })
  const shown = own.filter(holds(page.key))
  const isOwned = app.catalogue.slices.some(
    slice => slice.screen?.key === page.key && slice.resource?.scope === 'owned',
  )
  const opening = (right: string | null) => verdicts.find(({ key, isHeld }) => key === right && isHeld)?.by ?? []
  return {
    person: {
      ...person,
      isEnabled,
      isSuperAdmin: own.some(({ code }) => code === SUPER_ADMIN),
      roles: namesOf(own),
    },
    verdicts,
    reaches: isOwned ? shown.map(({ name, scope, departments }) => ({ role: name, scope, departments })) : null,
    fields: page.fields.map(({ name, right }) => ({
      name,
      isOpen: opening(right).length > 0,
      by: opening(right),
      right: page.actions.find(({ key }) => key === right)?.name ?? null,
    })),
  }
}
