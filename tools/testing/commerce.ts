import { randomUUID } from 'node:crypto'
import { findMember } from '../../src/areas/members/member/known.server.ts'
import { offeredLine, placeOrder, type Receiver } from '../../src/areas/orders/order/placing.server.ts'
import { findProduct } from '../../src/areas/products/product/server.ts'
import { PHONES, phoneAt } from '../../src/demo/builders.server.ts'
import type { Grant } from '../../src/engines/entitlement/model.ts'
import { receivePayment } from '../../src/engines/payment/server.ts'
import { ownChange } from '../../src/kit/server/change/operation.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import type { Caller } from './instance.ts'
import { TEST_GUARDIAN } from './ledger.ts'
import { png } from './pictures.ts'

let counter = 500_000
const next = (): number => (counter += 1)

export const RECEIVER: Receiver = {
  name: '王女士',
  phone: '13900001234',
  province: 'ZJ',
  address: '杭州市西湖区文三路 1 号',
}

/** A grant of this kind and so many units; its share of the price. */
export const grantOf = (
  kind: Grant['kind'],
  quantity: number,
  sharePermille = 1_000,
  more: Partial<Grant> = {},
): Grant => ({
  kind,
  quantity,
  sharePermille,
  validDays: null,
  packageId: null,
  kitId: null,
  name: kind,
  ...more,
})

/** A product on sale that gives this. */
export async function offer(
  instance: Instance,
  grants: readonly Grant[],
  { priceFen = 36_500, commissionPermille = 0, mayWait = false } = {},
): Promise<string> {
  const { id } = await instance.app.db.query
    .insertInto('product')
    .values({
      code: `T-${next()}`,
      name: '年度会员',
      price_fen: priceFen,
      list_fen: priceFen,
      grants: JSON.stringify(grants),
      commission_permille: commissionPermille,
      may_wait: mayWait,
      status: 'ON_SALE',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A member, in the department of whoever owns it unless said otherwise. */
export async function enrol(
  instance: Instance,
  { ownerId = null, orgId = null }: { ownerId?: string | null; orgId?: string | null } = {},
): Promise<string> {
  const { query } = instance.app.db
  const { id } = await query
    .insertInto('member')
    .values({
      name: '测试学员',
      guardian_name: TEST_GUARDIAN,
      phone: phoneAt(PHONES.test + next()),
      source: 'APP',
      owner_id: ownerId,
      org_id: orgId ?? query.selectFrom('staff').select('org_id').where('id', '=', ownerId),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type Bought = { readonly orderId: string; readonly orderNo: string; readonly amountFen: number }

/** The member orders the product, or several; unpaid as yet. */
export const order = (
  instance: Instance,
  memberId: string,
  productIds: string | readonly string[],
  { quantity = 1, receiver }: { quantity?: number; receiver?: Receiver } = {},
): Promise<Bought> =>
  instance.app.db.write(async tx => {
    const change = ownChange(instance.app, tx, instance.app.clock.now(), 'test')
    const member = await findMember(tx, { memberId })
    const products = await Promise.all([productIds].flat().map(id => findProduct(tx, { id })))
    if (!member) throw new Error('no such member')
    const lines = products.map(product => {
      if (!product) throw new Error('no such product')
      return offeredLine(product, quantity)
    })
    const placed = await placeOrder(change, {
      member,
      lines,
      source: 'APP',
      receiver,
    })
    if (!placed) throw new Error('not placed')
    return { orderId: placed.id, orderNo: placed.orderNo, amountFen: placed.amountFen }
  })

/** Money arrives for an order, by default all of it. */
export const pay = (
  instance: Instance,
  { orderNo, amountFen }: Pick<Bought, 'orderNo' | 'amountFen'>,
  providerNo: string = randomUUID(),
): Promise<void> =>
  instance.app.db.write(tx => {
    const now = instance.app.clock.now()
    return receivePayment(ownChange(instance.app, tx, now, 'test'), {
      provider: 'WECHAT',
      providerNo,
      orderNo,
      amountFen,
      paidAt: now,
    })
  })

/** Ordered and paid. */
export async function buy(...given: Parameters<typeof order>): Promise<Bought> {
  const bought = await order(...given)
  await pay(given[0], bought)
  return bought
}

/** A picture this person has uploaded, like no other. */
export const proof = (instance: Instance, ownerId: string, picture = png(next() % 60_000, 2)): Promise<string> =>
  uploaded(instance, ownerId, picture, { name: 'proof.png', type: 'image/png', purpose: 'image' })

/** What this person has uploaded, and no record has taken yet. */
export async function uploaded(
  { app: { db, files, clock } }: Instance,
  ownerId: string,
  bytes: Buffer,
  { name, type, purpose }: { name: string; type: string; purpose: string },
): Promise<string> {
  const written = await files.write(bytes, { name, type })
  await files.keep(db.query, written, { purpose, ownerId, now: clock.now() })
  return written.id
}

/** Money taken by hand: the order waits for a second person. A test names only what matters to it. */
export const takeOffline = async (
  instance: Instance,
  seller: Caller,
  { memberId, productId }: { memberId: string; productId: string },
  given: object = {},
) =>
  seller.post<{ id: string }>('/orders/order', {
    memberId,
    products: [{ productId, quantity: 1 }],
    couponId: null,
    amountFen: 30_000,
    note: '',
    payChannel: 'BANK',
    transactionNo: randomUUID(),
    transferFen: null,
    proof: [await proof(instance, seller.id)],
    receiverOrderId: null,
    receiverName: null,
    receiverPhone: null,
    receiverProvince: null,
    receiverAddress: null,
    ...given,
  })
