import * as z from 'zod'
import { CAUSES } from '#engines/message/cause.model.ts'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, number, optional, personal, reference } from '#kit/model/field.ts'
import type { RecordOf } from '#kit/model/resource.ts'
import { resource } from '../model.ts'

/** Whom a campaign goes to, one by one, and what became of each: why somebody got nothing. */
export const child = defineChild({
  of: resource,
  name: 'numbers',
  by: 'campaignId',
  within: 'memberId',
  table: 'campaign_number',
  record: z.strictObject({
    id: id(),
    campaignId: reference('campaign'),
    memberId: reference('member'),
    phone: personal('phone', 20),
    status: choice({
      WAITING: 'idle',
      SENDING: 'busy',
      SENT: 'busy',
      DELIVERED: 'done',
      FAILED: 'failed',
      UNKNOWN: 'attention',
      WITHHELD: 'idle',
      CANCELLED: 'idle',
    }),
    // What came by a list is known before anything is written: of messages it is no cause.
    cause: optional(choice({ ...CAUSES, LIST_NOT_AGREED: 'idle' })),
    parts: number(1, 100),
    attempt: number(1, 1_000),
    stateSince: instant(),
  }),
  title: 'phone',
  list: {
    columns: ['memberId', 'phone', 'status', 'cause', 'parts', 'attempt', 'stateSince'],
    filters: ['status', 'cause', 'id'],
    sort: [],
    usual: 'id:asc',
    tabs: 'status',
    search: [],
  },
})
export type CampaignNumber = RecordOf<typeof child.resource>
