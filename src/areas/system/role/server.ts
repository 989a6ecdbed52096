import { sql } from 'kysely'
import * as z from 'zod'
import { inOneLine } from '#kit/model/language.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { keepDepartments, keepPermissions, toldOf } from '#kit/server/auth/access.ts'
import { demandFactor, liftDemand } from '#kit/server/auth/factor.ts'
import { beginPreview } from '#kit/server/auth/preview.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { idParams, type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { effectiveRoute } from './effective.server.ts'
import { type Holders, SUPER_ADMIN } from './factor.model.ts'
import { type Charter, type Giver, holds, isSameScope, whyNotCalled, whyNotGiven } from './giving.model.ts'
import { powersOfHolders, requireNothingBeyond } from './holders.server.ts'
import { MOST_HOLDERS, type Role, resource, type ScopeKind, workflow } from './model.ts'
import { between, permissionTree, withPages } from './permission-tree.model.ts'
import { inWords, readTree } from './permission-tree.server.ts'

const records = serve(resource, {
  workflow,
  facts: holdersOf,
  effects: { requireFactor: demandOfHolders, liftFactor: releaseHolders },
  store: storeRole,
  named: (app, row, language) => ({
    permissions: row.permissions && inWords(app, language, row.permissions),
    given: row.given ? inWords(app, language, row.given) : undefined,
    taken: row.taken ? inWords(app, language, row.taken) : undefined,
    // The log keeps departments by name: one that is gone is still told.
    orgIds: row.orgIds && inOneLine(language, row.orgIds),
  }),
  detail: readDetail,
  kept: whatKeeps,
  remove: async ({ app, tx }, { id }) => app.sessions.changed(tx, await toldOf(tx, id)),
  constraints: {
    role_code_key: { code: 'kit:taken', field: 'code' },
    role_org_org_id_fkey: { code: 'kit:not-to-choose', field: 'orgIds' },
  },
})

export const invariants: readonly Invariant[] = [
  {
    name: 'a role counts whoever holds it',
    query: `
      select r.id, r.people from role r
      where r.people <> (select count(*) from staff_role sr where sr.role_id = r.id)`,
    repair: `
      update role r set people = held.n
      from (select x.id, count(sr.staff_id)::int as n from role x left join staff_role sr on sr.role_id = x.id group by x.id) held
      where held.id = r.id and held.n <> r.people`,
  },
]

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: `/${resource.screen.name}/permissions`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'detail' },
    answer: permissionTree,
    summary: 'All a role may hold, as it stands in the menu, and which of it the caller holds.',
    handle: ({ actor, language }) => readTree(app, actor, language),
  }),
  route({
    method: 'POST',
    path: `/${resource.screen.name}/:id/preview`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'preview' },
    params: idParams,
    answer: z.null(),
    summary: 'The session sees what the role sees, no more than its person does, and changes nothing.',
    async handle(call, { params }) {
      await beginPreview(app, call, params.id)
      return null
    },
  }),
  effectiveRoute(app),
  ...records(app),
]

async function storeRole(
  op: Operation,
  { copyOf, ...input }: Role,
  before: Role | undefined,
  write: (fields: Record<string, unknown>) => Promise<string>,
): Promise<string> {
  if (before?.code === SUPER_ADMIN) throw new Refused(refuse('fixed'))
  const copied = before ? undefined : await requireCalled(op, input.code, copyOf)
  const old = before && (await readCharter(op.app, op.tx, before))
  const orgIds = input.scope === 'CHOSEN' ? [...new Set(input.orgIds)] : []
  const wanted: Charter = { scope: input.scope, orgIds, permissions: [...withPages(input.permissions)] }
  const rows = await requireKnown(op, wanted.permissions)
  const names = await departmentNames(op, orgIds)
  const words = (keys: readonly string[]) => inWords(op.app, op.call.language, keys.slice(0, MOST_NAMED))
  const why = whyNotGiven(await giverOf(op, before), old, wanted, words)
  if (why) throw onField(why.field, why.refusal)

  const held = await powersOfHolders(op, before?.id)
  const { given, taken } = between(old?.permissions ?? [], wanted.permissions)
  const id = await write({
    ...input,
    ...(before ? { given: orNone(given), taken: orNone(taken) } : { copyOf: copied }),
    // The timeline tells what changed, and of a new role all.
    permissions: before ? undefined : orNone(wanted.permissions),
    orgIds: old && isSameScope(old, wanted) ? undefined : orNone(names),
  })
  if (copyOf !== null && !before) await copyDemand(op, copyOf, id)
  const rowsOf = (keys: readonly string[]) => keys.map(key => rows.get(key) as string)
  await keepPermissions(op.tx, id, { given: rowsOf(given), taken: rowsOf(taken) })
  await keepDepartments(op.tx, id, orgIds)
  await requireNothingBeyond(op, held)
  if (before) await op.app.sessions.changed(op.tx, await toldOf(op.tx, id))
  return id
}
const MOST_NAMED = 20

