import { type Insertable, sql } from 'kysely'
import * as z from 'zod'
import { beyondReach, reachesAll } from '#areas/sales/consultant/reach.server.ts'
import type { Actor } from '#kit/model/actor.ts'
import { ID } from '#kit/model/field.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Schema } from '#kit/server/database/schema.gen.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { resource } from './model.ts'
import { type PoolBody, type PoolView, poolBody, poolView } from './pools.model.ts'

const base = `/${resource.screen.name}/pool`
const texts = resource.screen.name
/** Whoever hands leads out says by which rules others take them. */
const manages = { page: resource.screen.key, action: 'assign' }
/** What a violated constraint of the pools means to people. */
const constraints = { lead_pool_name: { code: 'pool-named-so', field: 'name' } }

export const poolRoutes = (app: App): Route[] => [
  route({
    method: 'GET',
    path: base,
    texts,
    access: manages,
    answer: z.array(poolView),
    summary: 'The pools of leads, with their rules and who may claim from them.',
    handle: ({ actor }) => poolsSeen(app.db.query, actor),
  }),
  route({
    method: 'POST',
    path: base,
    texts,
    access: manages,
    body: poolBody,
    answer: z.strictObject({ id: z.string() }),
    summary: 'Opens a further pool.',
    handle: (call, { body }) => operate(app, call, op => store(op, body), constraints),
  }),
  route({
    method: 'PUT',
    path: `${base}/:poolId`,
    texts,
    access: manages,
    params: z.strictObject({ poolId: z.string().regex(ID) }),
    body: z.strictObject({ ...poolBody.shape, version: z.int() }),
    answer: z.strictObject({ id: z.string() }),
    summary: 'Changes the rules of a pool, and who may claim from it.',
    handle: (call, { params, body: { version, ...body } }) =>
      operate(app, call, op => store(op, body, { id: params.poolId, version }), constraints),
  }),
]

async function poolsSeen(db: Queries, actor: Actor): Promise<PoolView[]> {
  const pools = await poolsIn(db)
  const beyond = await beyondReach(db, { actor, page: resource.screen.key }, pools.flatMap(peopleOf))
  return pools.map(pool => ({ ...pool, mayChange: !peopleOf(pool).some(id => beyond.has(id)) }))
}

const peopleOf = ({ claimerIds, adminIds }: Pick<PoolBody, 'claimerIds' | 'adminIds'>) => [...claimerIds, ...adminIds]

async function poolsIn(db: Queries): Promise<Omit<PoolView, 'mayChange'>[]> {
  const { rows } = await sql<Omit<PoolView, 'mayChange'>>`
    select p.id, p.name, p.is_default as "isDefault", p.is_open as "isOpen", p.claims_a_day as "claimsADay", p.capacity,
      p.spares_trial as "sparesTrial", p.uncounted_levels as "uncountedLevels", p.cool_down_days as "coolDownDays", p.embargo_hours as "embargoHours",
      p.no_contact_days as "noContactDays", p.no_contact_days_a as "noContactDaysA", p.no_contact_days_b as "noContactDaysB",
      p.no_contact_days_c as "noContactDaysC", p.no_contact_days_d as "noContactDaysD", p.no_deal_days as "noDealDays", p.needs_both as "needsBoth",
      p.spared_levels as "sparedLevels", p.warn_days as "warnDays", p.version,
      p.views_a_day as "viewsADay", p.returns_to_id as "returnsToId", p.unclaimed_hours as "unclaimedHours",
      p.unanswered_hours as "unansweredHours",
      (select count(*)::int from lead l where l.pool_id = p.id) as waiting,
      array(select m.staff_id::text from lead_pool_member m where m.pool_id = p.id and not m.is_admin order by m.staff_id) as "claimerIds",
      array(select m.staff_id::text from lead_pool_member m where m.pool_id = p.id and m.is_admin order by m.staff_id) as "adminIds"
    from lead_pool p order by p.is_default desc, p.id`.execute(db)
  return rows
}

async function store(op: Operation, body: PoolBody, known?: { id: string; version: number }): Promise<{ id: string }> {
  const { shape } = poolBody
  const before = known && (await poolsIn(op.tx)).find(({ id }) => id === known.id)
  // By its rules its people claim, and lose what they do not follow: nobody decides so about colleagues of others.
  if (before && !(await reachesAll(op, resource.screen.key, [before, body].flatMap(peopleOf))))
    throw new Refused(refuse('pool-of-others'))
  await requireOffered(op, { page: resource.screen.key, shape }, body, before && { shape, row: before })
  const { claimerIds, adminIds, ...rules } = body
  if (rules.needsBoth && (rules.noContactDays === null || rules.noDealDays === null))
    throw onField(rules.noContactDays === null ? 'noContactDays' : 'noDealDays', refuse('both-need-days'))
  const columns = {
    name: rules.name,
    is_open: rules.isOpen,
    claims_a_day: rules.claimsADay,
    capacity: rules.capacity,
    spares_trial: rules.sparesTrial,
    uncounted_levels: rules.uncountedLevels,
    cool_down_days: rules.coolDownDays,
    embargo_hours: rules.embargoHours,
    no_contact_days: rules.noContactDays,
    no_contact_days_a: rules.noContactDaysA,
    no_contact_days_b: rules.noContactDaysB,
    no_contact_days_c: rules.noContactDaysC,
    no_contact_days_d: rules.noContactDaysD,
    no_deal_days: rules.noDealDays,
    needs_both: rules.needsBoth,
    spared_levels: rules.sparedLevels,
    warn_days: rules.warnDays,
    views_a_day: rules.viewsADay,
    returns_to_id: rules.returnsToId,
    unclaimed_hours: rules.unclaimedHours,
    unanswered_hours: rules.unansweredHours,
  }
  const id = known ? await change(op, known, columns) : await add(op, columns)
  await op.tx.deleteFrom('lead_pool_member').where('pool_id', '=', id).execute()
  await sql`
    insert into lead_pool_member (pool_id, staff_id, is_admin)
    select ${id}::bigint, staff_id, bool_or(is_admin) from (
      select unnest(${claimerIds}::bigint[]) as staff_id, false as is_admin union all select unnest(${adminIds}::bigint[]), true
    ) given group by staff_id`.execute(op.tx)
  await record(op.tx, op.call, { page: resource.screen.key, action: 'managePools', reason: body.name })
  return { id }
}

type Columns = Omit<Insertable<Schema['lead_pool']>, 'id'>

async function add({ tx }: Operation, columns: Columns): Promise<string> {
  const made = await tx.insertInto('lead_pool').values(columns).returning('id').executeTakeFirstOrThrow()
  return made.id
}

async function change(
  { tx }: Operation,
  { id, version }: { id: string; version: number },
  columns: Columns,
): Promise<string> {
  const changed = await tx
    .updateTable('lead_pool')
    .set({ ...columns, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (changed.numUpdatedRows > 0n) return id
  const known = await tx.selectFrom('lead_pool').select('id').where('id', '=', id).executeTakeFirst()
  throw known
    ? new Refused(refuse('kit:changed-meanwhile'), 'conflict')
    : new Refused(refuse('kit:record-missing'), 'not-found')
}
