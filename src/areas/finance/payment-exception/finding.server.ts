import { sql } from 'kysely'
import { enteredByHand, isEnteredByHand } from '#areas/orders/examination/transfer.server.ts'
import { exceptionFound, type FoundException, giveStrayBack, tellStray } from '#engines/payment/exception.server.ts'
import { moneyGivenBack } from '#engines/payment/refund.server.ts'
import { WAIT_MS } from '#engines/payment/server.ts'
import { fen } from '#kit/model/money.ts'
import { keyIn } from '#kit/model/setting.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, listen } from '#kit/server/change/announce.ts'
import { callGivenUp } from '#kit/server/change/outbox.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { eventGivenUp } from '#kit/server/live/event.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { settingTakenOver } from '#kit/server/setting/take-over.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { resource } from './model.ts'
import { settings } from './settings.model.ts'

const MAX_DETAIL = 500

/** Written down once for what it is about; what comes back after it was solved is open again. */
async function write(change: Change, found: FoundException): Promise<void> {
  const { tx, now } = change
  const detail = (found.detail ?? '').slice(0, MAX_DETAIL)
  const cause = await causeOf(change, found)
  const returnsAt = goesBack({ ...found, cause }) ? await returnOf(change) : null
  const written = await tx
    .insertInto('payment_exception')
    .values({
      kind: found.kind,
      subject: found.subject,
      payment_id: found.paymentId ?? null,
      event_id: found.eventId ?? null,
      outbox_id: found.outboxId ?? null,
      order_id: found.orderId ?? null,
      provider: found.provider ?? null,
      provider_no: found.providerNo ?? null,
      said_order_no: found.saidOrderNo ?? null,
      amount_fen: found.amountFen ?? null,
      cause,
      detail,
      created_at: now,
      returns_at: returnsAt,
    })
    .onConflict(conflict => conflict.constraint('payment_exception_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (written) return
  const solved = await tx
    .selectFrom('payment_exception')
    .select(['id', 'status'])
    .where('kind', '=', found.kind)
    .where('subject', '=', found.subject)
    .where('status', '=', 'DONE')
    .forUpdate()
    .executeTakeFirst()
  if (solved) await writeChange(change, resource, solved, { ...UNDECIDED, detail, createdAt: now, returnsAt }, 'reopen')
}

/** What somebody has entered by hand is told apart, whatever order the provider names. */
async function causeOf({ tx }: Change, { cause, paymentId, provider }: FoundException) {
  if (paymentId && provider && (await isEnteredByHand(tx, { id: paymentId, provider }))) return 'RECORDED'
  return cause ?? null
}

/** By itself goes back what a provider can give back and nobody has entered: a platform's goes back there, and the rest stays people's work. */
const goesBack = ({ kind, provider, cause }: Pick<FoundException, 'kind' | 'provider'> & { readonly cause: unknown }) =>
  kind === 'STRAY' && provider !== 'PLATFORM' && cause !== 'RECORDED'

/** When money nobody decides on goes back: by the setting of the day it was found, whatever is set later. */
async function returnOf({ app, tx, now }: Change): Promise<Date> {
  const { returnDays } = await settingsOf(app, settings, tx)
  return new Date(now.getTime() + returnDays * DAY_MS)
}

/** As if nobody had proposed anything. */
export const UNDECIDED = {
  status: 'OPEN',
  proposal: null,
  proposedOrderId: null,
  proposedBy: null,
  proposalNote: '',
  confirmedBy: null,
  endedAt: null,
} as const

export const listeners = [
  listen(exceptionFound, write),
  listen(eventGivenUp, (change, { id, source, type, key, error }) =>
    write(change, { kind: 'EVENT', subject: `${source}:${key}`, eventId: id, detail: `${type}: ${error}` }),
  ),
  listen(callGivenUp, (change, { id, kind, key, error }) =>
    write(change, { kind: 'CALL', subject: `${kind}:${key}`, outboxId: id, detail: `${kind}: ${error}` }),
  ),
  // What waited at the upgrade was found under what the environment said.
  listen(settingTakenOver, async ({ tx }, { setting: { key }, value }) => {
    if (key !== keyIn(settings.group, 'returnDays')) return
    await sql`
      update payment_exception set returns_at = created_at + ${value} * interval '1 day'
      where kind = 'STRAY' and status <> 'DONE' and returns_at is not null`.execute(tx)
  }),
  listen(moneyGivenBack, async (change, { refundId, paymentId, status, providerNo, error }) => {
    if (refundId === null) await (status === 'SUCCESS' ? undefined : tellStray(change, paymentId, error))
    else if (status === 'SUCCESS') await findPaidTwice(change, refundId, providerNo)
  }),
]

/** What somebody has paid back by hand, or what was not to be paid any more, the provider has now paid as well. */
async function findPaidTwice(change: Change, refundId: string, providerNo: string | null): Promise<void> {
  const refund = await change.tx
    .selectFrom('refund_application as r')
    .innerJoin('provider_refund as g', 'g.refund_no', 'r.refund_no')
    .innerJoin('payment as p', 'p.id', 'g.payment_id')
    .select(['r.refund_no', 'r.order_id', 'r.status', 'r.transaction_no', 'g.amount_fen', 'p.provider'])
    .where('r.id', '=', refundId)
    .executeTakeFirst()
  if (!refund || refund.provider === 'OFFLINE') return
  const isByHand = refund.status === 'PAID' && refund.transaction_no !== null
  if (!isByHand && refund.status !== 'REJECTED' && refund.status !== 'WITHDRAWN') return
  await announce(change, exceptionFound, {
    kind: 'REFUND_TWICE',
    subject: refund.refund_no,
    orderId: refund.order_id,
    provider: refund.provider,
    providerNo,
    amountFen: fen(refund.amount_fen),
    detail: refund.transaction_no ?? '',
  })
}

const DAY_MS = 24 * 3_600_000
const AT_ONCE = 100

/** What has waited a day for its order in vain is a stray like any other. */
const endWaiting = defineJob({
  name: 'end-waiting-payments',
  cron: '0 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { tx, now } = change
    const waited = await tx
      .selectFrom('payment as p')
      .leftJoin('payment_exception as e', 'e.payment_id', 'p.id')
      .select('p.id')
      .where('p.status', '=', 'STRAY')
      .where('p.told_at', '<=', new Date(now.getTime() - WAIT_MS).toISOString())
      .where('e.id', 'is', null)
      .orderBy('p.id')
      .limit(AT_ONCE)
      .execute()
    return each(waited, ({ id }) => tellStray(change, id))
  },
})

/** A stray nobody decides on goes back by itself, unless it has been entered by hand since: then it is an order's. */
const giveStraysBack = defineJob({
  name: 'give-strays-back',
  cron: '0 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { tx, now } = change
    const undecided = await tx
      .selectFrom('payment_exception as x')
      .innerJoin('payment as p', 'p.id', 'x.payment_id')
      .select(['x.id', 'x.status', 'x.payment_id'])
      .where('x.kind', '=', 'STRAY')
      .where('x.status', '=', 'OPEN')
      .where('x.provider', 'in', ['WECHAT', 'ALIPAY'])
      .where('x.returns_at', '<=', now.toISOString())
      .where(({ not }) => not(enteredByHand))
      .orderBy('x.id')
      .limit(AT_ONCE)
      .forUpdate('x')
      .skipLocked()
      .execute()
    return each(undecided, async ({ payment_id: paymentId, ...row }) => {
      await giveStrayBack(change, paymentId as string)
      await writeChange(change, resource, row, { status: 'DONE', proposal: 'GIVE_BACK', endedAt: now }, 'giveBack')
    })
  },
})
export const jobs = [endWaiting, giveStraysBack]
