import { sql } from 'kysely'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { sees } from '#kit/server/list/sees.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { LEASE_MS, MAX_HELD } from './desk.model.ts'
import { type Medium, type Work, whyNotTaken } from './fields.model.ts'
import { RESOURCES } from './resources.model.ts'

/** What somebody does at one of the desks: that of pictures, or that of films. */
export type DeskOperation = Operation & { readonly medium: Medium }

/** What the rules of the desk need of a work, under its lock. */
const STANDING = [
  'id',
  'member_id as memberId',
  'medium',
  'kind',
  'status',
  'holder_id as holderId',
  'leased_until as leasedUntil',
  'assignee_id as assigneeId',
  'commenter_id as commenterId',
  'commented_at as commentedAt',
  'score',
  'review',
] as const

export const lockWork = (tx: Tx, id: string) =>
  tx.selectFrom('work').select(STANDING).where('id', '=', id).forUpdate().executeTakeFirst()
export type Standing = NonNullable<Awaited<ReturnType<typeof lockWork>>>

/**
 * The oldest that was handed to this person, or of this person's pupils, or of pupils of the same department and of nobody's.
 * What somebody else is just being given is passed over. An overturned comment is not its author's to mend.
 */
const QUEUES = [
  'w.assignee_id = $1',
  'w.assignee_id is null and w.teacher_id = $1',
  `w.assignee_id is null and (w.teacher_id is null or w.teacher_id in (select id from staff where org_id = $2))`,
] as const

const queueOf = ({ actor }: Operation, queue: (typeof QUEUES)[number]): string =>
  queue.replace('$1', actor.id).replace('$2', actor.orgId)

/** Some are asked for before they are there: without their picture or film they wait, and are not given out. */
export const CONTENT = { PICTURE: 'w.picture', VIDEO: 'w.video' } as const satisfies Record<Medium, string>

async function nextFor(op: DeskOperation): Promise<string | undefined> {
  const { tx, actor, medium } = op
  for (const queue of QUEUES) {
    const where = queueOf(op, queue)
    const { rows } = await sql<{ id: string }>`
      select w.id from work w
      where w.status = 'SUBMITTED' and w.medium = ${medium} and ${sql.raw(CONTENT[medium])} <> '{}' and ${sql.raw(where)} and (w.review <> 'OVERTURNED' or w.commenter_id <> ${actor.id})
      order by w.submitted_at, w.id limit 1 for update of w skip locked`.execute(tx)
    if (rows[0]) return rows[0].id
  }
}

