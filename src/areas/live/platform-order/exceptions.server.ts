import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { type Exception, exceptionOf, type Facts, isOwed, type Status } from './facts.model.ts'
import { screenOf } from './platforms.server.ts'
import type { PlatformRow } from './row.server.ts'
import { settings } from './settings.model.ts'

const DAY_MS = 86_400_000

/** Bought under a number its person has: others by it are orders of the same person. */
const isPersons = ({ phone_kind: kind }: Pick<PlatformRow, 'phone_kind'>): boolean =>
  kind === 'OWN' || kind === 'DECRYPTED'

export async function exceptionFor(change: Change, row: PlatformRow): Promise<Exception> {
  const { app, tx, now } = change
  const { claimWithin } = await settingsOf(app, settings, tx)
  const { rows } = await sql<{ active: boolean; phone: string | null; twice: boolean }>`
    select
      exists (
        select from entitlement_lot l join order_line o on o.id = l.order_line_id
        where o.order_id = ${row.order_id} and l.remaining > 0 and not l.held
      ) as active,
      (select phone from member where id = ${row.member_id}) as phone,
      exists (
        select from platform_order p where p.lead_phone = ${row.lead_phone} and p.platform = ${row.platform} and p.id <> ${row.id}
          and p.phone_kind in ('OWN', 'DECRYPTED') and p.status not in ('UNPAID', 'REFUNDED', 'CLOSED')
      ) as twice`.execute(tx)
  const known = rows[0]
  const facts = row.facts as Facts
  return exceptionOf({
    status: row.status as Status,
    isActive: known?.active ?? false,
    isUnopened: row.member_id !== null && row.order_id === null && isOwed(facts),
    isMismatch: row.member_id !== null && row.bound_by === null && isPersons(row) && known?.phone !== row.lead_phone,
    isTwice: isPersons(row) && (known?.twice ?? false),
    isLate: row.paid_at !== null && new Date(row.paid_at).getTime() < now.getTime() - claimWithin * DAY_MS,
    handled: row.handled,
  })
}

/** Whether another order under the same number stands is true of both; of a number it had before, that it stands there no more. */
export async function refreshOthers(change: Change, row: PlatformRow, phone: string | null): Promise<void> {
  if (phone === null) return
  const others = await change.tx
    .selectFrom('platform_order')
    .selectAll()
    .where('lead_phone', '=', phone)
    .where('phone_kind', 'in', ['OWN', 'DECRYPTED'])
    .where('platform', '=', row.platform)
    .where('id', '<>', row.id)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const other of others) await writeException(change, other)
}

/** What is wrong with it now, as everybody sees it. */
export async function writeException(change: Change, row: PlatformRow): Promise<void> {
  const { id, exception: before } = row
  const exception = await exceptionFor(change, row)
  if (exception !== before)
    await writeChange(change, screenOf(row.platform), { id, exception: before }, { exception }, 'judge')
}

const LATE_AT_ONCE = 500

/** Who has paid and not claimed becomes somebody's work by the calendar. */
export const findUnclaimed = defineJob({
  name: 'find-unclaimed-orders',
  cron: '0 */10 * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { app, tx, now } = change
    const { claimWithin } = await settingsOf(app, settings, tx)
    const late = await tx
      .selectFrom('platform_order')
      .selectAll()
      .where('status', '=', 'BOUGHT')
      .where('exception', '=', 'NONE')
      .where('paid_at', '<', new Date(now.getTime() - claimWithin * DAY_MS).toISOString())
      .where(sql<boolean>`not ('UNCLAIMED' = any(handled))`)
      .orderBy('paid_at')
      .limit(LATE_AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    return each(late, row => writeException(change, row))
  },
})
