import * as z from 'zod'
import {
  choice,
  dictionary,
  id,
  inDetail,
  instant,
  number,
  optional,
  reference as ref,
  version,
} from '#kit/model/field.ts'
import { defineResource } from '#kit/model/resource.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

/** What consultants do with leads: each thing once, when it was done and by whom. */
export const resource = defineResource({
  screen: area.screens['act-count'],
  table: 'lead_act',
  record: z.strictObject({
    id: id(),
    leadId: ref('lead'),
    /** Whether whoever looks may see the lead as it is now. */
    seesLead: inDetail(z.boolean()),
    ownerId: ref('staff'),
    act: choice({
      FOLLOW_UP: 'busy',
      CLAIM: 'special',
      ADD: 'busy',
      JUDGE: 'busy',
      ASSIGN: 'special',
      GIVE_BACK: 'attention',
      LOSE: 'failed',
      DISMISS: 'idle',
    }),
    way: optional(dictionary('FOLLOW_UP_KIND')),
    hour: number(0, 23),
    doneAt: instant(),
    version: version(),
  }),
  title: 'leadId',
  brief: ['leadId', 'ownerId', 'act', 'doneAt'],
  list: {
    columns: ['leadId', 'ownerId', 'act', 'way', 'doneAt'],
    filters: ['ownerId', 'doneAt', 'act', 'way', 'hour', 'leadId'],
    sort: ['doneAt'],
    usual: 'doneAt:desc',
    tabs: 'act',
    search: [],
    behind: 'numbers',
  },
  actions: ['list', 'detail', 'export'],
  scope: 'owned',
  isPast: true,
  internal: ['hour'],
})

const CHANGES = ['CLAIM', 'ADD', 'JUDGE', 'ASSIGN', 'GIVE_BACK', 'LOSE', 'DISMISS']

/** How much is done with leads, by whom and at which hours. */
export const statistic = defineStatistic({
  screen: area.screens['act-count'],
  of: resource,
  measures: {
    acts: { kind: 'count', good: 'more', rows: {} },
    followUps: { kind: 'count', good: 'more', rows: { act: ['FOLLOW_UP'] } },
    calls: { kind: 'count', good: 'more', rows: { way: ['PHONE'] } },
    messages: { kind: 'count', good: 'more', rows: { way: ['CHAT', 'SMS'] } },
    visits: { kind: 'count', good: 'more', rows: { way: ['VISIT'] } },
    changes: { kind: 'count', good: 'neither', rows: { act: CHANGES } },
  },
  dimensions: {
    owner: { field: 'ownerId' },
    hour: {
      field: 'hour',
      bands: {
        early: [0, 8],
        'from-9': [9, 10],
        'from-11': [11, 12],
        'from-13': [13, 14],
        'from-15': [15, 16],
        'from-17': [17, 18],
        'from-19': [19, 20],
        late: [21, 23],
      },
    },
    time: 'time',
    act: { field: 'act' },
  },
  across: ['owner', 'act'],
  bases: { done: 'doneAt' },
  filters: ['ownerId'],
})
