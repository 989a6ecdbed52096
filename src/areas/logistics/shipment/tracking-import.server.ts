import { sql } from 'kysely'
import { receiveParts, requireParts } from '#areas/logistics/base-product/stock.server.ts'
import { type Actor, scopeOf } from '#kit/model/actor.ts'
import { code, dictionary } from '#kit/model/field.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { whyNot } from '#kit/model/workflow.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { type stepTaker, writeChange } from '#kit/server/change/step.ts'
import type { Row, Tx } from '#kit/server/database/database.ts'
import { defineImport } from '#kit/server/import/definition.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { TRACKING_NO } from '../shipment.model.ts'
import { factsOf, lockOrdersOf, tellAbout } from './fulfilment.server.ts'
import { linesOf } from './lines.server.ts'
import { resource, type Shipment, workflow } from './model.ts'

/** Each parcel is a step of its own: few enough that the shelf is not locked for long. */
const CHUNK = 100

/** As people paste it: in small letters, and with blanks the carrier prints for reading. */
const pastedTrackingNo = () =>
  code(60)
    .overwrite(text => text.replace(/\s/g, '').toUpperCase())
    .regex(TRACKING_NO)

/** What a carrier's programme gives back: which parcel got which number. Sends each as the desk would. */
export const trackingImport = (take: ReturnType<typeof stepTaker>) =>
  defineImport({
    screen: resource.screen,
    columns: { shipmentNo: code(14), carrier: dictionary('CARRIER'), trackingNo: pastedTrackingNo() },
    unique: ['shipmentNo', 'trackingNo'],
    chunk: CHUNK,
    async check({ app, actor }, rows) {
      const parcels = await findParcels(
        app,
        actor,
        rows.map(({ values }) => values.shipmentNo),
      )
      const facts = parcels.size > 0 ? await factsOf(app.db.query, [...parcels.values()]) : new Map()
      const taken = await takenNumbers(
        app,
        rows.map(({ values }) => values.trackingNo),
      )
      return new Map(
        rows.flatMap(({ no, values: { shipmentNo, carrier, trackingNo } }): [number, Refusal][] => {
          const parcel = parcels.get(shipmentNo)
          if (!parcel) return [[no, refuse('import-unknown')]]
          const refusal = whyNot(workflow, 'send', parcel, actor, facts.get(parcel.id))
          if (refusal) return [[no, refusal]]
          return taken.has(`${carrier} ${trackingNo}`) ? [[no, refuse('tracking-taken')]] : []
        }),
      )
    },
    async apply(op, rows) {
      const parcels = await op.tx
        .selectFrom('shipment')
        .select(['id', 'shipment_no'])
        .where(
          'shipment_no',
          'in',
          rows.map(({ values }) => values.shipmentNo),
        )
        .execute()
      const ids = new Map(parcels.map(parcel => [parcel.shipment_no, parcel.id]))
      await lockAhead(op.tx, [...ids.values()])
      const sent: string[] = []
      for (const { values } of rows) {
        const { shipmentNo, ...input } = values
        const id = ids.get(shipmentNo)
        if (id === undefined) throw new Refused(refuse('import-unknown'))
        await take(op, 'send', id, input)
        sent.push(id)
      }
      return sent
    },
    undo: takeBack,
    constraints: { shipment_tracking: { code: 'tracking-taken', field: 'trackingNo' } },
  })

/** Parcels by their numbers, as far as the person may see them. */
async function findParcels(app: App, actor: Actor, numbers: readonly string[]): Promise<Map<string, Shipment>> {
  const { bind, values } = binder()
  const place = bind(numbers)
  const rule = scopeSql(resource, scopeOf(actor, resource.screen.key), bind)
  const rows = await app.db.read.rows(
    `select t.id, t.shipment_no as "shipmentNo", t.status, t.waits_for_stock as "waitsForStock", t.reprint
     from shipment t where t.shipment_no = any(${place}::text[])${rule && ` and ${rule}`}`,
    values,
  )
  return new Map(rows.map(row => [String(row.shipmentNo), row as Shipment]))
}

async function takenNumbers({ db }: App, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await db.query
    .selectFrom('shipment')
    .select(['carrier', 'tracking_no'])
    .where('tracking_no', 'in', [...numbers])
    .execute()
  return new Set(rows.map(({ carrier, tracking_no }) => `${carrier} ${tracking_no}`))
}

/** Orders, parcels and shelf of many parcels, each in the order everybody locks them in. */
async function lockAhead(tx: Tx, ids: readonly string[]): Promise<void> {
  await lockOrdersOf(tx, ids)
  await sql`select id from shipment where id = any(${ids}::bigint[]) order by id for update`.execute(tx)
  await sql`
    select id from base_product
    where id in (select base_product_id from shipment_line where shipment_id = any(${ids}::bigint[]))
    order by id for update`.execute(tx)
}

/** Parcels that did not leave after all stand at the desk again, their goods on the shelf and kept for them. */
async function takeBack(op: Operation, ids: readonly string[]): Promise<void> {
  await lockAhead(op.tx, ids)
  for (const parcel of await sentParcels(op, ids)) {
    if (parcel.isTouched) throw new Refused(refuse('undo-touched', { no: String(parcel.shipmentNo) }))
    const lines = await linesOf(op.tx, parcel.id)
    // Its coins have been told that it left, and have no way back.
    if (lines.some(({ coinOrderId }) => coinOrderId !== null))
      throw new Refused(refuse('undo-coins', { no: String(parcel.shipmentNo) }))
    await receiveParts(op, parcel.id, lines)
    await requireParts(op, lines)
    await sql`update shipment_line set locked = quantity, value_fen = null where shipment_id = ${parcel.id}`.execute(
      op.tx,
    )
    await op.tx.updateTable('shipment').set({ asked_at: null }).where('id', '=', parcel.id).execute()
    const before = { status: 'WAITING', carrier: null, trackingNo: null, sentAt: null } as const
    await writeChange(op, resource, parcel, { ...before, trackingStatus: 'PENDING', lastEventAt: null }, 'undoImport')
    await tellAbout(op, parcel.id)
  }
}

type SentParcel = Row & { readonly id: string; readonly isTouched: boolean }

/** Touched is what is no longer merely sent: followed, come back, sent once more, or deducted from a refund. */
async function sentParcels(op: Operation, ids: readonly string[]): Promise<SentParcel[]> {
  const { rows } = await sql<SentParcel>`
    select s.id, s.shipment_no as "shipmentNo", s.status, s.carrier, s.tracking_no as "trackingNo", s.sent_at as "sentAt",
      s.tracking_status as "trackingStatus", s.last_event_at as "lastEventAt",
      s.status <> 'SENT' or s.tracking_status <> 'SHIPPED'
        or exists (select 1 from tracking_event e where e.shipment_id = s.id)
        or exists (select 1 from shipment r where r.resend_of = s.id)
        or exists (select 1 from shipment_line l where l.shipment_id = s.id and l.returned > 0)
        or exists (
          select 1 from shipment_line l join order_line x on x.id = l.order_line_id
          where l.shipment_id = s.id and x.reserved_fen + x.refunded_fen > 0) as "isTouched"
    from shipment s where s.id = any(${ids}::bigint[]) order by s.id`.execute(op.tx)
  return rows
}
