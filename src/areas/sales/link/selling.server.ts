import { sql } from 'kysely'
import { leadByLink } from '#areas/members/registration/arriving.server.ts'
import { orderByLink } from '#areas/orders/order/by-link.server.ts'
import { orderClosed, orderPaid } from '#areas/orders/order/paying.server.ts'
import { tieToLink } from '#engines/lead/owning.server.ts'
import { touchMembers } from '#engines/lead/touching.server.ts'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { answer } from '#kit/server/change/question.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { resource } from './model.ts'
import { isInForce, isShort, type Outcome, priceBy } from './price.model.ts'

const COLUMNS = [
  'id',
  'status',
  'product_id',
  'price_fen',
  'discount_id',
  'used_order_id',
  'expires_on',
  'owner_id',
] as const
const link = (tx: Tx) => tx.selectFrom('sales_link').select(COLUMNS)

/** What was promised to whoever comes with the code of a link. Of two orders that come for one discount, the second finds it used. */
const byState = answer(orderByLink, async (_app, { change, state, line, hasCoupon, toldFen }) => {
  const { tx, now } = change
  const found = await link(tx).where('code', '=', state).forUpdate().executeTakeFirst()
  if (!found) return undefined
  const { outcome, amountFen } = priceBy(
    {
      ...{ status: found.status, expiresOn: found.expires_on, productId: found.product_id },
      ...{ priceFen: fen(found.price_fen), hasDiscount: found.discount_id !== null },
    },
    {
      productId: line.product?.id ?? null,
      todayFen: line.product?.priceFen ?? line.amountFen,
      ...{ quantity: line.quantity, hasCoupon },
    },
    dayOf(now),
  )
  return {
    linkId: found.id,
    line: line.product ? { ...line, amountFen } : line,
    markPlaced: async ({ id: orderId, amountFen: placedFen }) => {
      await place(change, found, { orderId, outcome, amountFen: placedFen, toldFen })
      await cameBy(change, orderId, { code: state, productId: found.product_id })
    },
  }
})

type Standing = { readonly id: string; readonly status: string; readonly used_order_id: string | null }
type Placed = {
  readonly orderId: string
  readonly outcome: Outcome
  readonly amountFen: number
  readonly toldFen: number | null
}

async function place(change: Change, found: Standing, { orderId, outcome, amountFen, toldFen }: Placed): Promise<void> {
  const { tx, now } = change
  await tx
    .insertInto('sales_link_order')
    .values({ link_id: found.id, order_id: orderId, outcome, amount_fen: amountFen, told_fen: toldFen, at: now })
    .execute()
  if (isShort(amountFen, toldFen))
    await sql`update sales_link set short_orders = short_orders + 1 where id = ${found.id}`.execute(tx)
  if (outcome === 'DISCOUNTED') await spend(change, found, orderId)
}

/** Who orders by a link has come by it once more. */
async function cameBy(
  change: Change,
  orderId: string,
  { code, productId }: { readonly code: string; readonly productId: string },
): Promise<void> {
  const order = await change.tx
    .selectFrom('sales_order as o')
    .innerJoin('member as m', 'm.id', 'o.member_id')
    .select(['o.member_id', 'o.order_no', 'o.channel', 'm.source'])
    .where('o.id', '=', orderId)
    .executeTakeFirstOrThrow()
  const { member_id: id, order_no, channel, source } = order
  const touch = {
    key: `order:${order_no}`,
    cameBy: 'LINK',
    source,
    channel,
    consent: 'APP_TERMS',
    about: code,
    productId,
  } as const
  await touchMembers(change, [{ id, touches: [touch] }])
}

/** The discount of a link, whose row is locked, is this order's. */
const spend = (change: Change, { id, status, used_order_id }: Standing, orderId: string) =>
  writeChange(
    change,
    resource,
    { id, status, usedOrderId: used_order_id },
    { status: 'USED', usedOrderId: orderId },
    'use',
  )

/** An order that will not be paid gives its discount back: to be used again, while its link is in force. */
async function free(change: Change, { orderId }: { readonly orderId: string }): Promise<void> {
  const found = await link(change.tx).where('used_order_id', '=', orderId).forUpdate().executeTakeFirst()
  if (!found) return
  const isOver = found.expires_on < dayOf(change.now)
  const before = { id: found.id, status: found.status, usedOrderId: orderId }
  await writeChange(change, resource, before, { status: isOver ? 'EXPIRED' : 'ACTIVE', usedOrderId: null }, 'free')
}

/** What was paid counts for the link it came by. */
async function earn(change: Change, { orderId }: { readonly orderId: string }): Promise<void> {
  const { tx } = change
  const placed = await tx
    .selectFrom('sales_link_order as p')
    .innerJoin('sales_order as o', 'o.id', 'p.order_id')
    .select(['p.id', 'p.link_id', 'p.outcome', 'o.paid_fen'])
    .where('p.order_id', '=', orderId)
    .executeTakeFirst()
  if (!placed) return
  const found = await link(tx).where('id', '=', placed.link_id).forUpdate().executeTakeFirstOrThrow()
  if (placed.outcome === 'DISCOUNTED' && found.used_order_id !== orderId) await spendAgain(change, found, orderId)
  await sql`update sales_link_order set paid_fen = ${placed.paid_fen} where id = ${placed.id}`.execute(tx)
  await sql`
    update sales_link set orders = orders + 1, amount_fen = amount_fen + ${placed.paid_fen} where id = ${found.id}`.execute(
    tx,
  )
}

/** An order that closed is paid after all, at the price agreed to: that is used with it again, unless another order has it since. */
async function spendAgain(
  change: Change,
  found: Standing & { readonly discount_id: string | null },
  orderId: string,
): Promise<void> {
  const { rows } = await sql`
    select from sales_link where discount_id = ${found.discount_id} and (status = 'USED' or (status = 'ACTIVE' and id <> ${found.id}))
    limit 1`.execute(change.tx)
  if (rows.length > 0) throw new Refused(refuse('sales/link:discount-gone'))
  await spend(change, found, orderId)
}

/** Whoever comes by the link of a consultant who works here is that consultant's lead; one that is known stays whose it is. */
const ofLead = answer(leadByLink, async (_app, { change, state }) => {
  const { tx, now } = change
  const found = await link(tx).where('code', '=', state).executeTakeFirst()
  if (!found) return undefined
  const mayOwn = isInForce({ status: found.status, expiresOn: found.expires_on }, dayOf(now))
  const owner = mayOwn
    ? await tx
        .selectFrom('staff')
        .select(['id', 'org_id as orgId'])
        .where('id', '=', found.owner_id)
        .where('status', '=', 'ENABLED')
        .forShare()
        .executeTakeFirst()
    : undefined
  return {
    owner: owner ?? null,
    productId: found.product_id,
    async markCame(leadId) {
      if (await tieToLink(change, leadId, found.id))
        await sql`update sales_link set leads = leads + 1 where id = ${found.id}`.execute(tx)
    },
  }
})

export const sellingAnswers = [byState, ofLead]
export const sellingListeners: readonly Listener[] = [listen(orderClosed, free), listen(orderPaid, earn)]
