import * as z from 'zod'
import { numbersEnding } from '#engines/sequence/model.ts'
import type { Actor } from '#kit/model/actor.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import {
  noRefundOpen,
  notTheApplicant,
  type ShipmentFacts,
  shipmentClock,
  shipmentFields,
  shipmentPath,
} from '../shipment.model.ts'

/** Parcels somebody has to let go before the warehouse packs them. */
export const resource = defineResource({
  screen: area.screens['shipment-approval'],
  table: 'shipment',
  record: z.strictObject(shipmentFields),
  title: 'shipmentNo',
  brief: ['shipmentNo', 'receiverName', 'province', 'goodsName', 'memberId', 'source'],
  list: {
    only: { status: ['TO_APPROVE', 'WAITING', 'HELD', 'REJECTED', 'CANCELLED'] },
    columns: [
      'shipmentNo',
      'status',
      'source',
      'goodsName',
      'parts',
      'isRepeat',
      'memberId',
      'applicantId',
      'waitsForStock',
      'orderId',
      'createdAt',
    ],
    filters: ['source', 'isRepeat', 'status', 'createdAt', 'memberId', 'orderId', 'applicantId', 'goodsName'],
    sort: ['createdAt'],
    tabs: 'status',
    search: ['shipmentNo', 'memberId', 'orderId'],
    ending: numbersEnding('S'),
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  clock: shipmentClock,
  asked: { by: 'applicantId', state: 'status' },
})
export type Application = RecordOf<typeof resource>

export const workflow = defineWorkflowWith<ShipmentFacts>()(resource)({
  field: 'status',
  arrivals: ['TO_APPROVE', 'HELD', 'SENT', 'SIGNED', 'RETURNED', 'LOST', 'MERGED', 'CANCELLED'],
  path: shipmentPath,
  steps: {
    approve: { from: ['TO_APPROVE'], to: 'WAITING', guard: mayGo, awaits: true, back: unprinted },
    reject: {
      from: ['TO_APPROVE'],
      to: 'REJECTED',
      guard: notTheApplicant,
      reason: true,
      danger: true,
      back: noRefundOpen,
    },
  },
})

/** A printed label lies in the warehouse: whoever packs goes by it. */
function unprinted({ printedAt }: Pick<Application, 'printedAt'>): Refusal | undefined {
  if (printedAt !== null) return refuse('label-printed')
}

function mayGo(row: Application, actor: Pick<Actor, 'id'>, facts: ShipmentFacts): Refusal | undefined {
  if (row.receiverAddress === null) return refuse('address-missing')
  return notTheApplicant(row, actor) ?? noRefundOpen(row, actor, facts)
}
