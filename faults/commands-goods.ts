import fc from 'fast-check'
import { expect } from 'vitest'
import { serveWaiting } from '../src/areas/logistics/shipment/waiting.server.ts'
import { spend } from '../src/engines/entitlement/server.ts'
import { Refused } from '../src/kit/model/refusal.ts'
import { atOnce } from '../src/kit/server/work/job.ts'
import { RECEIVER } from '../tools/testing/commerce.ts'
import {
  CODES,
  type Model,
  type ModelOrder,
  type ModelParcel,
  type ModelRedemption,
  PER_PERSON,
  PIECES,
} from './model.ts'
import { orders, parcels, type Step, said, step, stepOn, work } from './steps.ts'

const isAsked = (model: Readonly<Model>, { order: at }: ModelParcel) => (model.orders[at] as ModelOrder).reserved > 0

const decideSend = (name: 'approve' | 'reject') => {
  const mayBe = (parcel: ModelParcel, model: Readonly<Model>) =>
    parcel.state === 'TO_APPROVE' && (name === 'reject' || !isAsked(model, parcel))
  return stepOn<ModelParcel>(`${name} send`, parcels, mayBe, async (model, real, parcel, at) => {
    const isRight = mayBe(parcel, model)
    const body = name === 'reject' ? { reason: 'test' } : {}
    const path = `/logistics/shipment-approval/${(await real.parcels())[at]?.id}/${name}`
    await said(real.people.clerk.post(path, body), isRight)
    if (isRight && name === 'approve') parcel.state = 'WAITING'
    else if (isRight) Object.assign(parcel, { state: 'REJECTED', locked: 0 })
  })
}

/** What was not let go is asked for again from its order; it may wait for the shelf only if it was sold so, as codes are. */
const sendAgain = stepOn<ModelOrder>(
  'send again',
  orders,
  (_order, model) => model.parcels.some(({ state, isRemade }) => state === 'REJECTED' && !isRemade),
  async (model, real, target, at) => {
    const rejected = model.rejectedParcels(at).find(({ isRemade }) => !isRemade)
    const isThere = model.onShelf >= PIECES
    const mayWait = model.redemptions.some(({ order }) => order === at)
    const isRight = target.state === 'PAID' && rejected !== undefined && target.reserved === 0 && (isThere || mayWait)
    await said(real.people.asker.post(`/orders/order/${real.orders[at]?.orderId}/sendAgain`), isRight)
    if (!isRight) return
    rejected.isRemade = true
    model.parcels.push({ order: at, state: 'TO_APPROVE', locked: isThere ? PIECES : 0, returned: 0 })
  },
)

const mayLeave = (parcel: ModelParcel, model: Readonly<Model>) =>
  parcel.state === 'WAITING' && parcel.locked > 0 && !isAsked(model, parcel)

const ship = stepOn<ModelParcel>('ship', parcels, mayLeave, async (model, real, parcel, at, roll) => {
  const isRight = mayLeave(parcel, model)
  const { id } = (await real.parcels())[at] as { id: string }
  const body = { carrier: 'SF', trackingNo: `T${id}-${roll}` }
  await said(real.people.clerk.post(`/logistics/shipment/${id}/send`, body), isRight)
  if (!isRight) return
  Object.assign(parcel, { state: 'SENT', locked: 0 })
  model.onHand -= PIECES
})

const isOut = ({ state }: ModelParcel) => state === 'SENT'

const takeBackGoods = stepOn<ModelParcel>('return', parcels, isOut, async (model, real, parcel, at, roll) => {
  const quantity = 1 + (roll % PIECES)
  const isRight = isOut(parcel) && parcel.returned + quantity <= PIECES
  const parts = [{ baseProductId: real.own.baseProductId, sku: '', name: '', quantity }]
  const path = `/logistics/tracking/${(await real.parcels())[at]?.id}/receiveBack`
  await said(real.people.clerk.post(path, { parts }), isRight)
  if (!isRight) return
  parcel.returned += quantity
  model.onHand += quantity
  if (parcel.returned === PIECES) parcel.state = 'RETURNED'
})

