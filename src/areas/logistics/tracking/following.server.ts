import { lockOrdersOf, tellAbout } from '#areas/logistics/shipment/fulfilment.server.ts'
import { markAsked } from '#areas/logistics/shipment/lines.server.ts'
import type { TrackEvent } from '#engines/carrier/port.server.ts'
import { openCarrier } from '#engines/carrier/server.ts'
import type { TrackingStatus } from '#engines/carrier/status.model.ts'
import { send } from '#engines/message/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App, Change } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { resource } from './model.ts'
import { parcelSent } from './parcel-sent.model.ts'

const KIND = 'parcel-track'
type Payload = { readonly shipmentId: string; readonly isFirst: boolean }

/** Asked oftener, the tracking service locks the number. */
const ASK_AGAIN_MS = 30 * 60_000
/** Where it tells by itself, asking only catches what got lost. */
const ASK_PUSHED_MS = 6 * 3_600_000
const AT_ONCE = 100

/** Somebody wants to know where a parcel is: the carrier is asked, and its answer is stored when it comes. */
export async function askNow(op: Operation, shipmentId: string): Promise<void> {
  const { asked_at: asked } = await op.tx
    .selectFrom('shipment')
    .select('asked_at')
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow()
  if (asked !== null && op.now.getTime() - new Date(asked).getTime() < ASK_AGAIN_MS)
    throw new Refused(refuse('asked-lately'))
  await ask(op, shipmentId, asked === null)
}

async function ask(change: Change, shipmentId: string, isFirst: boolean): Promise<void> {
  await markAsked(change.tx, shipmentId, change.now)
  await deliver(change, { kind: KIND, key: shipmentId, payload: { shipmentId, isFirst } satisfies Payload })
}

/** Parcels under way are asked after by themselves. */
export const followParcels = defineJob({
  name: 'follow-parcels',
  cron: '0 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { tx, now, app } = change
    const before = new Date(now.getTime() - (openCarrier(app).pushes ? ASK_PUSHED_MS : ASK_AGAIN_MS))
    const due = await tx
      .selectFrom('shipment')
      .select(['id', 'asked_at'])
      .where('status', '=', 'SENT')
      .where(eb => eb.or([eb('asked_at', 'is', null), eb('asked_at', '<', before.toISOString())]))
      .orderBy('asked_at', order => order.asc().nullsFirst())
      .orderBy('id')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    return each(due, ({ id, asked_at: asked }) => ask(change, id, asked === null))
  },
})

export const trackDelivery = defineDelivery<Payload, readonly TrackEvent[]>({
  kind: KIND,
  async call(app, { shipmentId, isFirst }) {
    const carrier = openCarrier(app)
    const parcel = await parcelOf(app, shipmentId)
    if (!parcel) return []
    if (isFirst && carrier.pushes) await carrier.follow(parcel)
    return carrier.ask(parcel)
  },
  settle: (change, { shipmentId }, events) => storeTrack(change, shipmentId, events),
})

async function parcelOf({ db }: App, id: string) {
  const row = await db.query
    .selectFrom('shipment')
    .select(['carrier', 'tracking_no', 'receiver_phone', 'province', 'sent_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (row.carrier === null || row.tracking_no === null || row.sent_at === null) return undefined
  return {
    carrier: row.carrier,
    trackingNo: row.tracking_no,
    phone: row.receiver_phone ?? '',
    province: row.province ?? '',
    sentAt: new Date(row.sent_at),
  }
}

/** The carrier has it, and it is on its way to whoever ordered it. */
const UNDER_WAY: ReadonlySet<string> = new Set<TrackingStatus>(['PICKED', 'TRANSIT', 'DELIVERING', 'STATION'])

async function tellReceiver(change: Change, shipmentId: string): Promise<void> {
  const parcel = await change.tx
    .selectFrom('shipment')
    .select(['member_id', 'receiver_phone', 'goods_name', 'tracking_no'])
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow()
  const trackingNo = parcel.tracking_no ?? ''
  await send(change, parcelSent, {
    to: { memberId: parcel.member_id, address: parcel.receiver_phone },
    values: { goods: parcel.goods_name, trackingNo },
    about: `parcel-sent:${shipmentId}:${trackingNo}`,
  })
}

/** Stores what a carrier tells, each event once; the newest says where the parcel is. A signature ends its way. */
export async function storeTrack(change: Change, shipmentId: string, events: readonly TrackEvent[]): Promise<void> {
  const { tx } = change
  if (events.length === 0) return
  await lockOrdersOf(tx, [shipmentId])
  const row = await tx
    .selectFrom('shipment')
    .select(['id', 'status', 'tracking_status as trackingStatus', 'last_event as lastEvent', 'signed_at as signedAt'])
    .where('id', '=', shipmentId)
    // Whose sending was undone while the carrier was asked has no way to follow.
    .where('sent_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  await tx
    .insertInto('tracking_event')
    .values(events.map(({ at, status, content }) => ({ shipment_id: shipmentId, at, status, content })))
    .onConflict(conflict => conflict.columns(['shipment_id', 'at', 'content']).doNothing())
    .execute()
  const newest = await tx
    .selectFrom('tracking_event')
    .select(['at', 'status', 'content'])
    .where('shipment_id', '=', shipmentId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  if (newest.content === row.lastEvent && newest.status === row.trackingStatus) return
  const hasArrived = newest.status === 'SIGNED' && (row.status === 'SENT' || row.status === 'LOST')
  const changed = {
    trackingStatus: newest.status as TrackingStatus,
    lastEvent: newest.content,
    lastEventAt: newest.at,
    ...(hasArrived ? { status: 'SIGNED', signedAt: newest.at } : {}),
  }
  await writeChange(change, resource, row, changed, 'track')
  if (row.trackingStatus === 'SHIPPED' && UNDER_WAY.has(newest.status)) await tellReceiver(change, shipmentId)
  if (hasArrived) await tellAbout(change, shipmentId)
}
