import { createHmac } from 'node:crypto'
import { resource as redemptionResource } from '#areas/orders/redemption/model.ts'
import { type CodeKeys, lastFour } from '#areas/products/code-batch/code.server.ts'
import type { Grant } from '#engines/entitlement/model.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { named, offerOf } from './assortment.server.ts'
import { addressOf } from './builders.server.ts'
import { type Business, instant, owned } from './business.server.ts'
import { insertRows, type NewRow } from './insert-rows.server.ts'
import { cancelParcels, sendGoods } from './parcels.server.ts'
import { numberOrder } from './sales.server.ts'
import { hasGoods, type Member, type Order, ownerAt } from './trade.server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 20
/** So many members redeem as many codes as the designs say; fewer redeem fewer. */
const MEMBERS = 1_200
const UNDONE_EVERY = 9

type Design = {
  readonly name: string
  readonly buyer: string
  /** Gives what this product gives. */
  readonly product: string
  readonly quantity: number
  readonly used: number
  readonly voided: number
  readonly priceFen: number
  readonly status: NonNullable<NewRow<'code_batch'>['status']>
  /** Counted from today: made, and valid from and to. */
  readonly days: readonly [made: number, from: number, to: number]
  /** The file with the codes has left, and has arrived. */
  readonly exported?: boolean
  readonly confirmed?: boolean
}

const DESIGNS: readonly Design[] = [
  {
    name: '春季合作训练营',
    buyer: '启明星教育',
    product: 'LEAD-CAMP-21',
    quantity: 40,
    used: 16,
    voided: 24,
    priceFen: 6_900,
    status: 'CLOSED',
    days: [-420, -415, -240],
    exported: true,
    confirmed: true,
  },
  {
    name: '银行积分兑换季卡',
    buyer: '城市银行信用卡中心',
    product: 'MEMBER-90',
    quantity: 60,
    used: 21,
    voided: 2,
    priceFen: 26_000,
    status: 'ACTIVE',
    days: [-150, -140, 120],
    exported: true,
    confirmed: true,
  },
  {
    name: '书店联名体验码',
    buyer: '新华书店西湖店',
    product: 'LEAD-TRIAL',
    quantity: 50,
    used: 9,
    voided: 0,
    priceFen: 500,
    status: 'ACTIVE',
    days: [-40, -35, 200],
    exported: true,
  },
  {
    name: '教师节赠课',
    buyer: '市第二实验小学',
    product: 'LEAD-CAMP-21',
    quantity: 30,
    used: 5,
    voided: 0,
    priceFen: 0,
    status: 'PAUSED',
    days: [-70, -66, 60],
    exported: true,
    confirmed: true,
  },
  {
    name: '年会礼品卡',
    buyer: '远航科技',
    product: 'MEMBER-180',
    quantity: 25,
    used: 0,
    voided: 0,
    priceFen: 45_000,
    status: 'APPROVED',
    days: [-3, 0, 365],
  },
  {
    name: '寒假推广码',
    buyer: '少年宫',
    product: 'LEAD-TRIAL',
    quantity: 100,
    used: 0,
    voided: 0,
    priceFen: 300,
    status: 'DRAFT',
    days: [-1, 10, 120],
  },
]

type Code = { readonly id: number; readonly plain: string; status: 'UNUSED' | 'REDEEMED' | 'VOID' }
type Batch = Design & {
  readonly id: number
  readonly no: string
  readonly grants: readonly Grant[]
  readonly codes: Code[]
}

export type CodeDesk = {
  readonly batches: Batch[]
  readonly redemptions: NewRow<'redemption'>[]
  /** Orders of nothing, which give what their codes give. */
  readonly orders: Order[]
}

