import { sql } from 'kysely'
import type { App, Change } from '#kit/server/app.ts'
import { AskAgain, defineDelivery } from '#kit/server/change/outbox.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { openContacts } from './door.server.ts'
import { answeredAs, longestProtection } from './model.ts'
import type { Move, Outcome } from './port.server.ts'
import { moveTransfers, type Standing } from './settling.server.ts'

/** The kind of the calls that ask for transfers, by the first of them. */
export const TRANSFERRING = 'contact-transfer'
type Payload = { readonly ids: readonly string[] }

type Claimed = { readonly id: string; readonly externalId: string; readonly isClaimed: boolean } & Move
type Called = { readonly ids: ReadonlyMap<string, string>; readonly outcome: Outcome } | 'none'

/**
 * Asks the platform at most once for each. The rows are claimed first, in a transaction of their own: whoever finds them
 * claimed, after a crash or a lease that ran out, does not know whether the platform heard, and says so instead of asking again.
 */
export const transferring = defineDelivery<Payload, Called>({
  kind: TRANSFERRING,
  async call(app, { ids }) {
    const rows = await app.db.write(tx => claim(tx, ids, app.clock.now()))
    const [first] = rows
    if (!first) return 'none'
    const byExternal = new Map(rows.map(({ id, externalId }) => [externalId, id]))
    if (first.isClaimed) return { ids: byExternal, outcome: { kind: 'unknown' } }
    const outcome = await openContacts(app)
      .transfer(first, [...byExternal.keys()])
      .catch((): Outcome => ({ kind: 'unknown' }))
    if (outcome.kind !== 'later') return { ids: byExternal, outcome }
    await release(app, ids)
    throw new AskAgain(outcome.said)
  },
  async settle(change, _payload, called) {
    if (called !== 'none') await moveTransfers(change, standingsOf(called, change))
  },
})

/** All of one call, or those of it that are still to be asked for. */
async function claim(tx: Tx, ids: readonly string[], now: Date): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with open as (
      select t.id, t.called_at, t.is_leave, c.external_id, f.account as handover, s.account as takeover
      from contact_transfer t join chat_contact c on c.id = t.contact_id
      join staff f on f.id = t.from_id join staff s on s.id = t.to_id
      where t.id = any(${ids}::bigint[]) and t.status = 'ASKED' order by t.id for update of t
    ), claimed as (
      update contact_transfer t set called_at = ${now}, attempts = t.attempts + 1 from open o where t.id = o.id and o.called_at is null
    )
    select id, external_id as "externalId", called_at is not null as "isClaimed", handover, takeover, is_leave as "isLeave"
    from open order by id`.execute(tx)
  return rows
}

/** Nothing was said to anybody: the next try is the first again. */
const release = ({ db }: App, ids: readonly string[]) =>
  sql`update contact_transfer set called_at = null where id = any(${ids}::bigint[]) and status = 'ASKED'`.execute(
    db.query,
  )

function standingsOf({ ids, outcome }: Exclude<Called, 'none'>, { now }: Pick<Change, 'now'>): Standing[] {
  return [...ids].map(([externalId, id]): Standing => {
    const errcode = outcome.kind === 'refused' ? outcome.errcode : errcodeOf(outcome, externalId)
    if (errcode === undefined) return { id, status: 'UNKNOWN' }
    const status = outcome.kind === 'refused' ? 'REJECTED' : answeredAs(errcode)
    if (status === 'WAITING') return { id, status }
    return { id, status, errcode, at: status === 'PROTECTED' ? longestProtection(now) : null }
  })
}

/** Of whom the answer says nothing, nothing is known. */
const errcodeOf = (outcome: Outcome, externalId: string): number | undefined =>
  outcome.kind === 'answered' ? outcome.errcodes.get(externalId) : undefined