/** Under a lock of the person's own, so that two presses of the key do not fill the desk. */
async function requireRoom({ tx, actor, medium }: DeskOperation): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`works of ${actor.id}`}))`.execute(tx)
  const held = await tx
    .selectFrom('work')
    .select(eb => eb.fn.countAll<string>().as('count'))
    .where('status', '=', 'LEASED')
    .where('holder_id', '=', actor.id)
    .where('medium', '=', medium)
    .executeTakeFirstOrThrow()
  if (Number(held.count) >= MAX_HELD) throw new Refused(refuse('desk-full', { count: MAX_HELD }))
}

/** The next work for this person; nothing where none waits. */
export async function takeNext(op: DeskOperation): Promise<string | undefined> {
  await requireRoom(op)
  const id = await nextFor(op)
  if (id !== undefined) await lease(op, await standing(op.tx, id))
  return id
}

/** One that this person had and lost: still within reach of "next", whether or not the list shows it. */
export async function takeAgain(op: DeskOperation, id: string): Promise<void> {
  await requireRoom(op)
  const within = QUEUES.map(queue => `(${queueOf(op, queue)})`).join(' or ')
  const { rows } =
    await sql`select 1 from work w where w.id = ${id} and w.medium = ${op.medium} and (${sql.raw(within)})`.execute(
      op.tx,
    )
  const row = rows.length > 0 ? await standing(op.tx, id) : await requireKnown(op, id)
  // Not yet swept away: it lies there still.
  if (row.status === 'LEASED' && row.holderId === op.actor.id) return prolong(op, id)
  const why = row.status === 'SUBMITTED' ? whyNotTaken(row, op.actor) : refuse('lease-lost')
  if (why) throw new Refused(why)
  await lease(op, row)
}

/** One chosen from the list: what the step stores besides the state. */
export async function takeOne(op: Operation, { medium }: Work): Promise<Partial<Work>> {
  await requireRoom({ ...op, medium })
  return { holderId: op.actor.id, leasedUntil: leaseEnd(op.now) }
}

async function standing(tx: Tx, id: string): Promise<Standing> {
  const row = await lockWork(tx, id)
  if (!row) throw new Refused(refuse('kit:record-missing'), 'not-found')
  return row
}

const lease = (op: Operation, row: Standing): Promise<void> =>
  writeWork(op, row, { status: 'LEASED', holderId: op.actor.id, leasedUntil: leaseEnd(op.now) }, 'take')

/** In the log of the screen it stands on. */
export const writeWork = (
  change: Change,
  row: Standing,
  given: Partial<Work>,
  step: string,
  more?: { reason: string },
) => writeChange(change, RESOURCES[row.medium as Medium], row, given, step, more)

const leaseEnd = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString()

/** What this person neither sees nor was given is not there, as anywhere else. */
export async function requireKnown({ app, tx, actor, medium }: DeskOperation, id: string): Promise<Standing> {
  const row = await standing(tx, id)
  const isHis = row.medium === medium && (row.holderId === actor.id || row.commenterId === actor.id)
  if (!isHis && !(await sees(app, RESOURCES[medium], id, actor)))
    throw new Refused(refuse('kit:record-missing'), 'not-found')
  return row
}

/** The work this person holds now. Whoever lost it is told so, and loses nothing typed: the page keeps that. */
export async function requireHeld(op: DeskOperation, id: string): Promise<Standing> {
  const { actor, now } = op
  const row = await requireKnown(op, id)
  const isHeld = row.status === 'LEASED' && row.holderId === actor.id && new Date(row.leasedUntil ?? 0) > now
  if (!isHeld) throw new Refused(refuse('lease-lost'))
  return row
}

/** Half an hour more, for whoever still looks at it. */
export async function renew(op: DeskOperation, id: string): Promise<void> {
  await requireHeld(op, id)
  await prolong(op, id)
}

async function prolong({ tx, now }: Operation, id: string): Promise<void> {
  await tx
    .updateTable('work')
    .set({ leased_until: leaseEnd(now) })
    .where('id', '=', id)
    .execute()
}

const FREE = { status: 'SUBMITTED', holderId: null, leasedUntil: null } as const

/** Back into the queue, or to a colleague. */
export async function letGo(op: DeskOperation, id: string, toId: string | null): Promise<void> {
  const row = await requireHeld(op, id)
  await writeWork(op, row, { ...FREE, assigneeId: toId }, toId ? 'handOver' : 'letGo')
}

/** What nobody renewed comes back by itself; whoever it was handed to has had the time for it. */
const endLeases = defineJob({
  name: 'work-leases',
  cron: '*/30 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const over = await change.tx
      .selectFrom('work')
      .select('id')
      .where('status', '=', 'LEASED')
      .where('leased_until', '<=', change.now.toISOString())
      .orderBy('leased_until')
      .limit(1_000)
      .execute()
    return each(over, ({ id }) => endLease(change, id))
  },
})

async function endLease(change: Change, id: string): Promise<boolean> {
  const row = await lockWork(change.tx, id)
  if (row?.status !== 'LEASED' || new Date(row.leasedUntil ?? 0) > change.now) return false
  await writeWork(change, row, { ...FREE, assigneeId: null }, 'leaseEnded')
  return true
}

export const jobs = [endLeases]
