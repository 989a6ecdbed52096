import { termsOf } from '#areas/orders/refund-application/calculation.server.ts'
import { type NumberKind, numberOf } from '#engines/sequence/model.ts'
import { dayOf } from '#kit/model/time.ts'
import { type Diff, diffOf } from '#kit/server/change/audit.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Env } from '#kit/server/process/env.ts'
import { type Agenda, openAgenda } from './agenda.server.ts'
import { type Assortment, makeAssortment } from './assortment.server.ts'
import type { Random } from './builders.server.ts'
import { type CouponBook, openCoupons } from './coupons.server.ts'
import { type Ids, insertRows, type NewRow, openIds } from './insert-rows.server.ts'
import { type Ledger, openLedger } from './ledger.server.ts'
import type { Colleague } from './organisation.server.ts'
import type { Parcel } from './parcels.server.ts'
import type { Refund } from './refunds.server.ts'
import { openShelf, type Shelf } from './shelf.server.ts'

/** Rows that other rows name. */
const NUMBERED = [
  'base_product',
  'goods_kit',
  'course_package',
  'course_edition',
  'product',
  'coupon',
  'member_coupon',
  'coin_goods',
  'code_batch',
  'redemption_code',
  'redemption',
  'member',
  'sales_order',
  'order_line',
  'order_examination',
  'payment',
  'payment_exception',
  'refund_application',
  'shipment',
  'coin_order',
  'entitlement_lot',
  'entitlement_entry',
] as const

/** Tables whose rows are stored as they were written down, in this order. */
const WRITTEN = [
  'payment',
  'payment_exception',
  'order_examination',
  'commission_entry',
  'refund_line',
  'refund_effect',
  'provider_refund',
  'outbox',
  'shipment_line',
  'stock_movement',
  'tracking_event',
] as const
type Written = (typeof WRITTEN)[number]

/** A business in memory while its two years pass. */
export type Business = {
  readonly random: Random
  readonly staff: readonly Colleague[]
  readonly now: Date
  readonly env: Env
  readonly terms: ReturnType<typeof termsOf>
  readonly ids: Ids
  readonly agenda: Agenda
  readonly assortment: Assortment
  readonly coupons: CouponBook
  readonly ledger: Ledger
  readonly shelf: Shelf
  readonly numbers: Numbers
  readonly log: Log
  /** In order of time. */
  readonly parcels: Parcel[]
  readonly refunds: Refund[]
  readonly rows: { readonly [T in Written]: NewRow<T>[] }
}

export async function openBusiness(
  tx: Tx,
  given: Pick<Business, 'random' | 'staff' | 'now' | 'env'>,
): Promise<Business> {
  const { staff, now, env } = given
  const ids = await openIds(tx, NUMBERED)
  const agenda = openAgenda()
  const assortment = makeAssortment(ids, staff, now)
  const rows = Object.fromEntries(WRITTEN.map(table => [table, []])) as unknown as Business['rows']
  return {
    ...given,
    terms: termsOf(env),
    ids,
    agenda,
    assortment,
    coupons: openCoupons(ids, assortment, staff, now),
    ledger: openLedger(ids, agenda, assortment),
    shelf: openShelf(assortment, staff, now, rows.stock_movement),
    numbers: openNumbers(),
    log: openLog(given.random),
    parcels: [],
    refunds: [],
    rows,
  }
}

export async function storeWritten(tx: Tx, { rows }: Business): Promise<void> {
  for (const table of WRITTEN) await insertRows(tx, table, rows[table] as never[])
}

/** Numbers people read. Given in order of time; the counters are stored at the end. */
export type Numbers = { next(kind: NumberKind, at: number): string; store(tx: Tx): Promise<void> }

function openNumbers(): Numbers {
  const counters = new Map<string, { kind: string; day: string; last: number }>()
  return {
    next(kind, at) {
      const day = dayOf(new Date(at))
      const counter = counters.get(day + kind) ?? { kind, day, last: 0 }
      counter.last += 1
      counters.set(day + kind, counter)
      return numberOf(kind, day, counter.last)
    },
    store: async tx => void (await insertRows(tx, 'number_sequence', [...counters.values()])),
  }
}

type Resource = { readonly screen: { readonly key: string } } & Parameters<typeof diffOf>[0]
type Logged = {
  readonly at: number
  /** Nobody: the console itself did it. */
  readonly actor: Colleague | null
  readonly resource: Resource
  readonly action: string
  readonly recordId: number
  readonly before?: object
  readonly after: object
  readonly reason?: string | undefined
}

/** The operation log, of which each record's timeline is made. */
export type Log = { write(logged: Logged): void; store(tx: Tx): Promise<void> }

function openLog(random: Random): Log {
  const rows: NewRow<'operation_log'>[] = []
  return {
    write({ at, actor, resource, action, recordId, before = {}, after, reason }) {
      const diff: Diff = diffOf(resource, before as never, after as never)
      rows.push({
        at: new Date(at),
        actor_id: actor?.id ?? null,
        actor_name: actor?.name ?? '',
        address: actor ? `10.8.${random.whole(1, 4)}.${random.whole(2, 250)}` : '',
        request_id: `demo-${random.whole(0, 2 ** 31).toString(36)}`,
        page: resource.screen.key,
        action,
        record_id: recordId,
        diff: diff as never,
        reason: reason ?? null,
        code: 0,
        duration_ms: random.whole(6, 60),
      })
    },
    store: async tx =>
      void (await insertRows(
        tx,
        'operation_log',
        rows.sort((a, b) => (a.at as Date).getTime() - (b.at as Date).getTime()),
      )),
  }
}

export const owned = (owner: Colleague | null) => ({ owner_id: owner?.id ?? null, org_id: owner?.orgId ?? null })
export const instant = (at: number | null): Date | null => (at === null ? null : new Date(at))
