import { closeMember, eraseMember, memberClosing } from '#areas/members/member/closing.server.ts'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { Refused } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { eraseAfterwards } from '#kit/server/change/erasure.ts'
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
  async work(change, { each, signal }) {
    let closed = 0
    for (let due = await dueAfter(change, CLOSED_AT_ONCE); due.length > 0 && !signal.aborted; ) {
      closed += await each(due, row => closeOne(change, row))
      due = await dueAfter(change, CLOSED_AT_ONCE - closed, due.at(-1))
    }
    const again = await each(await standingAgain(change), ({ id }) => eraseMember(change, id))
    await each(await toGoOver(change), ({ id }) => goOver(change, id))
    await dropHeard(change)
    return closed + again
  },
})

type Due = { readonly id: string; readonly member_id: string; readonly closes_at: string | null }

/** Behind whoever was looked at last: those who owe something wait, and hold up nobody. */
const dueAfter = ({ tx, now }: Change, most: number, last?: Due): Promise<Due[]> =>
  tx
    .selectFrom('member_application')
    .select(['id', 'member_id', 'closes_at'])
    .where('status', '=', 'APPROVED')
    .where('closed_at', 'is', null)
    .where('closes_at', '<=', now.toISOString())
    .$if(last !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('closes_at', 'id'), '>', tuple(last?.closes_at ?? null, last?.id ?? '0')),
      ),
    )
    .orderBy('closes_at')
    .orderBy('id')
    .limit(most)
    .execute()

/** What was under way as the account was closed has ended after a day, and events that waited for others after a week. */
const GONE_OVER_AFTER_DAYS = [1, 8] as const

const toGoOver = ({ tx, now }: Change) =>
  tx
    .selectFrom('erasure as e')
    .innerJoin('member as m', 'm.id', 'e.member_id')
    .select('m.id')
    .where('m.status', '=', 'CLOSED')
    .where(({ eb, or }) =>
      or(
        GONE_OVER_AFTER_DAYS.map((days, turn) =>
          eb.and([
            eb('e.gone_over', '=', turn),
            eb('e.erased_at', '<=', new Date(now.getTime() - days * DAY_MS).toISOString()),
          ]),
        ),
      ),
    )
    .orderBy('e.erased_at')
    .limit(CLOSED_AT_ONCE)
    .execute()

async function goOver(change: Change, memberId: string): Promise<void> {
  await lockMember(change.tx, memberId)
  await eraseAfterwards(change, memberId)
}

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
async function closeOne(change: Change, { id, member_id: memberId }: Due): Promise<boolean> {
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
