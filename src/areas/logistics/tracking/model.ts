import * as z from 'zod'
import { numbersEnding } from '#engines/sequence/model.ts'
import type { Actor } from '#kit/model/actor.ts'
import { inDetail } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { parts } from '../parts.model.ts'
import { noRefundOpen, type ShipmentFacts, shipmentFields, shipmentPath } from '../shipment.model.ts'

/** What a carrier tells of a parcel. */
const trackingEvent = z.strictObject({ at: z.string(), status: z.string(), content: z.string() })
const returned = z.strictObject({ baseProductId: z.string(), name: z.string(), quantity: z.int(), returned: z.int() })

/** Parcels that have left: where they are, and what becomes of those that do not arrive. */
export const resource = defineResource({
  screen: area.screens.tracking,
  table: 'shipment',
  record: z.strictObject({
    ...shipmentFields,
    events: inDetail(z.array(trackingEvent)),
    returns: inDetail(z.array(returned)),
  }),
  title: 'shipmentNo',
  brief: ['shipmentNo', 'receiverName', 'goodsName', 'memberId', 'carrier', 'trackingNo'],
  list: {
    only: { status: ['SENT', 'SIGNED', 'RETURNED', 'LOST'] },
    columns: [
      'shipmentNo',
      'trackingStatus',
      'trackingNo',
      'lastEvent',
      'carrier',
      'lastEventAt',
      'sentAt',
      'receiverName',
      'memberId',
      'goodsName',
      'status',
      'orderId',
    ],
    filters: [
      'trackingStatus',
      'carrier',
      'status',
      'lastEventAt',
      'sentAt',
      'trackingNo',
      'memberId',
      'orderId',
      'province',
      'source',
    ],
    sort: ['sentAt', 'lastEventAt'],
    tabs: 'status',
    search: ['shipmentNo', 'trackingNo', 'memberId', 'orderId'],
    ending: numbersEnding('S'),
  },
  edit: ['note'],
  actions: ['list', 'detail', 'update', 'export', 'reveal'],
  scope: 'owned',
  clock: { since: 'stateSince' },
})
export type Tracked = RecordOf<typeof resource>

/** Besides: whether somebody decides on a parcel that replaces it, or all of it has been sent again. */
export type TrackedFacts = (ShipmentFacts & { readonly resent?: 'open' | 'whole' }) | undefined

export const workflow = defineWorkflowWith<TrackedFacts>()(resource)({
  field: 'status',
  arrivals: ['TO_APPROVE', 'REJECTED', 'WAITING', 'HELD', 'SENT', 'SIGNED', 'RETURNED', 'MERGED', 'CANCELLED'],
  outside: ['SENT'],
  path: shipmentPath,
  steps: {
    refresh: { from: ['SENT', 'LOST'], back: 'idle' },
    receiveBack: { from: ['SENT', 'SIGNED', 'LOST'], alone: true, input: { parts: parts() }, back: 'stays' },
    resend: {
      from: ['SIGNED', 'RETURNED', 'LOST'],
      alone: true,
      guard: mayResend,
      reason: true,
      input: { parts: parts() },
      back: 'stays',
    },
    markLost: { from: ['SENT'], to: 'LOST', reason: true, danger: true, back: noRefundOpen },
  },
})

/** Nobody gets goods twice for having lost them once. */
function mayResend(row: Tracked, actor: Pick<Actor, 'id'>, facts: TrackedFacts): Refusal | undefined {
  if (facts?.resent) return refuse(`resend-${facts.resent}`)
  return noRefundOpen(row, actor, facts)
}
