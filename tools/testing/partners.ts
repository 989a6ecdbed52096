import { sql } from 'kysely'
import { sourceOf } from '../../src/areas/channel/statement/source.server.ts'
import { periodOf } from '../../src/engines/settlement/period.model.ts'
import { openStatement, reckon } from '../../src/engines/settlement/server.ts'
import { ownChange } from '../../src/kit/server/change/operation.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import { insist } from './instance.ts'
import { sold } from './refunds.ts'

export type Terms = {
  readonly kind: 'REGISTERED' | 'ACTIVATED' | 'FIRST_ORDER' | 'SHARE'
  /** Fen for each, or a thousandth of what was paid. */
  readonly worth: number
  readonly freeze?: number
  readonly cap?: number
}
type Two = readonly [asks: { readonly id: string }, agrees: { readonly id: string }]

/** A partner that was there before anything happened, and what it is paid by; two people have agreed to that. */
export async function partnerOf(
  { app }: Instance,
  channel: string,
  [asks, agrees]: Two,
  ...terms: readonly Terms[]
): Promise<string> {
  const { query } = app.db
  const { id } = await query
    .insertInto('partner')
    .values({ name: channel, company: '公司', channel, platform: 'WEB', created_at: '2025-01-01T00:00:00Z' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { kind, worth, freeze = 0, cap = null } of terms)
    await query
      .insertInto('settlement_price')
      .values({
        ...{ partner_id: id, kind, valid_from: '2026-01-01', freeze_days: freeze, monthly_cap: cap, reason: '测试' },
        ...(kind === 'SHARE' ? { share_permille: worth } : { price_fen: worth }),
        status: 'APPROVED',
        ...{ applicant_id: asks.id, l1_by: agrees.id, ended_at: '2026-01-01T00:00:00Z' },
      })
      .execute()
  return id
}

export type Brought = {
  readonly channel: string
  readonly day: string
  readonly paidFen: number
  readonly seller: { readonly id: string; readonly orgId: string }
  /** Where the member came from, if not by the same channel. */
  readonly from?: string
}

/** A paid order that came by a channel, of a member who came the same day. */
export async function brought(
  instance: Instance,
  { channel, day, paidFen, seller, from = channel }: Brought,
): Promise<string> {
  const id = await sold(instance, { paidAt: `${day}T10:00:00+08:00`, paidFen, seller, channel })
  await sql`
    update member m set channel = ${from}, created_at = ${`${day}T09:00:00+08:00`} from sales_order o
    where o.id = ${id} and m.id = o.member_id`.execute(instance.app.db.query)
  return id
}

/** What the job does when a month is over, of any month. */
export const settle = ({ app }: Instance, partnerId: string, month: string): Promise<string> =>
  insist(() =>
    app.db.write(async tx => {
      const change = ownChange(app, tx, app.clock.now(), 'test')
      const statement = await openStatement(change, partnerId, periodOf(`${month}-15`))
      await reckon(change, sourceOf(app), statement)
      return statement.id
    }),
  )
