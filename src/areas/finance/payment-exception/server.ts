import { isEnteredByHand } from '#areas/orders/examination/transfer.server.ts'
import { lockForPaying, payWithStray } from '#areas/orders/order/paying.server.ts'
import { giveStrayBack } from '#engines/payment/exception.server.ts'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant, OpenWork } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { reviveCall } from '#kit/server/change/outbox.ts'
import { reviveEvent } from '#kit/server/live/inbox-worker.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { jobs as foundJobs, listeners as foundListeners, UNDECIDED } from './finding.server.ts'
import { type PaymentException, resource, workflow } from './model.ts'

export const routes = serve(resource, {
  workflow,
  // Confirming may pay an order, and its member is locked before it.
  async lock(op, id) {
    const found = await op.tx
      .selectFrom('payment_exception')
      .select('proposed_order_id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (found?.proposed_order_id) await lockForPaying(op.tx, { id: found.proposed_order_id })
  },
  effects: {
    proposeOrder: propose('ORDER'),
    proposeReturn: propose('GIVE_BACK'),
    proposeSettled: propose('SETTLED'),
    async confirm(op, row) {
      const payment = await paymentOf(op, row.id)
      if (row.proposal !== 'SETTLED') await requireFree(op, row)
      if (row.proposal === 'ORDER' && payment && row.proposedOrderId)
        await payWithStray(op, payment, row.proposedOrderId)
      if (row.proposal === 'GIVE_BACK' && payment) await giveStrayBack(op, payment.id)
      return { confirmedBy: op.actor.id, endedAt: op.now.toISOString() }
    },
    async tryAgain(op, row) {
      const { eventId, callId } = await triedOf(op, row.id)
      const isRevived = eventId === null ? await reviveCall(op, String(callId)) : await reviveEvent(op, eventId)
      if (!isRevived) throw new Refused(refuse('event-ended'))
      return { endedAt: op.now.toISOString() }
    },
    decline: async () => UNDECIDED,
  },
})

type Proposed = Partial<EnteredWith<typeof workflow, 'proposeOrder'>>

function propose(proposal: NonNullable<PaymentException['proposal']>) {
  return async (op: Operation, row: PaymentException, { reason, proposedOrderId }: Proposed) => {
    if (proposal !== 'SETTLED') await requireFree(op, row)
    return {
      proposal,
      proposedOrderId: proposedOrderId ?? null,
      proposedBy: op.actor.id,
      proposalNote: reason ?? '',
    }
  }
}

/** What somebody entered by hand has paid its order already: it pays no second one, and does not go back, while that stands. */
async function requireFree(op: Operation, { id, provider }: PaymentException): Promise<void> {
  const payment = await paymentOf(op, id)
  if (payment && provider && (await isEnteredByHand(op.tx, { id: payment.id, provider })))
    throw new Refused(refuse('entered-by-hand'))
}

/** The payment an exception is about, held. */
async function paymentOf({ tx }: Operation, id: string): Promise<{ id: string; amountFen: number } | undefined> {
  const row = await tx
    .selectFrom('payment as p')
    .innerJoin('payment_exception as e', 'e.payment_id', 'p.id')
    .select(['p.id', 'p.amount_fen'])
    .where('e.id', '=', id)
    .forUpdate('p')
    .executeTakeFirst()
  return row && { id: row.id, amountFen: fen(row.amount_fen) }
}

/** What an exception says could not be done: an event that came in, or a call that was to go out. */
const triedOf = ({ tx }: Operation, id: string) =>
  tx
    .selectFrom('payment_exception')
    .select(['event_id as eventId', 'outbox_id as callId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

export const listeners = [
  ...foundListeners,
  forgets({ table: 'payment_exception', becomes: { detail: "''", proposal_note: "''" } }),
]
export const jobs = foundJobs

export const openWork: readonly OpenWork[] = [
  {
    name: 'money that no record explains',
    query: `
      select status, to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day,
        concat_ws(' ', kind, subject, cause, '¥' || to_char(amount_fen / 100.0, 'FM999999999990.00')) as about
      from payment_exception where status <> 'DONE' order by id`,
    say: ({ about, status, day }) =>
      `exception ${about}, since ${day}: ${status === 'OPEN' ? 'finance proposes' : 'the cashier confirms'}`,
  },
]

export const invariants: readonly Invariant[] = [
  {
    name: "a call to the outside that was given up is somebody's work",
    query: `
      select o.id, o.kind from outbox o left join payment_exception e on e.outbox_id = o.id
      where o.status = 'GIVEN_UP' and e.id is null`,
  },
  {
    name: "a stray payment that fits nothing is somebody's work, or its order is still waited for",
    query: `
      select p.id, p.stray_reason from payment p left join payment_exception e on e.payment_id = p.id
      where p.status = 'STRAY' and p.provider <> 'OFFLINE' and p.stray_reason <> 'UNKNOWN' and e.id is null`,
  },
  {
    name: 'money put to an order or sent back is no open exception',
    query: `
      select e.id, e.status, p.status as payment from payment_exception e join payment p on p.id = e.payment_id
      where (p.status <> 'STRAY') and e.status <> 'DONE'`,
  },
]
