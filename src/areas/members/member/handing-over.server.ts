import * as z from 'zod'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { App, Change, Listener } from '#kit/server/app.ts'
import { announce, defineAnnouncement, listen } from '#kit/server/change/announce.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import type { Schema } from '#kit/server/database/schema.gen.ts'
import { type Member, resource, workflow } from './model.ts'
import { type OwnerChangeView, ownerChangeView } from './side.model.ts'
import { sideRoute } from './side.server.ts'

/** Without an owner they wait in the pool. */
export type HandedOver = {
  readonly memberIds: readonly string[]
  readonly ownerId: string | null
  readonly orgId: string | null
}

/** Members are in other hands, or their owner works elsewhere: whatever is seen by their owner goes along. Who sold what stays as it was. */
export const memberHandedOver = defineAnnouncement<HandedOver>('member-handed-over')

/** Tables whose rows name a member and are seen by an owner. */
type OfMember = {
  [T in keyof Schema]: Schema[T] extends { member_id: unknown; owner_id: unknown; org_id: unknown } ? T : never
}[keyof Schema]

/** For the `listeners` of the slice that owns the table: its rows go along with their member. */
export const followOwner = (table: OfMember): Listener =>
  listen(memberHandedOver, async ({ tx }, { memberIds, ownerId, orgId }) => {
    await run(tx, `update ${table} set owner_id = $1, org_id = $2 where member_id = any($3::bigint[])`, [
      ownerId,
      orgId,
      memberIds,
    ])
  })

/** A member has another teacher: whatever is seen by the teacher goes along (decision 015). */
export const memberTaught = defineAnnouncement<{
  readonly memberIds: readonly string[]
  readonly teacherId: string | null
}>('member-taught')

/** Tables whose rows name a member and are seen by the member's teacher besides the owner. */
type TaughtOf = {
  [T in OfMember]: Schema[T] extends { teacher_id: unknown } ? T : never
}[OfMember]

/** For the `listeners` of a slice whose `carer` is the member's teacher. */
export const followTeacher = (table: TaughtOf): Listener =>
  listen(memberTaught, async ({ tx }, { memberIds, teacherId }) => {
    await run(tx, `update ${table} set teacher_id = $1 where member_id = any($2::bigint[])`, [teacherId, memberIds])
  })

/** For the `invariants` of such a slice. */
export const seenByTeacher = (table: TaughtOf): Invariant => ({
  name: `${table}: what belongs to a member is seen by the member's teacher`,
  query: `
    select r.id, r.teacher_id, m.teacher_id as member_teacher from ${table} r join member m on m.id = r.member_id
    where r.teacher_id is distinct from m.teacher_id`,
})

/** For the `invariants` of a slice whose rows are always seen by whoever the member belongs to. */
export const seenByOwner = (table: OfMember): Invariant => ({
  name: `${table}: what belongs to a member is seen by the member's owner`,
  query: `
    select r.id, r.owner_id, m.owner_id as member_owner from ${table} r join member m on m.id = r.member_id
    where (r.owner_id, r.org_id) is distinct from (m.owner_id, m.org_id)`,
  repair: `
    update ${table} r set owner_id = m.owner_id, org_id = m.org_id from member m
    where m.id = r.member_id and (r.owner_id, r.org_id) is distinct from (m.owner_id, m.org_id)`,
})

/** The new owner's fields of the member, whose row is locked; all that hangs on the member has moved. */
export async function handOver(op: Operation, member: Member, toId: string, reason: string) {
  const owner = await placeOf(op.tx, toId, 'newOwnerId')
  if (member.ownerId === owner.id) throw new Refused(refuse('already-owner', { name: owner.name }))
  await writeOwnerChange(op, { memberId: member.id, fromId: member.ownerId, toId: owner.id, reason })
  await announce(op, memberHandedOver, { memberIds: [member.id], ownerId: owner.id, orgId: owner.orgId })
  return { ownerId: owner.id, ownerSince: op.now.toISOString(), ...{ orgId: owner.orgId } }
}

/** Where a colleague works: what he owns is his department's. He neither leaves nor moves until it is stored. */
export async function placeOf(tx: Tx, staffId: string, field: string) {
  const place = await tx
    .selectFrom('staff')
    .select(['id', 'name', 'org_id as orgId'])
    .where('id', '=', staffId)
    .where('status', '=', 'ENABLED')
    .forShare()
    .executeTakeFirst()
  if (!place) throw onField(field, refuse('kit:not-to-choose'))
  return place
}

/** To whom it was taken from, as if it had never left. Somebody who has left meanwhile does not get it, and nobody cannot. */
export async function handBack(op: Operation, member: Member, before: Partial<Member>) {
  const { ownerId, ownerSince = member.ownerSince } = before
  if (!ownerId) throw new Refused(refuse('owner-was-nobody'))
  await requireOffered(
    op,
    { page: resource.screen.key, shape: workflow.steps.assignOwner.input },
    { newOwnerId: ownerId },
  )
  // Whose the member's orders are is decided by since when (placing.server.ts).
  return { ...(await handOver(op, member, ownerId, '')), ownerSince }
}

export const writeOwnerChange = (
  { tx, now, call }: Change,
  moved: { memberId: string; fromId: string | null; toId: string | null; reason: string },
) =>
  tx
    .insertInto('member_owner_history')
    .values({
      member_id: moved.memberId,
      from_id: moved.fromId,
      to_id: moved.toId,
      reason: moved.reason,
      staff_id: call.actor?.id ?? null,
      created_at: now,
    })
    .execute()

const MAX_SHOWN = 200

export const ownerHistoryRoute = (app: App) =>
  sideRoute(app, {
    path: 'owner-history',
    answer: z.array(ownerChangeView),
    summary: 'In whose hands the member has been, newest first.',
    read: ({ id }): Promise<OwnerChangeView[]> =>
      app.db.query
        .selectFrom('member_owner_history as h')
        .leftJoin('staff as f', 'f.id', 'h.from_id')
        .leftJoin('staff as t', 't.id', 'h.to_id')
        .leftJoin('staff as b', 'b.id', 'h.staff_id')
        .select(['h.id', 'h.created_at as at', 'f.name as from', 't.name as to', 'h.reason', 'b.name as by'])
        .where('h.member_id', '=', id)
        .orderBy('h.id', 'desc')
        .limit(MAX_SHOWN)
        .execute(),
  })

export const invariants: readonly Invariant[] = [
  {
    name: "the last line of a member's owner history names the owner",
    query: `
      select m.id, m.owner_id, h.to_id from member m join (
        select distinct on (member_id) member_id, to_id from member_owner_history order by member_id, id desc
      ) h on h.member_id = m.id
      where m.owner_id is distinct from h.to_id`,
  },
]
