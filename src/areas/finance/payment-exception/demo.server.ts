import { type Order, ordersOf } from '#areas/orders/order/demo-trade.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, HOUR_MS, MINUTE_MS, type World } from '#demo/world.server.ts'
import { defaultsOf } from '#kit/model/setting.ts'
import { resource } from './model.ts'
import { settings } from './settings.model.ts'

/** Nobody has changed it in the two years. */
const { returnDays: RETURN_DAYS } = defaultsOf(settings)

type Why = 'TWICE' | 'CLOSED' | 'AMOUNT'
type Stray = { readonly payment: NewRow<'payment'>; readonly exception: NewRow<'payment_exception'> }

/** Money that fits nothing: for finance to say what becomes of it, for the cashier to confirm, and one that went back by itself. */
function addStrays(world: World): void {
  const { now } = world
  const orders = ordersOf(world)
  const lately = orders.filter(({ createdAt }) => now.getTime() - createdAt < 20 * DAY_MS)
  const twice = lately.findLast(({ payState, payment }) => payState === 'PAID' && payment?.provider === 'WECHAT')
  const closed = lately.findLast(({ payState, closedAt }) => payState === 'CLOSED' && closedAt !== null)
  const unpaid = lately.findLast(({ payState }) => payState === 'UNPAID')
  const back = orders.find(({ payState, payment }) => payState === 'PAID' && payment?.provider === 'ALIPAY')
  if (twice) propose(world, stray(world, twice, 'TWICE', now.getTime() - 3 * HOUR_MS))
  if (closed) stray(world, closed, 'CLOSED', now.getTime() - 5 * HOUR_MS)
  if (unpaid) stray(world, unpaid, 'AMOUNT', now.getTime() - 2 * MINUTE_MS, unpaid.amountFen + 100)
  if (back) giveBack(world, stray(world, back, 'TWICE', (back.paidAt ?? 0) + 20 * MINUTE_MS))
}

function stray({ ids, numbers, rows }: World, order: Order, why: Why, at: number, amountFen = order.amountFen): Stray {
  const money = {
    provider: 'WECHAT',
    provider_no: `WE${order.orderNo}-${why}`,
    order_id: order.id,
    amount_fen: amountFen,
    said_order_no: order.orderNo,
  } as const
  const payment: NewRow<'payment'> = {
    ...money,
    id: ids.next('payment'),
    payment_no: numbers.next('P', at),
    coin_order_id: null,
    refunded_fen: 0,
    status: 'STRAY',
    stray_reason: why,
    received_at: new Date(at),
    told_at: new Date(at),
  }
  const exception: NewRow<'payment_exception'> = {
    ...money,
    id: ids.next('payment_exception'),
    kind: 'STRAY',
    subject: payment.payment_no,
    payment_id: payment.id as number,
    cause: why,
    status: 'OPEN',
    proposal: null,
    proposed_by: null,
    proposal_note: '',
    ended_at: null,
    created_at: new Date(at),
    returns_at: new Date(at + RETURN_DAYS * DAY_MS),
    version: 1,
  }
  rows.add('payment', [payment])
  rows.add('payment_exception', [exception])
  return { payment, exception }
}

/** Finance wants it given back; the cashier has still to confirm it. */
function propose(world: World, { exception }: Stray): void {
  const { log, now } = world
  const finance = colleague(world, 'FINANCE')
  const reason = '家长误付两次，已电话核实'
  Object.assign(exception, {
    status: 'PROPOSED',
    proposal: 'GIVE_BACK',
    proposed_by: finance.id,
    proposal_note: reason,
    version: 2,
  })
  log.write({
    at: now.getTime() - HOUR_MS,
    actor: finance,
    resource,
    action: 'proposeReturn',
    recordId: exception.id as number,
    before: { status: 'OPEN' },
    after: { status: 'PROPOSED', proposal: 'GIVE_BACK' },
    reason,
  })
}

/** Nobody decided on it: after a week it went back the way it came. */
function giveBack({ rows, log }: World, { payment, exception }: Stray): void {
  const at = (exception.returns_at as Date).getTime()
  Object.assign(payment, { status: 'GIVEN_BACK', refunded_fen: payment.amount_fen })
  Object.assign(exception, { status: 'DONE', proposal: 'GIVE_BACK', ended_at: new Date(at), version: 2 })
  log.write({
    at,
    actor: null,
    resource,
    action: 'giveBack',
    recordId: exception.id as number,
    before: { status: 'OPEN' },
    after: { status: 'DONE', proposal: 'GIVE_BACK' },
  })
  const asked: NewRow<'provider_refund'> = {
    refund_no: `${payment.payment_no}-stray`,
    payment_id: payment.id as number,
    refund_id: null,
    amount_fen: payment.amount_fen,
    status: 'SUCCESS',
    provider_no: `SIM${payment.payment_no}-stray`,
    tries: 1,
    error: '',
    created_at: new Date(at),
    finished_at: new Date(at + MINUTE_MS),
  }
  rows.add('provider_refund', [asked])
}

export const demo: Story = {
  holds: {
    FINANCE: [...READ, 'export', 'proposeOrder', 'proposeReturn', 'proposeSettled', 'tryAgain'],
    FINANCE_CASHIER: [...READ, 'confirm', 'decline'],
    AUDITOR: READ,
  },
  end: addStrays,
}
