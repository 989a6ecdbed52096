import * as z from 'zod'
import { choice, id, instant, number, optional, reference as ref, version } from '#kit/model/field.ts'
import { defineResource } from '#kit/model/resource.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

const LAST_ROW = 2_147_483_647

/** The numbers of lists that were new, each once, with how far it has come. Lists and rows are those of `members/number-import`. */
export const resource = defineResource({
  screen: area.screens['phone-count'],
  table: 'number_row',
  record: z.strictObject({
    id: id(),
    leadId: ref('lead'),
    batchId: ref('number-import'),
    rowNo: number(1, LAST_ROW),
    reached: choice({
      IMPORTED: 'attention',
      ALLOCATED: 'special',
      CONTACTED: 'busy',
      ADDED: 'busy',
      REGISTERED: 'busy',
      PAID: 'done',
    }),
    result: choice({ OPEN: 'busy', REGISTERED: 'attention', PAID: 'done', INVALID: 'idle' }),
    heldBy: optional(ref('staff')),
    contactedAt: optional(instant()),
    addedAt: optional(instant()),
    createdAt: instant(),
    ownerId: optional(ref('staff')),
    version: version(),
  }),
  title: 'leadId',
  brief: ['leadId', 'batchId', 'heldBy', 'reached'],
  list: {
    columns: [
      'leadId',
      'batchId',
      'reached',
      'result',
      'heldBy',
      'contactedAt',
      'addedAt',
      'createdAt',
      'rowNo',
      'ownerId',
    ],
    below: { rowNo: 'batchId' },
    filters: ['batchId', 'heldBy', 'createdAt', 'reached', 'result', 'leadId', 'ownerId'],
    sort: ['createdAt'],
    usual: 'createdAt:desc',
    tabs: 'reached',
    search: [],
    behind: 'numbers',
  },
  actions: ['list', 'detail', 'export'],
  scope: 'owned',
})

const WAY = ['IMPORTED', 'ALLOCATED', 'CONTACTED', 'ADDED', 'REGISTERED', 'PAID'] as const

/** Numbers that came at least so far. */
const atLeast = (reached: (typeof WAY)[number]) => ({ reached: WAY.slice(WAY.indexOf(reached)) })

/** What comes of the numbers somebody brought in lists. */
export const statistic = defineStatistic({
  screen: area.screens['phone-count'],
  of: resource,
  measures: {
    imported: { kind: 'count', good: 'more', rows: {} },
    waiting: { kind: 'count', good: 'less', rows: { reached: ['IMPORTED'] } },
    allocated: { kind: 'count', good: 'more', rows: atLeast('ALLOCATED') },
    contacted: { kind: 'count', good: 'more', rows: atLeast('CONTACTED') },
    added: { kind: 'count', good: 'more', rows: atLeast('ADDED') },
    registered: { kind: 'count', good: 'more', rows: atLeast('REGISTERED') },
    paid: { kind: 'count', good: 'more', rows: atLeast('PAID') },
    paidRate: { kind: 'rate', good: 'more', rows: atLeast('PAID') },
    invalid: { kind: 'count', good: 'less', rows: { result: ['INVALID'] } },
  },
  dimensions: {
    batch: { field: 'batchId' },
    owner: { field: 'heldBy', none: 'owner.none' },
    time: 'time',
  },
  funnel: ['imported', 'allocated', 'contacted', 'added', 'registered', 'paid'],
  bases: { imported: 'createdAt' },
  filters: ['batchId', 'heldBy'],
})
