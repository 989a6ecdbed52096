import * as z from 'zod'
import {
  branch,
  choice,
  colleague,
  id,
  instant,
  money,
  number,
  optional,
  reference as ref,
  tags,
  version,
} from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const MOST = 10_000
const count = () => number(0, 1_000_000)

/** The table is the engine's (`engines/allocation`): who leads are given to, on which terms, and how that goes today. */
export const resource = defineResource({
  screen: area.screens.consultant,
  table: 'consultant',
  record: z.strictObject({
    id: id(),
    staffId: ref('staff'),
    orgId: branch('department', 'org'),
    status: choice({ ON: 'done', PAUSED: 'attention' }),
    pausedUntil: optional(instant()),
    weight: number(1, 100),
    dailyCap: optional(number(1, MOST)),
    openCap: optional(number(1, MOST)),
    workDays: tags('WEEKDAY'),
    workFrom: number(0, 23),
    // A shift ends on the day it began.
    workTo: number(8, 24),
    received: count(),
    contacted: count(),
    claimed: count(),
    unspoken: count(),
    openLeads: count(),
    targetFen: optional(money()),
    ownerId: ref('staff'),
    createdAt: instant(),
    version: version(),
  }),
  title: 'staffId',
  brief: ['staffId', 'orgId', 'openLeads', 'unspoken'],
  list: {
    columns: [
      'staffId',
      'status',
      'weight',
      'received',
      'contacted',
      'unspoken',
      'openLeads',
      'targetFen',
      'orgId',
      'dailyCap',
      'openCap',
      'claimed',
      'workFrom',
      'workTo',
      'workDays',
      'pausedUntil',
    ],
    below: { orgId: 'staffId', dailyCap: 'received', openCap: 'unspoken', openLeads: 'unspoken', workTo: 'workFrom' },
    filters: ['status', 'staffId', 'orgId', 'weight'],
    sort: ['weight', 'received', 'unspoken', 'openLeads'],
    usual: 'id:asc',
    tabs: 'status',
    search: ['staffId'],
  },
  create: ['staffId', 'weight', 'dailyCap', 'openCap', 'workDays', 'workFrom', 'workTo'],
  edit: ['weight', 'dailyCap', 'openCap', 'workDays', 'workFrom', 'workTo'],
  actions: ['list', 'detail', 'create', 'update', 'export'],
  scope: 'owned',
  internal: ['ownerId'],
})
export type Consultant = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['ON', 'PAUSED'],
  steps: {
    pause: {
      from: ['ON'],
      to: 'PAUSED',
      input: { pausedUntil: optional(instant()) },
      reason: true,
      aside: true,
      back: 'undo',
    },
    resume: { from: ['PAUSED'], to: 'ON', back: 'undo' },
    setTarget: {
      input: { targetMonth: choice({ THIS: 'busy', NEXT: 'idle' }), targetFen: money() },
      aside: true,
      back: 'stays',
    },
    handOver: {
      input: { newOwnerId: colleague(area.screens.salvage, 'claim') },
      shows: ['openLeads', 'unspoken'],
      danger: true,
      aside: true,
      alone: true,
      back: 'stays',
    },
  },
})
