import * as z from 'zod'
import { choice, id, instant, number, optional, reference as ref, text, version } from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Somebody looked at a product's order page and left without ordering: a call may help. */
export const resource = defineResource({
  screen: area.screens['browse-record'],
  table: 'browse_record',
  record: z.strictObject({
    id: id(),
    memberId: ref('member'),
    productName: text(100),
    times: number(1, 1_000_000),
    lastSeenAt: instant(),
    status: choice({ OPEN: 'attention', CONTACTED: 'busy', DISMISSED: 'idle', ORDERED: 'done' }),
    ownerId: optional(ref('staff')),
    createdAt: instant(),
    version: version(),
  }),
  title: 'productName',
  brief: ['productName', 'memberId', 'lastSeenAt'],
  list: {
    columns: ['memberId', 'productName', 'times', 'lastSeenAt', 'status', 'ownerId'],
    filters: ['status', 'ownerId', 'lastSeenAt', 'memberId', 'productName', 'times'],
    sort: ['times', 'lastSeenAt'],
    usual: 'lastSeenAt:desc',
    tabs: 'status',
    search: ['memberId', 'productName'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  clock: { since: 'lastSeenAt' },
})
export type BrowseRecord = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['OPEN', 'ORDERED'],
  steps: {
    contacted: { from: ['OPEN'], to: 'CONTACTED', awaits: true, of: 'ownerId', back: 'undo' },
    dismiss: { from: ['OPEN', 'CONTACTED'], to: 'DISMISSED', back: 'undo' },
  },
})
