import { expect } from 'vitest'
import { addDays, dayOf } from '../src/kit/model/time.ts'
import type { Bought } from '../tools/testing/commerce.ts'
import { stockOf } from '../tools/testing/goods.ts'
import type { Caller, TestInstance } from '../tools/testing/instance.ts'

/** What every order of the model costs and gives; a code gives the same for nothing. */
export const PRICE_FEN = 10_000
export const COINS = 100
export const DAYS = 30
export const PIECES = 2
export const CODES = 4
/** Of one batch. */
export const PER_PERSON = 3
export const SHELF = 5 * PIECES
/** Finance decides too above this. */
export const L2_FEN = 20_000

export type ModelOrder = {
  state: 'UNPAID' | 'PAID' | 'CLOSED'
  amount: number
  reserved: number
  refunded: number
}
export type ModelRefund = {
  readonly order: number
  readonly amount: number
  state: 'SUBMITTED' | 'L1_APPROVED' | 'L2_APPROVED' | 'FAILED' | 'ABNORMAL' | 'PAID' | 'REJECTED' | 'WITHDRAWN'
  /** Finance has to agree, and has agreed. */
  needsL2: boolean
  isSeconded: boolean
  hasFailed?: boolean
  /** What becomes of goods that have not left. */
  readonly unsent: 'CANCEL' | 'SEND' | null
  readonly parts: readonly { readonly lot: number; readonly units: number; readonly debt: number }[]
}
export type Lot = {
  readonly order: number
  readonly kind: string
  readonly quantity: number
  left: number
  frozen: number
}
export type ModelParcel = {
  readonly order: number
  state: 'TO_APPROVE' | 'REJECTED' | 'WAITING' | 'SENT' | 'RETURNED' | 'CANCELLED'
  locked: number
  returned: number
  /** Not let go, and asked for again. */
  isRemade?: boolean
}
export type ModelRedemption = { readonly order: number; readonly code: number; isUndone: boolean }

const sum = <T>(of: readonly T[], value: (one: T) => number) => of.reduce((all, one) => all + value(one), 0)

/** What must be true of money, goods and rights, as small as it can be said. */
export class Model {
  readonly orders: ModelOrder[] = []
  readonly refunds: ModelRefund[] = []
  readonly lots: Lot[] = []
  readonly parcels: ModelParcel[] = []
  readonly redemptions: ModelRedemption[] = []
  onHand = SHELF
  strayFen = 0
  notices = 0

  get onShelf() {
    return this.onHand - sum(this.parcels, ({ locked }) => locked)
  }
  held(kind: string) {
    return sum(
      this.lots.filter(lot => lot.kind === kind),
      ({ left }) => left,
    )
  }
  /** What an order gives, once it is paid: coins, days, and a parcel that waits when the shelf is empty. */
  give(order: number) {
    for (const [kind, quantity] of [['COINS', COINS] as const, ['MEMBER_DAYS', DAYS] as const])
      this.lots.push({ order, kind, quantity, left: quantity, frozen: 0 })
    this.parcels.push({ order, state: 'TO_APPROVE', locked: this.onShelf < PIECES ? 0 : PIECES, returned: 0 })
  }
  openParcels(order?: number) {
    return this.parcels.filter(
      parcel => (order ?? parcel.order) === parcel.order && ['TO_APPROVE', 'WAITING'].includes(parcel.state),
    )
  }
  rejectedParcels(order: number) {
    return this.parcels.filter(parcel => parcel.order === order && parcel.state === 'REJECTED')
  }
  /** What has not left will not leave, nor be asked for again. */
  recall(order: number) {
    for (const parcel of [...this.openParcels(order), ...this.rejectedParcels(order)])
      Object.assign(parcel, { state: 'CANCELLED', locked: 0 })
  }
  /** All of it in a few days: who splits a sum does not get round finance. */
  isMuch() {
    const standing = this.refunds.filter(({ state }) => state !== 'REJECTED' && state !== 'WITHDRAWN')
    return sum(standing, ({ amount }) => amount) > L2_FEN
  }
  /** A refund is paid, or will not be: what it held is gone, or free again. */
  end({ order, amount, state, parts, unsent }: ModelRefund) {
    const of = this.orders[order] as ModelOrder
    of.reserved -= amount
    if (state === 'PAID') of.refunded += amount
    for (const { lot, units, debt } of parts) {
      const held = this.lots[lot] as Lot
      held.frozen -= units
      if (state === 'PAID') held.left -= units + debt
    }
    const isKept = of.refunded === of.amount ? unsent !== 'SEND' : unsent === 'CANCEL'
    if (state === 'PAID' && isKept) this.recall(order)
  }
  spend(units: number) {
    let missing = units
    for (const lot of this.lots.filter(({ kind }) => kind === 'COINS')) {
      const part = Math.min(missing, Math.max(0, lot.left - lot.frozen))
      lot.left -= part
      missing -= part
    }
  }
}

