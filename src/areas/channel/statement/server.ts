import { sql } from 'kysely'
import type { Totals } from '#engines/settlement/balancing.server.ts'
import { periodBefore } from '#engines/settlement/period.model.ts'
import {
  correct,
  deduct,
  digestOf,
  listeners as forgetting,
  invariants as kept,
  openStatement,
  reckon,
} from '#engines/settlement/server.ts'
import { fen } from '#kit/model/money.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf, startOfDay } from '#kit/model/time.ts'
import type { App, Change } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { child } from './lines/model.ts'
import { endLinks, sendLink, listeners as telling } from './linking.server.ts'
import { type Known, resource, type Statement, workflow } from './model.ts'
import { partnerRoutes } from './partner-page/routes.server.ts'
import { sourceOf } from './source.server.ts'
import { isReachable } from './token.server.ts'
import { requireOwnTransfer } from './transfer.server.ts'

const served = (app: App) =>
  serve(resource, {
    workflow,
    facts: (db, rows) => knownOf(app, db, rows),
    effects: {
      sendLink,
      confirm: async (op, row, { confirmedName }) => ({
        confirmedVia: 'RECORDED' as const,
        ...{
          confirmedName,
          confirmedBy: op.actor.id,
          confirmedAt: op.now.toISOString(),
          digest: await digestOf(op, row.id),
        },
        ...since(op),
      }),
      approve: async op => ({ approvedBy: op.actor.id, approvedAt: op.now.toISOString(), ...since(op) }),
      async pay(op, { totalFen }, { transferNo }) {
        if (totalFen > 0 && transferNo === null) throw onField('transferNo', refuse('transfer-missing'))
        if (transferNo !== null) await requireOwnTransfer(op, transferNo)
        return { transferNo, paidBy: op.actor.id, paidAt: op.now.toISOString(), ...since(op) }
      },
      reckon: async (op, row) => ({
        ...(await showing(op, row, () => reckon(op, sourceOf(op.app), row))),
        reckonedAt: op.now.toISOString(),
      }),
      deduct: (op, row, { amountFen, reason = '' }) =>
        showing(op, row, () => deduct(op, sourceOf(op.app), row, { amountFen, note: reason, byId: op.actor.id })),
      reject: async (op, row) => ({ ...NOT_CONFIRMED, ...(await endLinks(op, row.id)), ...since(op) }),
      correct: (op, row, { direction, amountFen, reason = '' }) =>
        correct(op, row, { amountFen: direction === 'ADD' ? amountFen : -amountFen, note: reason, byId: op.actor.id }),
    },
    // Another month was begun while this one went back.
    constraints: { settlement_statement_draft: { code: 'has-later' } },
  })
const lines = serveChild(child)
export const routes: Routes = app => [...served(app)(app), ...lines(app), ...partnerRoutes(app)]
export const listeners = [...forgetting, ...telling]

/** What the lines come to, as the record says it. */
const inFen = ({ adjustedFen, totalFen, ...counts }: Totals) => ({
  ...counts,
  adjustedFen: fen(adjustedFen),
  totalFen: fen(totalFen),
})

/**
 * Where it says something else than before, the code the partner was sent is for what it was and agrees to nothing any more, so that
 * none is asked for by now; the link shows what it says from now on.
 */
async function showing(op: Operation, { id, linkState }: Statement, change: () => Promise<Totals>) {
  const before = await digestOf(op, id)
  const totals = inFen(await change())
  const isVoid = linkState === 'ASKED' && (await digestOf(op, id)) !== before
  return isVoid ? { ...totals, linkState: 'SENT' as const } : totals
}

const since = ({ now }: Operation) => ({ stateSince: now.toISOString() })

const NOT_CONFIRMED = {
  ...{ confirmedName: null, confirmedVia: null, confirmedBy: null, confirmedAt: null, digest: null },
} as const

