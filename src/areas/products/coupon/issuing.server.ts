import { sql } from 'kysely'
import type { Wish } from '#engines/audience/model.ts'
import { type Asking, findReached } from '#engines/audience/server.ts'
import { type Scope, scopeOf } from '#kit/model/actor.ts'
import { mask } from '#kit/model/mask.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import { audience, type Issued, MAX_ISSUED, type Reach } from './issuing.model.ts'
import { type Coupon, isOver, resource } from './model.ts'
import { decideIssue, ruleOf, validOn, type WhyNotIssued } from './rule.model.ts'

/**
 * Gives each of these members one more of a coupon, as far as its number and the limit per person go. Members are
 * locked before the coupon; under the coupon's lock nobody else issues it, so that no count is passed.
 */
export async function issueCoupon(
  change: Change,
  couponId: string,
  memberIds: readonly string[],
  /** Agreed to by others: not the giver's own. */
  applicationId: string | null = null,
): Promise<Issued> {
  const { app, tx, call, now } = change
  const ids = [...new Set(memberIds)]
  const members = await ask(app, membersHeld, { tx, ids })
  const coupon = await issuable(tx, couponId, dayOf(now), 'for update')
  const decided = await decide(tx, coupon, ids, id => members.get(id)?.status)
  const lucky = ids.filter((_, at) => decided[at] === null)
  if (lucky.length > 0) {
    await store(change, coupon, lucky, applicationId)
    await record(tx, call, {
      page: resource.screen.key,
      action: 'issue',
      recordId: couponId,
      diff: { taken: [coupon.taken, coupon.taken + lucky.length] },
    })
  }
  return sorted(ids, decided, members)
}

/** What each of these members would get of it, in this order. */
async function decide(
  db: Queries,
  { id: couponId, total, taken, perPerson }: Coupon,
  ids: readonly string[],
  statusOf: (id: string) => string | undefined,
): Promise<(WhyNotIssued | null)[]> {
  const held = await heldBy(db, couponId, ids)
  const asked = ids.map(id => ({ status: statusOf(id), held: held.get(id) ?? 0 }))
  return decideIssue({ left: total - taken, perPerson }, asked)
}

function sorted(ids: readonly string[], decided: readonly (WhyNotIssued | null)[], members: Members): Issued {
  const answer: Issued = { done: [], over: [], failed: [] }
  for (const [at, id] of ids.entries()) {
    const { name, phone } = members.get(id) ?? { name: '', phone: '' }
    const who = { id, name, phone: phone && mask('phone', phone) }
    const reason = decided[at] ?? null
    if (reason === null) answer.done.push(who)
    else answer[reason === 'LIMIT' || reason === 'USED_UP' ? 'over' : 'failed'].push({ ...who, why: reason })
  }
  return answer
}

type Members = ReadonlyMap<string, { name: string; phone: string; status: string }>

/** Members by id, who stay until the change stands: a coupon is nobody's without them. */
export const membersHeld = defineQuestion<{ tx: Tx; ids: readonly string[] }, Members>('coupon-members-held')

/** It must be there, not stopped, and not over. */
async function issuable(db: Queries, id: string, today: string, lock: 'for update' | ''): Promise<Coupon> {
  const [coupon] = (await run(
    db,
    `select id, name, kind, amount_fen::float8 as "amountFen", permille, threshold_fen::float8 as "thresholdFen", product_ids as "productIds",
       valid_from as "validFrom", valid_to as "validTo", valid_days as "validDays", total, taken, per_person as "perPerson", status
     from coupon where id = $1 ${lock}`,
    [id],
  )) as Coupon[]
  if (!coupon) throw new Refused(refuse('kit:record-missing'), 'not-found')
  if (coupon.status !== 'ACTIVE') throw new Refused(refuse('products/coupon:coupon-stopped'))
  if (isOver(coupon, today)) throw new Refused(refuse('products/coupon:coupon-over'))
  return coupon
}

async function heldBy(
  db: Queries,
  couponId: string,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ member_id: string; held: number }>`
    select member_id, count(*)::int as held from member_coupon
    where member_id = any(${memberIds}::bigint[]) and coupon_id = ${couponId} and status <> 'RECALLED' group by 1`.execute(
    db,
  )
  return new Map(rows.map(row => [row.member_id, row.held]))
}

async function store(
  { tx, now, call }: Change,
  coupon: Coupon,
  memberIds: readonly string[],
  applicationId: string | null,
): Promise<void> {
  const { from, to } = validOn(coupon, dayOf(now))
  await sql`
    insert into member_coupon (coupon_id, member_id, rule, issued_by, application_id, taken_at, valid_from, valid_to)
    select ${coupon.id}::bigint, id, ${JSON.stringify(ruleOf(coupon))}::jsonb, ${call.actor?.id ?? null}::bigint,
      ${applicationId}::bigint, ${now}::timestamptz, ${from}::date, ${to}::date
    from unnest(${memberIds}::bigint[]) id`.execute(tx)
  // The lock has settled it; the database has the last word all the same (coupon_within_total).
  await sql`update coupon set taken = taken + ${memberIds.length} where id = ${coupon.id}`.execute(tx)
}

type Asked = { readonly tx: Tx; readonly scope: Scope; readonly ids: readonly string[] }
/** Which of these members are in a scope. */
export const membersInScope = defineQuestion<Asked, string[]>('coupon-members-in-scope')

/** Those of the chosen members this person may see. */
export const visible = async ({ app, tx, actor }: Operation, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(await ask(app, membersInScope, { tx, scope: scopeOf(actor, resource.screen.key), ids }))

/** The members of an audience as the form has counted them; more than one answer can name are refused. */
async function reachedBy(asking: Asking, wish: Wish) {
  const found = await findReached(asking, resource.screen.key, wish)
  if (found.members.length > MAX_ISSUED)
    throw onField('numbers', refuse('engines/audience:too-big', { max: MAX_ISSUED }))
  return found
}

export async function membersOf(op: Operation, wish: Wish): Promise<string[]> {
  await requireOffered(op, { page: resource.screen.key, shape: audience.shape }, wish)
  const { members } = await reachedBy({ ...op, db: op.tx }, wish)
  return members.map(({ id }) => id)
}

/** Decided as when it is issued, without holding anything: what is issued meanwhile is missing then. */
export async function reachOf(asking: Asking, couponId: string, wish: Wish): Promise<Reach> {
  const { members, ...left } = await reachedBy(asking, wish)
  const coupon = await issuable(asking.db, couponId, dayOf(asking.now), '')
  const ids = members.map(({ id }) => id)
  const decided = await decide(asking.db, coupon, ids, () => 'ACTIVE')
  const of = (outcome: WhyNotIssued | null) => decided.filter(one => one === outcome).length
  return { ...left, members: members.length, toIssue: of(null), limit: of('LIMIT'), usedUp: of('USED_UP') }
}