export type People = Readonly<Record<'asker' | 'manager' | 'finance' | 'cashier' | 'examiner' | 'clerk', Caller>>
type Own = { memberId: string; productId: string; baseProductId: string; codes: readonly string[] }

/** The console, and by which names it knows what the model numbers. */
export class Real {
  readonly orders: Bought[] = []
  readonly refunds: string[] = []
  readonly redemptions: string[] = []
  /** Notices of money that were taken, so that one may come twice. */
  readonly notices: { readonly paid: Bought; readonly providerNo: string }[] = []
  readonly instance: TestInstance
  readonly people: People
  readonly own: Own
  constructor(instance: TestInstance, people: People, own: Own) {
    this.instance = instance
    this.people = people
    this.own = own
  }

  get query() {
    return this.instance.app.db.query
  }
  lots() {
    return this.query
      .selectFrom('entitlement_lot')
      .select(['id', 'remaining as left', 'frozen'])
      .where('member_id', '=', this.own.memberId)
      .orderBy('id')
      .execute()
  }
  parcels() {
    return this.query
      .selectFrom('shipment as s')
      .innerJoin('shipment_line as l', 'l.shipment_id', 's.id')
      .select(['s.id', 's.status as state', 'l.locked', 'l.returned'])
      .where('s.member_id', '=', this.own.memberId)
      .orderBy('s.id')
      .execute()
  }
  async orderRows() {
    const rows = await this.query
      .selectFrom('sales_order')
      .select(['pay_state', 'amount_fen', 'paid_fen', 'reserved_fen', 'refunded_fen', 'goods_rejected'])
      .where('member_id', '=', this.own.memberId)
      .orderBy('id')
      .execute()
    return rows.map(row => ({
      state: row.pay_state,
      amount: Number(row.amount_fen),
      paid: Number(row.paid_fen),
      reserved: Number(row.reserved_fen),
      refunded: Number(row.refunded_fen),
      isRejected: row.goods_rejected,
    }))
  }
  member() {
    return this.query
      .selectFrom('member')
      .select(['coins', 'membership_ends_on as endsOn'])
      .where('id', '=', this.own.memberId)
      .executeTakeFirstOrThrow()
  }
  async strayFen() {
    const { fen } = await this.query
      .selectFrom('payment')
      .select(eb => eb.fn.coalesce(eb.fn.sum<string>('amount_fen'), eb.lit(0)).as('fen'))
      .where('status', '=', 'STRAY')
      .where('said_order_no', 'in', ['', ...this.orders.map(({ orderNo }) => orderNo)])
      .executeTakeFirstOrThrow()
    return Number(fen)
  }
}

/** After every step what is stored is the model's: every fen, every piece, every coin and day. */
export async function agree(model: Model, real: Real): Promise<void> {
  const [orders, member, lots, parcels, stock, strayFen] = await Promise.all([
    real.orderRows(),
    real.member(),
    real.lots(),
    real.parcels(),
    stockOf(real.instance, real.own.baseProductId),
    real.strayFen(),
  ])
  const days = model.held('MEMBER_DAYS')
  expect({
    orders,
    member,
    stock,
    strayFen,
    lots: lots.map(({ left, frozen }) => ({ left, frozen })),
    parcels: parcels.map(({ state, locked, returned }) => ({ state, locked, returned })),
  }).toEqual({
    orders: model.orders.map((order, at) => ({
      ...order,
      paid: order.state === 'PAID' ? order.amount : 0,
      isRejected: model.rejectedParcels(at).some(({ isRemade }) => !isRemade),
    })),
    member: {
      coins: model.held('COINS'),
      endsOn: days === 0 ? null : addDays(dayOf(real.instance.clock.now()), days - 1),
    },
    stock: [model.onHand, model.onHand - model.onShelf],
    strayFen: model.strayFen,
    lots: model.lots.map(({ left, frozen }) => ({ left, frozen })),
    parcels: model.parcels.map(({ state, locked, returned }) => ({ state, locked, returned })),
  })
}
