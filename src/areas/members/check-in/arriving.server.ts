import { sql } from 'kysely'
import { findMember, type KnownMember, type Pupil } from '#areas/members/member/known.server.ts'
import { markSeen } from '#areas/members/member/seen.server.ts'
import { saidOfMember, word } from '#areas/members/member/telling.server.ts'
import { day, dictionary, instant } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { type Applying, defineEvent, NotYet } from '#kit/server/live/event.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { recount, rewardFor } from './counting.server.ts'
import { settings } from './settings.model.ts'

/** A phone without a network tells of it later; what is older is asked for as a make-up. */
const LATEST_MS = 48 * 3_600_000
/** How far a phone's clock may be ahead of ours. */
const AHEAD_MS = 5 * 60_000

export async function memberOf({ tx }: Applying, by: Pupil): Promise<KnownMember> {
  const member = await findMember(tx, by)
  if (!member) throw new NotYet(refuse('members/member:member-unknown'))
  return member
}

/** When it was, as far as that is told; not in the future, whatever a phone says. */
export function momentOf(now: Date, told: string | undefined): Date {
  const at = told === undefined ? now : new Date(told)
  if (at.getTime() > now.getTime() + AHEAD_MS) throw new Refused(refuse('members/check-in:not-yet-that-day'))
  return at
}

const checkedIn = defineEvent({
  type: 'check-in.submitted',
  sources: ['app'],
  data: saidOfMember({ plan: dictionary('CHECK_IN_PLAN'), at: instant().optional(), work: word(64).optional() }),
  async apply(applying, { plan, at: told, work, ...by }) {
    const { app, tx, now, key } = applying
    const at = momentOf(now, told)
    if (now.getTime() - at.getTime() > LATEST_MS) throw new Refused(refuse('members/check-in:too-late'))
    const member = await memberOf(applying, by)
    await checkIn(ownChange(app, tx, now, `event:${key}`), member, { plan, at, work: work ?? null })
  },
})

type Practised = { readonly plan: string; readonly at: Date; readonly work: string | null }

/** One a day and plan: the same day again changes nothing; one that was asked for as a make-up is none any more. */
async function checkIn(change: Change, member: KnownMember, { plan, at, work }: Practised): Promise<void> {
  const { tx } = change
  const on = dayOf(at)
  const { rows } = await sql<{ id: string }>`
    insert into check_in as c (member_id, plan, day, day_no, streak, work, submitted_at, owner_id, org_id, teacher_id)
    values (${member.id}, ${plan}, ${on}, 1, 1, ${work}, ${at}, ${member.ownerId}, ${member.orgId}, ${member.teacherId})
    on conflict (member_id, plan, day) where status <> 'REJECTED'
    do update set status = 'DONE', is_make_up = false, day_no = 1, streak = 1, work = excluded.work,
      submitted_at = excluded.submitted_at, version = c.version + 1
      where c.status = 'REQUESTED'
    returning id`.execute(tx)
  const stored = rows[0]
  if (!stored) return
  const days = await recount(change, { memberId: member.id, plan })
  await rewardFor(change, { id: stored.id, memberId: member.id, day: on }, days)
  await markSeen(tx, member.id, 'last_check_in_at', at)
}

const makeUpAsked = defineEvent({
  type: 'check-in.make-up-requested',
  sources: ['app'],
  data: saidOfMember({ plan: dictionary('CHECK_IN_PLAN'), day: day(), reason: word(200), work: word(64).optional() }),
  async apply(applying, { plan, day: on, reason, work, ...by }) {
    const { app, tx, now } = applying
    const member = await memberOf(applying, by)
    const bounds = await settingsOf(app, settings, tx)
    const today = dayOf(now)
    if (on >= today || on < addDays(today, -bounds.makeUpWithin))
      throw new Refused(refuse('members/check-in:make-up-outside', { days: bounds.makeUpWithin }))
    if ((await madeUpIn(applying, member.id, on.slice(0, 7))) >= bounds.makeUpsPerMonth)
      throw new Refused(refuse('members/check-in:make-ups-used', { count: bounds.makeUpsPerMonth }))
    const { rows } = await sql<{ id: string }>`
      insert into check_in (member_id, plan, day, is_make_up, status, reason, work, submitted_at, owner_id, org_id, teacher_id)
      values (${member.id}, ${plan}, ${on}, true, 'REQUESTED', ${reason}, ${work ?? null}, ${now},
        ${member.ownerId}, ${member.orgId}, ${member.teacherId})
      on conflict (member_id, plan, day) where status <> 'REJECTED' do nothing returning id`.execute(tx)
    if (rows.length === 0) throw new Refused(refuse('members/check-in:day-taken'))
  },
})

/** Asked for or granted, of days of this month; the member is locked, so that two at once do not pass the bound. */
async function madeUpIn({ tx }: Applying, memberId: string, month: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from check_in
    where member_id = ${memberId} and is_make_up and status <> 'REJECTED' and to_char(day, 'YYYY-MM') = ${month}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export const arriving = [checkedIn, makeUpAsked]
