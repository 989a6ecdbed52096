import type { TrackingStatus } from '#engines/carrier/status.model.ts'
import {
  choice,
  code,
  dictionary,
  flag,
  id,
  instant,
  longText,
  optional,
  personal,
  reference as ref,
  type Tone,
  text,
  version,
} from '#kit/model/field.ts'
import { byAnother } from '#kit/model/four-eyes.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { parts } from './parts.model.ts'

/** As carriers print it; people type it with blanks and in small letters. */
export const TRACKING_NO = /^[0-9A-Z-]{6,40}$/
export const trackingNumber = () =>
  code(40)
    .overwrite(typed => typed.replace(/\s/g, '').toUpperCase())
    .regex(TRACKING_NO)

/** A parcel from the promise to the door. Three screens stand on it: may it leave, let it leave, where is it. */
export const shipmentFields = {
  id: id(),
  shipmentNo: code(14),
  stateSince: optional(instant()),
  source: choice({ ORDER: 'busy', GIFT: 'special', RESEND: 'attention', COIN_ORDER: 'special', REDEMPTION: 'special' }),
  status: choice({
    TO_APPROVE: 'attention',
    REJECTED: 'failed',
    WAITING: 'attention',
    HELD: 'attention',
    SENT: 'busy',
    SIGNED: 'done',
    RETURNED: 'special',
    LOST: 'failed',
    MERGED: 'idle',
    CANCELLED: 'idle',
  }),
  orderId: optional(ref('order')),
  coinOrderId: optional(ref('coin-order')),
  memberId: ref('member'),
  // Missing while nobody has said where the goods go.
  receiverName: optional(personal('name', 50)),
  receiverPhone: optional(personal('phone', 20)),
  province: optional(dictionary('PROVINCE')),
  receiverAddress: optional(personal('address', 200)),
  goodsName: text(100),
  parts: parts(),
  waitsForStock: flag(),
  isRepeat: flag(),
  resendOf: optional(ref('shipment')),
  mergedInto: optional(ref('shipment')),
  applicantId: optional(ref('staff')),
  decidedBy: optional(ref('staff')),
  printedAt: optional(instant()),
  reprint: flag(),
  carrier: optional(dictionary('CARRIER')),
  trackingNo: optional(trackingNumber()),
  trackingStatus: choice({
    PENDING: 'idle',
    SHIPPED: 'busy',
    PICKED: 'busy',
    TRANSIT: 'busy',
    DELIVERING: 'busy',
    STATION: 'attention',
    SIGNED: 'done',
    PROBLEM: 'failed',
    RETURNING: 'special',
    RETURNED: 'special',
    REJECTED: 'failed',
    CANCELLED: 'idle',
  } satisfies Record<TrackingStatus, Tone>),
  lastEvent: longText(500),
  lastEventAt: optional(instant()),
  sentAt: optional(instant()),
  signedAt: optional(instant()),
  note: longText(500),
  createdAt: instant(),
  version: version(),
} as const

/** Where goods are promised and have not left. */
export const OPEN = ['TO_APPROVE', 'WAITING', 'HELD'] as const

/** From the promise to the door. */
export const shipmentPath = () => ['status.TO_APPROVE', 'status.WAITING', 'status.SENT', 'status.SIGNED']

/** What its orders know of a parcel. */
export type ShipmentFacts = { readonly refundOpen: boolean } | undefined

/** A day to approve, two until a parcel leaves (decision 032); what is held waits for nobody. */
export const shipmentClock = { since: 'stateSince', hours: { TO_APPROVE: 24, WAITING: 48 } } as const

/** Money somebody asks back may be for these very goods: until it is decided, nothing leaves. */
export function noRefundOpen(_row: unknown, _actor: unknown, facts: ShipmentFacts): Refusal | undefined {
  if (facts?.refundOpen) return refuse('logistics:refund-open')
}

/** Nobody lets go what he asked for. */
export const notTheApplicant = byAnother('applicantId', 'logistics:own-shipment')