const stockIn = fc.integer({ min: 1, max: 3 }).map(quantity =>
  step(
    `stock in ${quantity}`,
    () => true,
    async (model, real) => {
      const path = `/logistics/base-product/${real.own.baseProductId}/stockIn`
      await said(real.people.clerk.post(path, { quantity, note: '' }), true)
      model.onHand += quantity
    },
  ),
)

/** The oldest who wait get what there is. */
const serve = fc.constant(
  step(
    'serve who waits',
    () => true,
    async (model, real) => {
      await work(real, atOnce(serveWaiting))
      for (const parcel of model.openParcels().filter(({ locked }) => locked === 0))
        if (model.onShelf >= PIECES) parcel.locked = PIECES
    },
  ),
)

const redeem = fc.nat(CODES - 1).map(code =>
  step(
    `redeem ${code}`,
    () => true,
    async (model, real) => {
      const standing = model.redemptions.filter(({ isUndone }) => !isUndone)
      const isRight = standing.length < PER_PERSON && standing.every(one => one.code !== code)
      const {
        name: receiverName,
        phone: receiverPhone,
        province: receiverProvince,
        address: receiverAddress,
      } = RECEIVER
      const made = await said(
        real.people.clerk.post<{ id: string }>('/orders/redemption/redeem', {
          code: real.own.codes[code],
          memberId: real.own.memberId,
          ...{ receiverName, receiverPhone, receiverProvince, receiverAddress },
        }),
        isRight,
      )
      if (!isRight) return
      const { id: orderId, order_no: orderNo } = await real.query
        .selectFrom('redemption as r')
        .innerJoin('sales_order as o', 'o.id', 'r.order_id')
        .select(['o.id', 'o.order_no'])
        .where('r.id', '=', made.id)
        .executeTakeFirstOrThrow()
      real.redemptions.push(made.id)
      real.orders.push({ orderId, orderNo, amountFen: 0 })
      const at = model.orders.push({ state: 'PAID', amount: 0, reserved: 0, refunded: 0 }) - 1
      model.redemptions.push({ order: at, code, isUndone: false })
      model.give(at)
    },
  ),
)

const undo = stepOn<ModelRedemption>(
  'undo redemption',
  model => model.redemptions,
  ({ isUndone }) => !isUndone,
  async (model, real, redemption, at) => {
    const own = model.lots.filter(({ order: of }) => of === redemption.order)
    const isRight =
      !redemption.isUndone &&
      own.every(({ left, quantity, frozen }) => left === quantity && frozen === 0) &&
      model.parcels.every(parcel => parcel.order !== redemption.order || !['SENT', 'RETURNED'].includes(parcel.state))
    await said(real.people.clerk.post(`/orders/redemption/${real.redemptions[at]}/undo`, { reason: 'test' }), isRight)
    if (!isRight) return
    redemption.isUndone = true
    const target = model.orders[redemption.order] as ModelOrder
    target.state = 'CLOSED'
    for (const lot of own) lot.left = 0
    model.recall(redemption.order)
  },
)

const spendCoins = fc.integer({ min: 1, max: 60 }).map(units =>
  step(
    `spend ${units}`,
    () => true,
    async (model, real) => {
      const free = model.lots
        .filter(({ kind }) => kind === 'COINS')
        .reduce((all, { left, frozen }) => all + left - frozen, 0)
      const spending = work(real, change => spend(change, { memberId: real.own.memberId, kind: 'COINS', units }))
      if (units > free) return expect(spending).rejects.toThrow(Refused)
      await spending
      model.spend(units)
    },
  ),
)

/** What happens more often is listed more often. */
export const goodsCommands: fc.Arbitrary<Step>[] = [
  decideSend('approve'),
  decideSend('approve'),
  decideSend('reject'),
  sendAgain,
  ship,
  ship,
  takeBackGoods,
  stockIn,
  serve,
  redeem,
  undo,
  spendCoins,
]
