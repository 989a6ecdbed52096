import { closeMember, eraseMember, memberClosing } from '#areas/members/member/closing.server.ts'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { Refused } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { type Application, resource } from './model.ts'
import { settings } from './settings.model.ts'

const DAY_MS = 86_400_000

/** Nothing may be open when it is asked for, when it is agreed to and when it is done. */
export async function closingAsked(op: Operation, { memberId }: Application): Promise<Partial<Application>> {
  await announce(op, memberClosing, { memberId })
  return {}
}

/** Agreed to, it waits: a guardian may think better of it. */
export async function grantClosing(op: Operation, { memberId }: Application): Promise<Partial<Application>> {
  await announce(op, memberClosing, { memberId })
  const { waitDays } = await settingsOf(op.app, settings, op.tx)
  return { closesAt: new Date(op.now.getTime() + waitDays * DAY_MS).toISOString() }
}

/** Each reads all tables for copies of the person. */
const CLOSED_AT_ONCE = 20

const closeAccounts = defineJob({
  name: 'close-accounts',
  cron: '0 25 * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const due = await change.tx
      .selectFrom('member_application')
      .select(['id', 'member_id'])
      .where('status', '=', 'APPROVED')
      .where('closed_at', 'is', null)
      .where('closes_at', '<=', change.now.toISOString())
      .orderBy('closes_at')
      .limit(CLOSED_AT_ONCE)
      .execute()
    const closed = await each(due, ({ id, member_id: memberId }) => closeOne(change, id, memberId))
    const again = await each(await standingAgain(change), ({ id }) => eraseMember(change, id))
    await dropHeard(change)
    return closed + again
  },
})

/**
 * Erased once, and there again: an older copy of what is personal was brought back, beside what tells of the erasure or told
 * of it by the restore. Who joined after that erasure only got the same id.
 */
const standingAgain = ({ tx }: Change) =>
  tx
    .selectFrom('erasure as e')
    .innerJoin('member as m', 'm.id', 'e.member_id')
    .select('m.id')
    .where('m.status', '<>', 'CLOSED')
    .union(
      tx
        .selectFrom('erasure_heard as h')
        .innerJoin('member as m', 'm.id', 'h.member_id')
        .select('m.id')
        .where('m.status', '<>', 'CLOSED')
        .whereRef('m.created_at', '<', 'h.erased_at'),
    )
    .orderBy('id')
    .limit(CLOSED_AT_ONCE)
    .execute()

/** Whoever does not stand, or no longer does, needs no further hearing. */
const dropHeard = ({ tx }: Change) =>
  tx
    .deleteFrom('erasure_heard as h')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('member as m')
            .select('m.id')
            .whereRef('m.id', '=', 'h.member_id')
            .whereRef('m.created_at', '<', 'h.erased_at')
            .where('m.status', '<>', 'CLOSED'),
        ),
      ),
    )
    .execute()

/** Somebody may have taken it back meanwhile; and what was ordered meanwhile is seen to first, by the next turn or one after it. */
async function closeOne(change: Change, id: string, memberId: string): Promise<boolean> {
  await lockMember(change.tx, memberId)
  const still = await change.tx
    .selectFrom('member_application')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'APPROVED')
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!still) return false
  try {
    await announce(change, memberClosing, { memberId })
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
  await closeMember(change, memberId)
  await writeChange(change, resource, { id, closedAt: null }, { closedAt: change.now.toISOString() }, 'close')
  return true
}

export const jobs = [closeAccounts]

export const invariants: readonly Invariant[] = [
  {
    name: 'whose account was closed is erased, and nobody else is',
    query: `
      select m.id, m.status, e.erased_at from member m left join erasure e on e.member_id = m.id
      where (m.status = 'CLOSED') <> (e.member_id is not null)
      union all select m.id, m.status, a.closed_at from member_application a join member m on m.id = a.member_id
      where a.closed_at is not null and m.status <> 'CLOSED'`,
  },
]
