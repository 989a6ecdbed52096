import { sql } from 'kysely'
import { AskAgain, defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { openContacts } from './door.server.ts'
import { follows, type TransferStatus } from './model.ts'
import type { Move, Told } from './port.server.ts'
import { moveTransfers, type Standing } from './settling.server.ts'

const ASKING = 'contact-transfer-result'
type Pair = { readonly fromId: string; readonly toId: string; readonly isLeave: boolean }
type Open = {
  readonly id: string
  readonly externalId: string
  readonly status: TransferStatus
  readonly calledAt: string
} & Move
type Answer = { readonly open: readonly Open[]; readonly told: ReadonlyMap<string, Told> }

/** Asks what became of all that is under way between two colleagues: that moves nothing, and may be asked as often as one likes. */
export const asking = defineDelivery<Pair, Answer>({
  kind: ASKING,
  async call(app, { fromId, toId, isLeave }) {
    const { rows: open } = await sql<Open>`
      select t.id, t.status, t.called_at as "calledAt", c.external_id as "externalId", f.account as handover, s.account as takeover,
        t.is_leave as "isLeave"
      from contact_transfer t join chat_contact c on c.id = t.contact_id
      join staff f on f.id = t.from_id join staff s on s.id = t.to_id
      where t.from_id = ${fromId} and t.to_id = ${toId} and t.is_leave = ${isLeave} and t.ended_at is null and t.status <> 'ASKED'
      order by t.id`.execute(app.db.query)
    const [first] = open
    if (!first) return { open, told: new Map() }
    const asked = open.map(({ externalId, calledAt }) => ({ externalId, calledAt: new Date(calledAt) }))
    const told = await openContacts(app)
      .results(first, asked)
      .catch(error => {
        throw new AskAgain(String(error))
      })
    return { open, told }
  },
  settle: (change, _pair, { open, told }) =>
    moveTransfers(
      change,
      open.flatMap(({ id, externalId, status, calledAt }): Standing[] => {
        const answer = told.get(externalId)
        const next = answer && follows(answer.state, { status, calledAt: new Date(calledAt) }, change.now)
        return next ? [{ id, status: next, at: answer.at }] : []
      }),
    ),
})

/** Until every transfer has its end; a customer may refuse at any time before it holds. */
export const askResults = defineJob({
  name: 'ask-contact-transfers',
  cron: '0 */30 * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { rows } = await sql<Pair>`
      select distinct from_id as "fromId", to_id as "toId", is_leave as "isLeave" from contact_transfer
      where ended_at is null and status <> 'ASKED' order by 1, 2, 3`.execute(change.tx)
    return each(rows, pair =>
      deliver(change, { kind: ASKING, key: `${pair.fromId}:${pair.toId}:${pair.isLeave}`, payload: pair }),
    )
  },
})

/** Whose protection has ended is as any other contact again, and goes along next time. */
export const endProtection = defineJob({
  name: 'end-contact-protection',
  cron: '0 15 4 * * *',
  misfire: 'RUN_ONCE',
  async work({ tx, now }) {
    const { numAffectedRows } = await sql`
      update chat_contact set status = 'HELD', successor_id = null, asked_at = null, effective_at = null, errcode = null, version = version + 1
      where status = 'PROTECTED' and effective_at <= ${now}`.execute(tx)
    return Number(numAffectedRows ?? 0)
  },
})
