import { sql } from 'kysely'
import { giveReward } from '#engines/entitlement/reward.server.ts'
import type { Change } from '#kit/server/app.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { settings } from './settings.model.ts'
import { counted, earnsReward } from './streak.model.ts'

type Stored = { id: string; day: string; dayNo: number; streak: number; quietSince: string | null; rewardCoins: number }

/** What a new day makes of all days of its plan. The member is locked, so that nobody else counts them meanwhile. */
export async function recount(change: Change, of: { memberId: string; plan: string }): Promise<readonly Stored[]> {
  const { rows } = await sql<Stored>`
    select id, day::text as day, day_no as "dayNo", streak, quiet_since::text as "quietSince", reward_coins as "rewardCoins"
    from check_in where member_id = ${of.memberId} and plan = ${of.plan} and status = 'DONE' order by day`.execute(
    change.tx,
  )
  const counts = counted(rows.map(({ day }) => day))
  const newest = rows.at(-1)?.day
  const changed = rows.flatMap(row => {
    const { dayNo, streak } = counts.get(row.day) ?? row
    const quietSince = row.day === newest ? row.day : null
    const isSame = dayNo === row.dayNo && streak === row.streak && quietSince === row.quietSince
    return isSame ? [] : [{ id: row.id, dayNo, streak, quietSince }]
  })
  // Who was the last is no more before the new last one is: one of a plan is, at any time.
  const ended = changed.filter(({ quietSince }) => quietSince === null)
  for (const part of [ended, changed.filter(row => !ended.includes(row))])
    if (part.length > 0)
      await sql`
        update check_in c set day_no = r."dayNo", streak = r.streak, quiet_since = r."quietSince"
        from jsonb_to_recordset(${JSON.stringify(part)}::jsonb) as r (id bigint, "dayNo" int, streak int, "quietSince" date)
        where c.id = r.id`.execute(change.tx)
  return rows
}

/** One reward for every so many days in a row; who is frozen earns none. */
export async function rewardFor(
  change: Change,
  { id, memberId, day }: { id: string; memberId: string; day: string },
  rows: readonly Stored[],
): Promise<void> {
  const { status } = await change.tx
    .selectFrom('member')
    .select('status')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  const { rewardEvery, rewardCoins: coins } = await settingsOf(change.app, settings, change.tx)
  const rewarded = new Set(rows.filter(row => row.rewardCoins > 0).map(row => row.day))
  const days = rows.map(row => row.day)
  if (status !== 'ACTIVE' || coins === 0 || !earnsReward(days, day, rewarded, rewardEvery)) return
  const note = change.app.texts.text(change.app.env.DEFAULT_LOCALE, 'members/check-in', 'reward-note', {
    days: rewardEvery,
  })
  await giveReward(change, { memberId, coins, key: `check-in:${id}`, note })
  await change.tx.updateTable('check_in').set({ reward_coins: coins }).where('id', '=', id).execute()
}
