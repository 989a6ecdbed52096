import * as z from 'zod'
import type { Pupil } from '#areas/members/member/known.server.ts'
import { saidOfMember, word } from '#areas/members/member/telling.server.ts'
import { spendIfThere } from '#engines/entitlement/server.ts'
import { leadsTried } from '#engines/lead/ending.server.ts'
import { ID, instant } from '#kit/model/field.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Applying, defineEvent } from '#kit/server/live/event.ts'
import { memberOf, momentOf } from './arriving.server.ts'

const THROUGH = 100

/** A member, who is locked, has come further in a lesson of a course package: whoever counts courses need not know the app. */
export const courseFollowed = defineAnnouncement<{ readonly memberId: string; readonly packageId: string }>(
  'course-followed',
)

type Told = {
  readonly lesson: string
  readonly title: string
  readonly kind: 'LIVE' | 'RECORDED'
  readonly percent: number
}

const said = { lesson: word(64), title: word(100), at: instant().optional() }

/** A pupil came to a live lesson. */
const attended = defineEvent({
  type: 'lesson.attended',
  sources: ['app'],
  data: saidOfMember(said),
  apply: (applying, { lesson, title, at, ...by }) =>
    takePart(applying, by, { lesson, title, kind: 'LIVE', percent: THROUGH }, at),
})

/**
 * A pupil came so far in a recorded one. One that belongs to a course package, which the app names by its id, costs nothing of its
 * own: courses go by days.
 */
const progressed = defineEvent({
  type: 'lesson.progressed',
  sources: ['app'],
  data: saidOfMember({ ...said, percent: z.int().min(0).max(THROUGH), coursePackage: word(64).optional() }),
  apply: (applying, { lesson, title, percent, coursePackage, at, ...by }) =>
    takePart(applying, by, { lesson, title, kind: 'RECORDED', percent }, at, coursePackage),
})

export const lessons = [attended, progressed]

async function takePart(
  applying: Applying,
  by: Pupil,
  told: Told,
  saidAt: string | undefined,
  coursePackage?: string,
): Promise<void> {
  const { app, tx, now, key } = applying
  const at = momentOf(now, saidAt)
  const { id: memberId } = await memberOf(applying, by)
  const change = ownChange(app, tx, now, `event:${key}`)
  const packageId = await packageOf(tx, coursePackage)
  await count(change, memberId, told, { at, packageId, costs: coursePackage === undefined })
  if (packageId !== null) await announce(change, courseFollowed, { memberId, packageId })
}

/** The course package the app named; nothing for one nobody here knows. */
async function packageOf(tx: Tx, named: string | undefined): Promise<string | null> {
  if (named === undefined || !ID.test(named)) return null
  const found = await tx.selectFrom('course_package').select('id').where('id', '=', named).executeTakeFirst()
  return found?.id ?? null
}

/**
 * Keeps how far the pupil came, never less than before, and spends a lesson once the pupil is through, once: the member is
 * locked, so that the same told twice at once is told one after the other. Where nothing can be spent, it cost nothing.
 */
async function count(
  change: Change,
  memberId: string,
  told: Told,
  { at, packageId, costs }: { at: Date; packageId: string | null; costs: boolean },
): Promise<void> {
  const { tx, now } = change
  const before = await tx
    .selectFrom('lesson_taken')
    .select(['id', 'percent', 'begun_at', 'last_at', 'status'])
    .where('member_id', '=', memberId)
    .where('lesson', '=', told.lesson)
    .executeTakeFirst()
  const percent = Math.max(told.percent, before?.percent ?? 0)
  const isNew = percent === THROUGH && (before === undefined || before.status === 'BEGUN')
  const asked = { memberId, kind: 'LESSONS', units: 1, note: told.title } as const
  const isSpent = isNew && costs && (await spendIfThere(change, asked))
  const state = isNew
    ? { status: isSpent ? ('COUNTED' as const) : ('FREE' as const), counted_at: isSpent ? now : null }
    : {}
  if (!before) {
    await leadsTried(change, memberId)
    const begun = { status: 'BEGUN' as const, begun_at: at, last_at: at, ...state }
    await tx
      .insertInto('lesson_taken')
      .values({ member_id: memberId, package_id: packageId, ...told, ...begun })
      .execute()
    return
  }
  // What is told late turns nothing back.
  const begunAt = at < new Date(before.begun_at) ? at : before.begun_at
  const lastAt = at > new Date(before.last_at) ? at : before.last_at
  const ofPackage = packageId === null ? {} : { package_id: packageId }
  await tx
    .updateTable('lesson_taken')
    .set({ percent, begun_at: begunAt, last_at: lastAt, ...ofPackage, ...state })
    .where('id', '=', before.id)
    .execute()
}
