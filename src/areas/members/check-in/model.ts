import * as z from 'zod'
import {
  choice,
  day,
  dictionary,
  flag,
  id,
  instant,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const MAX_DAYS = 100_000

/** A pupil practised on a day of a plan, or asks to have a missed one counted. */
export const resource = defineResource({
  screen: area.screens['check-in'],
  table: 'check_in',
  record: z.strictObject({
    id: id(),
    memberId: ref('member'),
    plan: dictionary('CHECK_IN_PLAN'),
    day: day(),
    dayNo: number(0, MAX_DAYS),
    streak: number(0, MAX_DAYS),
    isMakeUp: flag(),
    status: choice({ REQUESTED: 'attention', DONE: 'done', REJECTED: 'failed' }),
    reason: optional(text(200)),
    work: optional(text(64)),
    rewardCoins: number(0, 10_000),
    quietSince: optional(day()),
    toldAt: optional(instant()),
    submittedAt: instant(),
    ownerId: optional(ref('staff')),
    teacherId: optional(ref('staff')),
    version: version(),
  }),
  title: 'memberId',
  brief: ['memberId', 'plan', 'day', 'streak'],
  list: {
    columns: [
      'memberId',
      'plan',
      'day',
      'streak',
      'status',
      'quietSince',
      'dayNo',
      'isMakeUp',
      'rewardCoins',
      'submittedAt',
      'teacherId',
      'work',
      'toldAt',
      'ownerId',
    ],
    below: { submittedAt: 'day' },
    filters: ['plan', 'day', 'quietSince', 'streak', 'isMakeUp', 'status', 'memberId', 'teacherId', 'ownerId'],
    sort: ['day', 'streak'],
    usual: 'day:desc',
    tabs: 'status',
    search: ['memberId'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  carer: 'teacherId',
  clock: { since: 'submittedAt', hours: { REQUESTED: 48 } },
})
export type CheckIn = RecordOf<typeof resource>

/** For how many days the pupil has not come; nothing where a later day of the plan stands. */
export type CheckInFacts = { readonly lapsedDays: number | null }

export const daysSince = (day: string, today: string): number =>
  Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000)

/** Who is away since yesterday has not lapsed: today is not over. */
const LEAST_LAPSED = 2

function whyNotTold(row: Pick<CheckIn, 'teacherId'>, { lapsedDays }: CheckInFacts): Refusal | undefined {
  if (lapsedDays === null) return refuse('came-later')
  if (lapsedDays < LEAST_LAPSED) return refuse('not-lapsed')
  if (row.teacherId === null) return refuse('no-teacher')
}

export const workflow = defineWorkflowWith<CheckInFacts>()(resource)({
  field: 'status',
  arrivals: ['DONE', 'REQUESTED'],
  steps: {
    approve: { from: ['REQUESTED'], to: 'DONE', awaits: true, shows: ['reason'], back: 'stays' },
    reject: { from: ['REQUESTED'], to: 'REJECTED', reason: true, danger: true, back: 'undo' },
    tellTeacher: { from: ['DONE'], guard: (row, _actor, facts) => whyNotTold(row, facts), aside: true, back: 'stays' },
  },
})

/** One day of a member's calendar. */
export const calendarDay = z.strictObject({
  day: z.string(),
  plan: z.string(),
  streak: z.int(),
  isMakeUp: z.boolean(),
  status: z.enum(['REQUESTED', 'DONE']),
})
export type CalendarDay = z.infer<typeof calendarDay>
