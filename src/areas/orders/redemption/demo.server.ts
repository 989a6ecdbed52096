import { type Member, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { numberOrder } from '#areas/orders/order/demo.server.ts'
import {
  hasGoods,
  NEW_LINE,
  NEW_ORDER,
  type Order,
  orderPaid,
  orderUndone,
  otherOrdersOf,
} from '#areas/orders/order/demo-trade.server.ts'
import { lastFour } from '#areas/products/code-batch/code.server.ts'
import { type Batch, batchMade, type Code } from '#areas/products/code-batch/demo.server.ts'
import { addressOf } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, DAY_MS, HOUR_MS, owned, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'
import { resource } from './model.ts'

const UNDONE_EVERY = 9

const chance = chanceOf('orders/redemption')

/** The codes of a batch are redeemed over time. Each member redeems one of a batch. */
function planRedemptions(world: World, batch: Batch): void {
  const { now, agenda, scale } = world
  const random = chance(world)
  const from = now.getTime() + batch.days[1] * DAY_MS
  const to = Math.min(now.getTime() - DAY_MS, now.getTime() + batch.days[2] * DAY_MS)
  const free = membersOf(world).filter(({ createdAt }) => createdAt < from)
  const used = Math.round(batch.used * Math.min(1, scale))
  const holders = new Set(Array.from({ length: used }, () => random.pick<Member | undefined>(free)))
  for (const [index, member] of [...holders].entries()) {
    const code = batch.codes[index]
    if (member && code)
      agenda.at(from + Math.floor((to - from) * random.fraction()), then =>
        redeem(world, { batch, code, member }, then),
      )
  }
}

function redeem(world: World, { batch, code, member }: { batch: Batch; code: Code; member: Member }, at: number): void {
  const { ids, numbers, log, now, agenda, rows } = world
  const ledger = ledgerOf(world)
  const owner = ownerAt(member, now.getTime(), now)
  const seller = ownerAt(member, at, now) ?? colleague(world, 'SALES')
  const order = newOrder(world, batch, member, at)
  numberOrder(world, order, at)
  otherOrdersOf(world).push(order)
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
  rows.add('redemption', [row])
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
  orderPaid.tell(world, at, order)
  log.write({
    at,
    actor: seller,
    resource,
    action: 'redeem',
    recordId: id,
    after: { status: 'DONE' },
  })
  // Entered for the wrong child now and then, and taken back at once.
  if (rows.of('redemption').length % UNDONE_EVERY !== 0) return
  agenda.at(at + chance(world).whole(1, 3) * HOUR_MS, then => {
    if (!ledger.undo(then, id, seller.id)) return
    orderUndone.tell(world, then, order)
    order.payState = 'CLOSED'
    order.closedAt = then
    order.version += 1
    code.status = batch.status === 'CLOSED' ? 'VOID' : 'UNUSED'
    Object.assign(row, { status: 'UNDONE', undone_at: new Date(then), version: 2 })
    log.write({
      at: then,
      actor: seller,
      resource,
      action: 'undo',
      recordId: id,
      before: { status: 'DONE' },
      after: { status: 'UNDONE' },
      reason: '录错学员',
    })
  })
}

const newOrder = (world: World, batch: Batch, member: Member, at: number): Order => ({
  ...NEW_ORDER,
  member,
  lines: [
    {
      ...NEW_LINE,
      offer: { id: null, name: batch.name, grants: batch.grants, commissionPermille: 0, mayWait: true, sold: 0 },
      quantity: 1,
      listFen: 0,
      amountFen: 0,
    },
  ],
  source: 'REDEMPTION',
  createdAt: at,
  amountFen: 0,
  payState: 'PAID',
  paidAt: at,
  closedAt: null,
  soldBy: ownerAt(member, at, world.now),
  coupon: undefined,
  address: hasGoods(batch.grants) ? addressOf(chance(world)) : null,
  agreedFrom: null,
  version: 2,
})

export const demo: Story = {
  holds: {
    SALES: [...READ, 'redeem', 'undo', 'reveal'],
    SALES_MANAGER_COPY: ['export', 'void'],
    OPERATIONS: READ,
    OPERATIONS_MANAGER: ['export', 'void'],
    AUDITOR: READ,
  },
  plan: world => batchMade.hear(world, (_, batch) => planRedemptions(world, batch)),
}
