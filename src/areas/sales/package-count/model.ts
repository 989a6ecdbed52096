import * as z from 'zod'
import { choice, id, instant, money, number, optional, reference as ref, version } from '#kit/model/field.ts'
import { defineResource } from '#kit/model/resource.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

const MAX_LESSONS = 500

/** How far members came in the course packages they began, and whether they bought something once they had finished one. */
export const resource = defineResource({
  screen: area.screens['package-count'],
  table: 'course_taken',
  record: z.strictObject({
    id: id(),
    memberId: ref('member'),
    packageId: ref('course-package'),
    reached: choice({ BEGUN: 'busy', HALF: 'special', FINISHED: 'attention', PAID: 'done' }),
    finished: number(0, MAX_LESSONS),
    lessons: number(1, MAX_LESSONS),
    percent: number(0, 100),
    begunAt: instant(),
    halfAt: optional(instant()),
    finishedAt: optional(instant()),
    paidAt: optional(instant()),
    paidFen: optional(money(1)),
    ownerThen: optional(ref('staff')),
    ownerId: optional(ref('staff')),
    version: version(),
  }),
  title: 'memberId',
  brief: ['memberId', 'packageId', 'finished', 'lessons', 'reached'],
  list: {
    columns: [
      'memberId',
      'packageId',
      'reached',
      'percent',
      'begunAt',
      'ownerThen',
      'finishedAt',
      'paidFen',
      'paidAt',
      'finished',
      'lessons',
      'halfAt',
      'ownerId',
    ],
    below: { paidAt: 'paidFen' },
    filters: ['packageId', 'ownerThen', 'begunAt', 'finishedAt', 'reached', 'percent', 'memberId', 'ownerId'],
    sort: ['begunAt', 'finishedAt', 'percent'],
    usual: 'begunAt:desc',
    tabs: 'reached',
    search: ['memberId'],
    behind: 'numbers',
  },
  actions: ['list', 'detail', 'export'],
  scope: 'owned',
})

const HALF = { reached: ['HALF', 'FINISHED', 'PAID'] }
const FINISHED = { reached: ['FINISHED', 'PAID'] }
const PAID = { reached: ['PAID'] }

/** Which courses are followed to their end, in whose hands, and whether that sells. */
export const statistic = defineStatistic({
  screen: area.screens['package-count'],
  of: resource,
  measures: {
    begun: { kind: 'count', good: 'more', rows: {} },
    half: { kind: 'count', good: 'more', rows: HALF },
    finished: { kind: 'count', good: 'more', rows: FINISHED },
    finishedRate: { kind: 'rate', good: 'more', rows: FINISHED },
    paid: { kind: 'count', good: 'more', rows: PAID },
    paidRate: { kind: 'rate', good: 'more', rows: PAID },
    amount: { kind: 'money', good: 'more', rows: PAID },
  },
  dimensions: { package: { field: 'packageId' }, owner: { field: 'ownerThen', none: 'owner.none' }, time: 'time' },
  across: ['package'],
  funnel: ['begun', 'half', 'finished', 'paid'],
  bases: { begun: 'begunAt' },
  filters: ['packageId', 'ownerThen'],
})
