import { sql } from 'kysely'
import { fen } from '#kit/model/money.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import type { SchoolTeacher, workflow } from './model.ts'
import { type Rewarding, whyNotThisReward } from './rewarding.model.ts'
import { settings } from './settings.model.ts'

const yearOf = (now: Date): string => `${dayOf(now).slice(0, 4)}-01-01`

/** How much each of these teachers may be given this year, and was. */
export async function rewardingOf(
  app: App,
  db: Reading,
  rows: readonly Pick<SchoolTeacher, 'id'>[],
): Promise<ReadonlyMap<string, Rewarding>> {
  const { yearFen } = await settingsOf(app, settings, db)
  const given = await db
    .selectFrom('school_teacher_reward')
    .select(({ fn }) => ['teacher_id as id', fn.sum('value_fen').as('fen')])
    .where('teacher_id', 'in', rows.length === 0 ? ['0'] : rows.map(({ id }) => id))
    .where('given_on', '>=', yearOf(app.clock.now()))
    .groupBy('teacher_id')
    .execute()
  const byTeacher = new Map(given.map(({ id, fen: sum }) => [id, Number(sum)]))
  return new Map(rows.map(({ id }) => [id, { yearFen, givenFen: byTeacher.get(id) ?? 0 }]))
}

/** What somebody was given is written down; the row of the teacher is locked, so that two together pass no bound. */
export async function noteReward(
  op: Operation,
  teacher: SchoolTeacher,
  { rewardKind, valueFen, what, givenOn }: EnteredWith<typeof workflow, 'noteReward'>,
): Promise<Partial<SchoolTeacher>> {
  const today = dayOf(op.now)
  // Of another year it would count against nothing.
  if (givenOn > today || givenOn < yearOf(op.now))
    throw onField('givenOn', refuse('given-when', { from: yearOf(op.now), to: today }))
  const rewarding = (await rewardingOf(op.app, op.tx, [teacher])).get(teacher.id)
  const wrong = rewarding && whyNotThisReward(teacher, { rewardKind, valueFen }, rewarding)
  if (wrong) throw onField(wrong.field, wrong.refusal)
  await sql`
    insert into school_teacher_reward (teacher_id, reward_kind, value_fen, what, given_on, by_id, was_serving, created_at)
    values (${teacher.id}, ${rewardKind}, ${valueFen}, ${what}, ${givenOn}, ${op.actor.id}, ${!teacher.hasLeft}, ${op.now})`.execute(
    op.tx,
  )
  return { rewardedFen: fen(teacher.rewardedFen + valueFen) }
}

/** It was not given after all. */
export const forgetReward = async ({ tx }: Operation, { id }: SchoolTeacher, _before: unknown, at: Date) => {
  await sql`delete from school_teacher_reward where teacher_id = ${id} and created_at = ${at}`.execute(tx)
}