/** Which of these are followed by a statement of a later month, whose partner has somebody to be asked, how often that was done today, and who entered lines by hand. */
async function knownOf(app: App, db: Reading, rows: readonly Statement[]): Promise<ReadonlyMap<string, Known>> {
  const found = await db
    .selectFrom('partner as p')
    .innerJoin('settlement_statement as s', 's.partner_id', 'p.id')
    .select(({ fn }) => ['p.id', 'p.contact_phone', fn.max('s.period_from').as('last')])
    .where('p.id', 'in', ['0', ...rows.map(({ partnerId }) => partnerId)])
    .groupBy('p.id')
    .execute()
  const partners = new Map(found.map(partner => [partner.id, partner]))
  const sent = await db
    .selectFrom('statement_link')
    .select(({ fn }) => ['statement_id', fn.countAll<string>().as('links')])
    .where('statement_id', 'in', ['0', ...rows.map(({ id }) => id)])
    .where('sent_at', '>=', startOfDay(dayOf(app.clock.now())).toISOString())
    .groupBy('statement_id')
    .execute()
  const entered = await db
    .selectFrom('settlement_line')
    .select(['statement_id', 'by_id'])
    .distinct()
    .where('statement_id', 'in', ['0', ...rows.map(({ id }) => id)])
    .where('part', '=', 'ADJUSTED')
    .where('by_id', 'is not', null)
    .execute()
  const today = new Map(sent.map(({ statement_id: id, links }) => [id, Number(links)]))
  return new Map(
    rows.map(({ id, partnerId, periodFrom }) => {
      const partner = partners.get(partnerId)
      const [hasLater, hasContact] = [periodFrom < (partner?.last ?? ''), partner?.contact_phone != null]
      const enteredBy = entered.flatMap(line => (line.statement_id === id ? (line.by_id ?? []) : []))
      return [id, { hasLater, hasContact, isReachable: isReachable(app), linksToday: today.get(id) ?? 0, enteredBy }]
    }),
  )
}

/**
 * What comes to nothing asks nobody to agree to it, and is done with; what becomes known later stands on the next statement. Where
 * somebody took off until nothing was left, or put it right to nothing, the partner is asked as for any other.
 */
async function settleNothing(change: Change, id: string): Promise<boolean> {
  const before = await change.tx
    .selectFrom('settlement_statement')
    .select(['id', 'status', 'confirmed_via as confirmedVia', 'paid_at as paidAt'])
    .where('id', '=', id)
    // Somebody may have agreed to it, or reckoned it again, since it was found.
    .where('status', '=', 'DRAFT')
    .where('total_fen', '=', '0')
    .where(isByRule)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return false
  const now = change.now.toISOString()
  const done = { confirmedVia: 'NOTHING_DUE', confirmedAt: now, digest: await digestOf(change, id), paidAt: now }
  const ended = await endLinks(change, id)
  await writeChange(change, resource, before, { status: 'PAID', ...done, ...ended, stateSince: now }, 'settleNothing')
  return true
}

/** Drafts that come to nothing, of those that were there before. */
const nothingDue = async ({ tx }: Change): Promise<string[]> => {
  const drafts = tx.selectFrom('settlement_statement').select('id').where('status', '=', 'DRAFT')
  return (await drafts.where('total_fen', '=', '0').where(isByRule).orderBy('id').execute()).map(({ id }) => id)
}

/** Whether nobody has entered a line of it by hand. */
const isByRule = sql<boolean>`not exists (
  select from settlement_line l where l.statement_id = settlement_statement.id and l.part = 'ADJUSTED' and l.by_id is not null)`

/** The month that is over, of every partner who has a price and no draft left. */
const open = defineJob({
  name: 'open-statements',
  cron: '0 20 2 * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    // First: whoever has a draft left gets no other.
    const settled = await each(await nothingDue(change), id => settleNothing(change, id))
    const period = periodBefore(dayOf(change.now))
    const due = await change.tx
      .selectFrom('settlement_price as v')
      .select('v.partner_id')
      .distinct()
      .where('v.status', '=', 'APPROVED')
      .where('v.valid_from', '<=', period.to)
      // What was called off before it began is no price.
      .where(({ or, eb, ref }) => or([eb('v.valid_to', 'is', null), eb('v.valid_to', '>=', ref('v.valid_from'))]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('settlement_statement as s')
              .select('s.id')
              .whereRef('s.partner_id', '=', 'v.partner_id')
              .where(({ or, eb }) => or([eb('s.period_from', '>=', period.from), eb('s.status', '=', 'DRAFT')])),
          ),
        ),
      )
      .orderBy('v.partner_id')
      .execute()
    const opened = await each(due, async row => {
      const statement = await openStatement(change, row.partner_id, period)
      const { totalFen } = await reckon(change, sourceOf(change.app), statement)
      if (totalFen === 0) await settleNothing(change, statement.id)
    })
    return settled + opened
  },
})
export const jobs = [open]

export const invariants = kept