/** Batches are made and their codes redeemed over time. Each member redeems one of a batch. */
export function planCodes(business: Business, members: readonly Member[], secret: string): CodeDesk {
  const { now, agenda, random } = business
  const desk: CodeDesk = { batches: [], redemptions: [], orders: [] }
  for (const design of DESIGNS)
    agenda.at(now.getTime() + design.days[0] * DAY_MS, at => {
      const batch = makeBatch(business, design, secret, at)
      desk.batches.push(batch)
      const from = now.getTime() + design.days[1] * DAY_MS
      const to = Math.min(now.getTime() - DAY_MS, now.getTime() + design.days[2] * DAY_MS)
      const free = members.filter(({ createdAt }) => createdAt < from)
      const used = Math.round(design.used * Math.min(1, members.length / MEMBERS))
      const holders = new Set(Array.from({ length: used }, () => random.pick<Member | undefined>(free)))
      for (const [index, member] of [...holders].entries()) {
        const code = batch.codes[index]
        if (member && code)
          agenda.at(from + Math.floor((to - from) * random.fraction()), then =>
            redeem(business, desk, { batch, code, member }, then),
          )
      }
    })
  return desk
}

function makeBatch(business: Business, design: Design, secret: string, at: number): Batch {
  const { ids, numbers, assortment } = business
  const no = numbers.next('B', at)
  const made = design.status === 'DRAFT' ? 0 : design.quantity
  return {
    ...design,
    id: ids.next('code_batch'),
    no,
    grants: offerOf(assortment, { code: design.product }).grants,
    codes: Array.from({ length: made }, (_, nth) => ({
      id: ids.next('redemption_code'),
      plain: codeOf(secret, `${no}:${nth}`),
      // The last ones are those that were taken out of the batch.
      status: nth >= design.quantity - design.voided ? 'VOID' : 'UNUSED',
    })),
  }
}

/** Nobody without the console's own secret knows it, although it is the same at every seed. */
const codeOf = (secret: string, name: string): string =>
  Array.from(
    createHmac('sha256', secret).update(`demo:${name}`).digest().subarray(0, LENGTH),
    byte => ALPHABET[byte % ALPHABET.length],
  ).join('')

function redeem(
  business: Business,
  desk: CodeDesk,
  { batch, code, member }: { batch: Batch; code: Code; member: Member },
  at: number,
): void {
  const { ids, numbers, ledger, log, now, random, staff, agenda } = business
  const owner = ownerAt(member, now.getTime(), now)
  const seller = ownerAt(member, at, now) ?? named(staff, ({ role }) => role === 'SALES', 'consultant')
  const order = newOrder(business, batch, member, at)
  numberOrder(business, order, at)
  desk.orders.push(order)
  code.status = 'REDEEMED'
  const id = ids.next('redemption')
  const row: NewRow<'redemption'> = {
    id,
    redemption_no: numbers.next('E', at),
    code_id: code.id,
    batch_id: batch.id,
    last4: lastFour(code.plain),
    member_id: member.id,
    order_id: order.id,
    status: 'DONE',
    staff_id: seller.id,
    undone_at: null,
    ...owned(owner),
    created_at: new Date(at),
    version: 1,
  }
  desk.redemptions.push(row)
  for (const line of order.lines)
    ledger.give(at, {
      memberId: member.id,
      source: 'CODE',
      grants: line.offer.grants,
      times: 1,
      lineId: line.id,
      redemptionId: id,
      staffId: seller.id,
    })
  sendGoods(business, order, at)
  log.write({
    at,
    actor: seller,
    resource: redemptionResource,
    action: 'redeem',
    recordId: id,
    after: { status: 'DONE' },
  })
  // Entered for the wrong child now and then, and taken back at once.
  if (desk.redemptions.length % UNDONE_EVERY !== 0) return
  agenda.at(at + random.whole(1, 3) * HOUR_MS, then => {
    if (!ledger.undo(then, id, seller.id)) return
    cancelParcels(business, order, () => true, then)
    order.payState = 'CLOSED'
    order.closedAt = then
    order.version += 1
    code.status = batch.status === 'CLOSED' ? 'VOID' : 'UNUSED'
    Object.assign(row, { status: 'UNDONE', undone_at: new Date(then), version: 2 })
    log.write({
      at: then,
      actor: seller,
      resource: redemptionResource,
      action: 'undo',
      recordId: id,
      before: { status: 'DONE' },
      after: { status: 'UNDONE' },
      reason: '录错学员',
    })
  })
}

