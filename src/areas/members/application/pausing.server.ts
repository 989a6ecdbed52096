import { keepPaused, lockMember } from '#areas/members/member/holding.server.ts'
import { refundsUnderWay } from '#areas/members/member/server.ts'
import { pausesOf } from '#engines/entitlement/pauses.server.ts'
import { endPause, pause } from '#engines/entitlement/pausing.server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask } from '#kit/server/change/question.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { type Application, resource } from './model.ts'
import { pauseOf, type Standing, type Wanted, whyNotPause } from './pausing.model.ts'
import { settings } from './settings.model.ts'

export async function pauseAsked(op: Operation, application: Application): Promise<Partial<Application>> {
  await requirePossible(op, application.memberId, wantedOf(application))
  return {}
}

/** Agreed to after its first day it begins today: what passed meanwhile could be used. */
export async function grantPause(op: Operation, application: Application): Promise<Partial<Application>> {
  const { id, memberId } = application
  const wanted = wantedOf(application)
  const paused = pauseOf(wanted, dayOf(op.now))
  await requirePossible(op, memberId, { ...wanted, from: paused.startsOn })
  await pause(op, { memberId, applicationId: id }, paused)
  await keepPaused(op, memberId)
  return { pauseFrom: paused.startsOn, pausedUntil: paused.endsOn }
}

/** Only what was really paused is had: the membership ends earlier than was said. */
export async function endPaused(
  op: Operation,
  { id, memberId, pausedUntil }: Application,
): Promise<Partial<Application>> {
  // Over by the calendar, and nothing has said so yet.
  if (pausedUntil !== null && pausedUntil < dayOf(op.now)) throw new Refused(refuse('pause-is-over'))
  const last = await endPause(op, { memberId, applicationId: id })
  await keepPaused(op, memberId)
  return { pausedUntil: last, pauseOverAt: op.now.toISOString() }
}

/** The form of this kind asks for both. */
const wantedOf = ({ pauseFrom, pauseDays }: Application): Wanted => ({
  from: pauseFrom as string,
  days: pauseDays as number,
})

async function requirePossible(op: Operation, memberId: string, wanted: Wanted): Promise<void> {
  const why = whyNotPause(wanted, await standingOf(op, memberId))
  if (why) throw onField(why.field, why.refusal)
}

async function standingOf({ app, tx, now }: Operation, memberId: string): Promise<Standing> {
  const { membershipEndsOn } = await tx
    .selectFrom('member')
    .select('membership_ends_on as membershipEndsOn')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  const closing = await tx
    .selectFrom('member_application')
    .select('id')
    .where('member_id', '=', memberId)
    .where('kind', '=', 'CLOSE')
    .where('status', 'in', ['SUBMITTED', 'L1_APPROVED', 'APPROVED'])
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  const { count: openRefunds } = await ask(app, refundsUnderWay, { memberId })
  const { pauseDays: daysAYear } = await settingsOf(app, settings, tx)
  const pauses = await pausesOf(tx, memberId)
  return { today: dayOf(now), membershipEndsOn, pauses, openRefunds, isClosing: closing !== undefined, daysAYear }
}

const OVER_AT_ONCE = 500

/** The days themselves count by the calendar; the request says that it is over, so that nobody ends it again. */
const endPauses = defineJob({
  name: 'end-pauses',
  cron: '0 */10 * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const over = await change.tx
      .selectFrom('member_application')
      .select(['id', 'member_id'])
      .where('paused_until', '<', dayOf(change.now))
      .where('pause_over_at', 'is', null)
      .orderBy('paused_until')
      .limit(OVER_AT_ONCE)
      .execute()
    return each(over, async ({ id, member_id: memberId }) => {
      await lockMember(change.tx, memberId)
      const still = await change.tx
        .selectFrom('member_application')
        .select('id')
        .where('id', '=', id)
        .where('pause_over_at', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      if (!still) return false
      await writeChange(
        change,
        resource,
        { id, pauseOverAt: null },
        { pauseOverAt: change.now.toISOString() },
        'pauseOver',
      )
      return true
    })
  },
})

export const jobs = [endPauses]

export const invariants: readonly Invariant[] = [
  {
    name: 'a membership stands still on the days that were agreed to, and on no others',
    query: `
      select a.id, a.application_no, p.id as pause from
        (select * from member_application where kind = 'PAUSE' and status = 'APPROVED'
          and (paused_until is not null or pause_over_at is null)) a
        full join entitlement_pause p on p.application_id = a.id
      where (a.member_id, a.pause_from, a.paused_until) is distinct from (p.member_id, p.starts_on, p.ends_on)
        or p.ends_on - p.starts_on >= a.pause_days`,
  },
]