/** What is copied is guarded as what it was copied of. */
const copyDemand = ({ tx }: Operation, from: string, to: string) =>
  sql`update role r set second_factor = o.second_factor from role o where o.id = ${from} and r.id = ${to}`.execute(tx)

/** Whoever holds the role and signed in by less sets the factor up before anything else, from the next call on. */
async function demandOfHolders({ app, tx }: Operation, { id }: Role): Promise<undefined> {
  await demandFactor(tx, await holderIds(tx, id))
  await app.sessions.changed(tx, await toldOf(tx, id))
}

/** Nobody makes it easier to sign in to what he may not do himself; who waits to set it up goes on, unless another role asks for it. */
async function releaseHolders(op: Operation, row: Role): Promise<undefined> {
  await requireHeld(op, row)
  await liftDemand(op.tx, await holderIds(op.tx, row.id))
  await op.app.sessions.changed(op.tx, await toldOf(op.tx, row.id))
}

const holderIds = async (tx: Operation['tx'], roleId: string): Promise<string[]> =>
  (await tx.selectFrom('staff_role').select('staff_id').where('role_id', '=', roleId).execute()).map(
    ({ staff_id }) => staff_id,
  )

async function requireHeld({ app, tx, actor, call }: Operation, row: Role): Promise<void> {
  const { permissions } = await readCharter(app, tx, row)
  const foreign = actor.superAdmin ? [] : permissions.filter(key => !holds(actor, key))
  if (foreign.length > 0)
    throw new Refused(refuse('not-held', { names: inWords(app, call.language, foreign.slice(0, MOST_NAMED)) }))
}

async function holdersOf(db: Queries, rows: readonly Pick<Role, 'id'>[]): Promise<ReadonlyMap<string, Holders>> {
  const held = await db
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .select(['sr.role_id', 'sr.staff_id', 'r.code'])
    .where(({ eb, or }) =>
      or([
        eb('r.code', '=', SUPER_ADMIN),
        eb(
          'r.id',
          'in',
          rows.map(({ id }) => id),
        ),
      ]),
    )
    .execute()
  const peopleIn = (chosen: typeof held) => new Set(chosen.map(({ staff_id }) => staff_id))
  const admins = peopleIn(held.filter(({ code }) => code === SUPER_ADMIN))
  return new Map(rows.map(({ id }) => [id, { own: peopleIn(held.filter(({ role_id }) => role_id === id)), admins }]))
}

const orNone = (names: readonly string[]) => (names.length > 0 ? names : undefined)

/** Gives what the role is called that the new one was copied of. */
async function requireCalled({ tx, actor }: Operation, code: string, copyOf: string | null) {
  const why = whyNotCalled(actor, code)
  if (why) throw onField('code', why)
  if (copyOf === null) return undefined
  const copied = await tx.selectFrom('role').select(['code', 'name']).where('id', '=', copyOf).executeTakeFirst()
  if (!copied) throw onField('copyOf', refuse('kit:record-missing'))
  if (copied.code === SUPER_ADMIN) throw onField('copyOf', refuse('fixed'))
  return copied.name
}

/** What a role holds of what there is. */
async function readCharter(
  { catalogue }: Pick<App, 'catalogue'>,
  db: Queries,
  { id, scope }: Pick<Role, 'id' | 'scope'>,
): Promise<Charter> {
  const held = await permissionRows(catalogue, db)
    .innerJoin('role_permission as rp', 'rp.permission_id', 'p.id')
    .where('rp.role_id', '=', id)
    .orderBy('p.sort')
    .execute()
  const chosen = await db.selectFrom('role_org').select('org_id').where('role_id', '=', id).orderBy('org_id').execute()
  return { scope, orgIds: chosen.map(({ org_id }) => org_id), permissions: held.map(keyOf) }
}

/** Pages and their actions, as the menu has them. Groups come with their pages, whether a role names them or not. */
const permissionRows = ({ areas }: App['catalogue'], db: Queries) =>
  db
    .selectFrom('permission as p')
    .leftJoin('permission as menu', join =>
      join.onRef('menu.id', '=', 'p.parent_id').on('p.display_type', '=', 'PERMISSION'),
    )
    .select(['p.id', 'p.resource_code as own', 'menu.resource_code as page'])
    .where('p.vanished', '=', false)
    .where(({ eb, or }) =>
      or([
        eb('p.display_type', '=', 'PERMISSION'),
        eb('p.resource_code', 'not in', ['', ...areas.flatMap(({ key }) => key ?? [])]),
      ]),
    )