const newOrder = ({ now, random }: Business, batch: Batch, member: Member, at: number): Order => ({
  id: 0,
  member,
  lines: [
    {
      id: 0,
      offer: { id: null, name: batch.name, grants: batch.grants, commissionPermille: 0, mayWait: true, sold: 0 },
      quantity: 1,
      listFen: 0,
      amountFen: 0,
      paidFen: 0,
      reservedFen: 0,
      refundedFen: 0,
    },
  ],
  source: 'REDEMPTION',
  createdAt: at,
  amountFen: 0,
  payState: 'PAID',
  paidAt: at,
  closedAt: null,
  soldBy: ownerAt(member, at, now),
  coupon: undefined,
  address: hasGoods(batch.grants) ? addressOf(random) : null,
  agreedFrom: null,
  orderNo: '',
  examination: undefined,
  offlineNo: undefined,
  payment: undefined,
  parcels: [],
  openRefunds: 0,
  note: '',
  version: 2,
})

export async function storeBatches(tx: Tx, business: Business, { batches }: CodeDesk, keys: CodeKeys): Promise<void> {
  await insertRows(
    tx,
    'code_batch',
    batches.map(batch => batchRow(business, batch)),
  )
  await insertRows(
    tx,
    'redemption_code',
    batches.flatMap(batch =>
      batch.codes.map(({ id, plain, status }) => ({
        id,
        batch_id: batch.id,
        hash: bytes(keys.hash(plain)),
        last4: lastFour(plain),
        status,
      })),
    ),
  )
  const readable = batches.filter(
    ({ codes, confirmed, status }) => codes.length > 0 && !confirmed && status !== 'CLOSED',
  )
  await insertRows(
    tx,
    'sealed_codes',
    readable.map(({ id, codes }) => ({
      batch_id: id,
      part: codes.length,
      sealed: bytes(
        keys.seal(
          codes.map(({ plain }) => plain),
          String(id),
        ),
      ),
    })),
  )
}

/** As PostgreSQL reads bytes from text. */
const bytes = (buffer: Buffer) => `\\x${buffer.toString('hex')}` as never

function batchRow({ staff, now }: Business, batch: Batch): NewRow<'code_batch'> {
  const today = dayOf(now)
  const madeAt = now.getTime() + batch.days[0] * DAY_MS
  const count = (status: Code['status']) => batch.codes.filter(code => code.status === status).length
  const manager = named(staff, ({ role }) => role === 'OPERATIONS_MANAGER', 'operations manager')
  const exportedAt = batch.exported ? madeAt + 2 * DAY_MS : null
  return {
    id: batch.id,
    batch_no: batch.no,
    name: batch.name,
    buyer: batch.buyer,
    grants: batch.grants as never,
    unit_price_fen: batch.priceFen,
    quantity: batch.quantity,
    made: batch.codes.length,
    used: count('REDEEMED'),
    voided: count('VOID'),
    per_person: 1,
    valid_from: addDays(today, batch.days[1]),
    valid_to: addDays(today, batch.days[2]),
    status: batch.status,
    applicant_id: named(staff, ({ role }) => role === 'OPERATIONS', 'operations').id,
    approved_by: batch.status === 'DRAFT' ? null : manager.id,
    exported_by: batch.exported ? manager.id : null,
    exported_at: instant(exportedAt),
    checksum: batch.exported ? createHmac('sha256', batch.no).update('file').digest('hex') : null,
    confirmed_at: instant(batch.confirmed && exportedAt !== null ? exportedAt + 2 * HOUR_MS : null),
    created_at: new Date(madeAt),
    version: batch.status === 'DRAFT' ? 1 : 3,
  }
}

export const storeRedemptions = async (tx: Tx, { redemptions }: CodeDesk): Promise<void> =>
  void (await insertRows(tx, 'redemption', redemptions))
