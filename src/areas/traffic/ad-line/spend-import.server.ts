import { sql } from 'kysely'
import { day, dictionary, money, number, optional, text } from '#kit/model/field.ts'
import { refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { defineImport, type ImportRow, type RowError } from '#kit/server/import/definition.ts'
import { countAdLines } from './counting.server.ts'
import { planNo, resource } from './model.ts'

const MOST = 2_147_483_647

const columns = {
  day: day(),
  account: dictionary('XHS_ACCOUNT'),
  plan: planNo(),
  planName: optional(text(100)),
  spendFen: money(),
  views: number(0, MOST),
  clicks: number(0, MOST),
}
type SpendRow = ImportRow<typeof columns>

const keyOf = ({ values }: SpendRow): string => `${values.day} ${values.account} ${values.plan}`

/** The platform's report of spending, a line for each day, account and plan: told again, it replaces what was told before. */
export const spendImport = defineImport({
  screen: resource.screen,
  columns,
  async check({ now }, rows) {
    const today = dayOf(now)
    const first = new Map(rows.toReversed().map(row => [keyOf(row), row.no]))
    return new Map(
      rows.map((row): [number, RowError[]] => {
        const before = first.get(keyOf(row)) ?? row.no
        const { day: on, clicks, views } = row.values
        return [
          row.no,
          [
            ...(before === row.no ? [] : [{ ...refuse('line-twice', { row: before }), field: 'plan' }]),
            ...(on > today ? [{ ...refuse('day-to-come'), field: 'day' }] : []),
            ...(clicks > views ? [{ ...refuse('clicks-above-views'), field: 'clicks' }] : []),
          ],
        ]
      }),
    )
  },
  apply: take,
})

async function take(op: Operation, rows: readonly SpendRow[]): Promise<readonly string[]> {
  const told = rows.map(({ no, values }) => ({ no, ...values, planName: values.planName ?? values.plan }))
  const { rows: stored } = await sql<{ id: string; key: string }>`
    insert into ad_line as a (day, account, plan, plan_name, spend_fen, views, clicks, created_at)
    select t.day, t.account, t.plan, t."planName", t."spendFen", t.views, t.clicks, ${op.now}
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb)
      as t (no int, day date, account text, plan text, "planName" text, "spendFen" bigint, views int, clicks int)
    order by t.no
    on conflict (day, account, plan) do update set plan_name = case when excluded.plan_name = excluded.plan then a.plan_name else excluded.plan_name end,
      spend_fen = excluded.spend_fen, views = excluded.views, clicks = excluded.clicks, version = a.version + 1
    returning id, day || ' ' || account || ' ' || plan as key`.execute(op.tx)
  const ids = new Map(stored.map(({ id, key }) => [key, id]))
  await countAdLines(op, sql`a.id = any(${stored.map(({ id }) => id)}::bigint[])`)
  return rows.map(row => ids.get(keyOf(row)) as string)
}