const keyOf = ({ own, page }: { own: string; page: string | null }): string => (page === null ? own : `${page}:${own}`)

/** The rows of these permissions; what the menu does not know cannot be given. */
async function requireKnown({ tx, app }: Operation, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const known = await permissionRows(app.catalogue, tx).execute()
  const rows = new Map(known.map(row => [keyOf(row), row.id]))
  const unknown = keys.filter(key => !rows.has(key))
  if (unknown.length > 0)
    throw onField('permissions', refuse('permission-unknown', { names: unknown.slice(0, MOST_NAMED).join(', ') }))
  return rows
}

/** What the chosen departments are called. */
async function departmentNames({ tx }: Operation, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const known = await tx
    .selectFrom('org')
    .select('name')
    .where('id', 'in', [...ids])
    .orderBy('path')
    .execute()
  return known.map(({ name }) => name)
}

async function giverOf({ tx, actor }: Operation, role: Role | undefined): Promise<Giver> {
  const { rows } = await sql<{ page: string; scope: ScopeKind }>`
    select distinct case p.display_type when 'MENU' then p.resource_code else menu.resource_code end as page, r.scope
    from staff_role sr join role r on r.id = sr.role_id join role_permission rp on rp.role_id = r.id
    join permission p on p.id = rp.permission_id and not p.vanished left join permission menu on menu.id = p.parent_id
    where sr.staff_id = ${actor.id}`.execute(tx)
  const reach = new Map<string, ScopeKind[]>()
  for (const { page, scope } of rows) reach.set(page, [...(reach.get(page) ?? []), scope])
  return { actor, reach, isHolder: role !== undefined && (await isHeldBy(tx, role.id, actor.id)) }
}

const isHeldBy = async (tx: Queries, roleId: string, staffId: string): Promise<boolean> =>
  (await tx
    .selectFrom('staff_role')
    .select('role_id')
    .where('role_id', '=', roleId)
    .where('staff_id', '=', staffId)
    .executeTakeFirst()) !== undefined

async function readDetail(app: App, row: Role): Promise<Partial<Role>> {
  const db = app.db.query
  const [{ orgIds, permissions }, holders, outdated] = await Promise.all([
    readCharter(app, db, row),
    db
      .selectFrom('staff_role as sr')
      .innerJoin('staff as p', 'p.id', 'sr.staff_id')
      .innerJoin('org as o', 'o.id', 'p.org_id')
      .select(['p.id', 'p.name', 'p.account', 'o.name as department', 'p.status'])
      .where('sr.role_id', '=', row.id)
      .orderBy('p.status', 'desc')
      .orderBy('p.name_pinyin')
      .limit(MOST_HOLDERS)
      .execute(),
    db
      .selectFrom('role_permission as rp')
      .innerJoin('permission as p', 'p.id', 'rp.permission_id')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('rp.role_id', '=', row.id)
      .where('p.vanished', '=', true)
      .executeTakeFirstOrThrow(),
  ])
  return {
    orgIds: [...orgIds],
    permissions: [...permissions],
    given: null,
    taken: null,
    copyOf: null,
    previewUntil: null,
    outdated: Number(outdated.n),
    holders: holders.map(({ status, ...holder }) => ({ ...holder, enabled: status === 'ENABLED' })),
  }
}

/** What stands above all stays, and whatever somebody holds, with who that is. */
async function whatKeeps(
  db: Queries,
  rows: readonly Pick<Role, 'id' | 'code' | 'people'>[],
): Promise<ReadonlyMap<string, Refusal>> {
  const named = await sql<{ id: string; names: string[]; people: number }>`
    select r.id, r.people, array(
      select p.name from staff_role sr join staff p on p.id = sr.staff_id
      where sr.role_id = r.id order by p.status desc, p.name_pinyin limit ${HOLDERS_NAMED}) as names
    from role r where r.id = any(${rows.map(({ id }) => id)}::bigint[]) and r.people > 0`.execute(db)
  const used = new Map(named.rows.map(({ id, ...use }) => [id, use]))
  return new Map(
    rows.flatMap(({ id, code }) => {
      if (code === SUPER_ADMIN) return [[id, refuse('fixed')] as const]
      const use = used.get(id)
      if (!use) return []
      const more = use.people > use.names.length ? ', …' : ''
      return [[id, refuse('in-use', { people: use.people, names: use.names.join(', ') + more })] as const]
    }),
  )
}
const HOLDERS_NAMED = 5
