import * as z from 'zod'
import { numbersEnding } from '#engines/sequence/model.ts'
import { dictionary } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { parts, piecesOf } from '../parts.model.ts'
import {
  noRefundOpen,
  type ShipmentFacts,
  shipmentClock,
  shipmentFields,
  shipmentPath,
  trackingNumber,
} from '../shipment.model.ts'

/** The send desk: parcels that may leave, and those somebody keeps back. */
export const resource = defineResource({
  screen: area.screens.shipment,
  table: 'shipment',
  record: z.strictObject(shipmentFields),
  title: 'shipmentNo',
  brief: ['shipmentNo', 'receiverName', 'province', 'goodsName', 'memberId'],
  evidence: ['parts', 'receiverAddress', 'note'],
  list: {
    only: { status: ['WAITING', 'HELD'] },
    columns: [
      'shipmentNo',
      'status',
      'receiverName',
      'province',
      'goodsName',
      'printedAt',
      'receiverAddress',
      'parts',
      'memberId',
      'source',
      'createdAt',
      'waitsForStock',
      'reprint',
    ],
    below: { waitsForStock: 'goodsName', reprint: 'printedAt' },
    filters: [
      'goodsName',
      'province',
      'status',
      'createdAt',
      'waitsForStock',
      'source',
      'memberId',
      'orderId',
      'isRepeat',
    ],
    sort: ['createdAt'],
    tabs: 'status',
    search: ['shipmentNo', 'memberId', 'orderId'],
    ending: numbersEnding('S'),
  },
  edit: ['note'],
  actions: ['list', 'detail', 'update', 'export', 'reveal'],
  scope: 'owned',
  clock: shipmentClock,
})
export type Shipment = RecordOf<typeof resource>

/** Paper for so many parcels is made while whoever prints waits; for more by a task, and for no more than these. */
export const PRINTED_AT_ONCE = 50
export const MAX_PRINTED = 500

/** Besides steps: paper for many, and several parcels into one. */
export const actions = ['print', 'merge']

export const workflow = defineWorkflowWith<ShipmentFacts>()(resource)({
  field: 'status',
  arrivals: ['TO_APPROVE', 'REJECTED', 'WAITING', 'SIGNED', 'RETURNED', 'LOST', 'MERGED', 'CANCELLED'],
  path: shipmentPath,
  steps: {
    send: {
      from: ['WAITING'],
      to: 'SENT',
      alone: true,
      awaits: true,
      guard: mayLeave,
      shows: ['receiverPhone', 'receiverAddress'],
      input: { carrier: dictionary('CARRIER'), trackingNo: trackingNumber() },
      back: 'stays',
    },
    hold: { from: ['WAITING'], to: 'HELD', reason: true, back: 'undo' },
    release: { from: ['HELD'], to: 'WAITING', back: 'undo' },
    split: { from: ['WAITING'], alone: true, guard: severalPieces, input: { parts: parts() }, back: 'stays' },
  },
})

function mayLeave(row: Shipment, actor: unknown, facts: ShipmentFacts): Refusal | undefined {
  if (row.waitsForStock) return refuse('waits-for-stock')
  if (row.reprint) return refuse('label-outdated')
  return noRefundOpen(row, actor, facts)
}

function severalPieces(row: Pick<Shipment, 'parts'>): Refusal | undefined {
  if (piecesOf(row.parts) < 2) return refuse('one-piece')
}

export const reference = defineReference({
  name: 'shipment',
  table: 'shipment',
  label: { name: 'shipment_no', note: { column: 'goods_name', personal: null }, tone: null },
  search: ['shipment_no'],
  whose: { column: 'member_id', to: 'member' },
  scope: 'owned',
})
