import * as z from 'zod'
import type { Got, Left } from '#engines/lead/model.ts'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, money, optional, reference, type Tone, text } from '#kit/model/field.ts'
import type { RecordOf } from '#kit/model/resource.ts'
import { resource } from '../model.ts'

/** Whose a lead was from when to when: how it came into these hands, how it left them, and by whom. */
export const child = defineChild({
  of: resource,
  name: 'owners',
  by: 'leadId',
  table: 'lead_owner',
  record: z.strictObject({
    id: id(),
    leadId: id(),
    ownerId: reference('staff'),
    since: instant(),
    got: choice({
      ALLOCATED: 'idle',
      ASSIGNED: 'idle',
      HANDED_OVER: 'attention',
      CLAIMED: 'special',
    } satisfies Record<Got, Tone>),
    byId: optional(reference('staff')),
    contactedAt: optional(instant()),
    until: optional(instant()),
    endKind: optional(
      choice({
        MOVED: 'idle',
        HANDED_OVER: 'attention',
        RETURNED: 'attention',
        EXPIRED: 'failed',
        DEAL: 'done',
        LOST: 'failed',
        INVALID: 'idle',
      } satisfies Record<Left, Tone>),
    ),
    /** Of why it was given back, or ended: what is taken back by rule has one of its own too. */
    endReason: optional(text(100)),
    endedById: optional(reference('staff')),
    dealFen: optional(money()),
  }),
  title: 'ownerId',
  list: {
    columns: [
      'ownerId',
      'since',
      'got',
      'byId',
      'contactedAt',
      'until',
      'endKind',
      'endReason',
      'endedById',
      'dealFen',
    ],
    filters: [],
    sort: ['since'],
    usual: 'since:desc',
    search: [],
  },
})
export type Span = RecordOf<typeof child.resource>
