import * as z from 'zod'
import { LEVELS } from '#areas/sales/salvage/levels.model.ts'
import { choice, dictionary, flag, id, inDetail, instant, number, reference as ref, version } from '#kit/model/field.ts'
import { defineResource } from '#kit/model/resource.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

/** How likely somebody looked to buy, each time a consultant judged it otherwise than before. */
export const resource = defineResource({
  screen: area.screens['intention-count'],
  table: 'lead_judgement',
  record: z.strictObject({
    id: id(),
    leadId: ref('lead'),
    /** Whether whoever looks may see the lead as it is now. */
    seesLead: inDetail(z.boolean()),
    ownerId: ref('staff'),
    was: choice({ NONE: 'idle', ...LEVELS }),
    level: choice(LEVELS),
    turn: choice({ FIRST: 'idle', RAISED: 'done', LOWERED: 'attention' }),
    isLast: flag(),
    daysOld: number(0, 100_000),
    source: dictionary('MEMBER_SOURCE'),
    channel: dictionary('CHANNEL'),
    judgedAt: instant(),
    version: version(),
  }),
  title: 'leadId',
  brief: ['leadId', 'ownerId', 'was', 'level', 'judgedAt'],
  list: {
    columns: ['leadId', 'ownerId', 'was', 'level', 'turn', 'isLast', 'daysOld', 'judgedAt', 'source', 'channel'],
    below: { channel: 'source' },
    filters: ['ownerId', 'judgedAt', 'turn', 'was', 'level', 'isLast', 'daysOld', 'source', 'channel', 'leadId'],
    sort: ['judgedAt', 'daysOld'],
    usual: 'judgedAt:desc',
    tabs: 'level',
    search: [],
    behind: 'numbers',
  },
  actions: ['list', 'detail', 'export'],
  scope: 'owned',
  isPast: true,
})

const now = (level: keyof typeof LEVELS) =>
  ({ kind: 'count', good: 'neither', rows: { level: [level], isLast: ['true'] } }) as const

/** How likely leads look, by how old they are, and from what to what that is judged anew. */
export const statistic = defineStatistic({
  screen: area.screens['intention-count'],
  of: resource,
  measures: {
    judged: { kind: 'count', good: 'more', rows: {} },
    nowA: now('A'),
    nowB: now('B'),
    nowC: now('C'),
    nowD: now('D'),
    raised: { kind: 'count', good: 'more', rows: { turn: ['RAISED'] } },
    lowered: { kind: 'count', good: 'less', rows: { turn: ['LOWERED'] } },
  },
  dimensions: {
    age: {
      field: 'daysOld',
      bands: { today: [0, 0], 'within-3': [1, 3], 'within-7': [4, 7], 'within-30': [8, 30], later: [31, null] },
    },
    was: { field: 'was' },
    owner: { field: 'ownerId' },
    time: 'time',
    level: { field: 'level' },
    channel: { field: 'channel' },
  },
  across: ['level', 'was'],
  bases: { judged: 'judgedAt' },
  filters: ['ownerId', 'channel', 'source'],
})
