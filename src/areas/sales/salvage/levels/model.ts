import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, number, reference } from '#kit/model/field.ts'
import { LEVELS } from '../levels.model.ts'
import { resource } from '../model.ts'

/** Each time whoever had the lead judged anew how likely its person looks to buy. */
export const child = defineChild({
  of: resource,
  name: 'levels',
  by: 'leadId',
  table: 'lead_judgement',
  record: z.strictObject({
    id: id(),
    leadId: id(),
    judgedAt: instant(),
    was: choice({ NONE: 'idle', ...LEVELS }),
    level: choice(LEVELS),
    turn: choice({ FIRST: 'idle', RAISED: 'done', LOWERED: 'failed' }),
    ownerId: reference('staff'),
    daysOld: number(0, 100_000),
  }),
  title: 'level',
  list: {
    columns: ['judgedAt', 'was', 'level', 'turn', 'ownerId', 'daysOld'],
    filters: [],
    sort: [],
    search: [],
  },
})
