import { sql } from 'kysely'
import type { Actor } from '#kit/model/actor.ts'
import { Refused } from '#kit/model/refusal.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Route } from '#kit/server/http/route.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { resource } from './model.ts'
import { whyNotView } from './viewing.model.ts'

const RECORD = `/${resource.screen.name}/:id`

/** Whatever shows one lead of a pool counts as a look at it, for those who may claim it. */
export const countingViews = (app: App, routes: readonly Route[]): Route[] =>
  routes.map(route => {
    if (route.method !== 'GET' || !(route.path === RECORD || route.path.startsWith(`${RECORD}/`))) return route
    const { handle } = route
    // In place: what a route answers is made only once somebody asks.
    return Object.assign(route, {
      async handle(...[call, input]: Parameters<Route['handle']>) {
        const shown = await handle(call, input)
        // Only what was found is looked at.
        await look(app, call.actor as Actor, (input.params as { id: string }).id, call.now)
        return shown
      },
    })
  })

type Place = { readonly isAdmin: boolean; readonly viewsADay: number }

/** Where the lead waits, what that pool lets this person look at; nothing where it is somebody's, or the person none of the pool's. */
async function placeOf(db: Queries, staffId: string, leadId: string): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select m.is_admin as "isAdmin", p.views_a_day as "viewsADay"
    from lead l join lead_pool p on p.id = l.pool_id join lead_pool_member m on m.pool_id = p.id and m.staff_id = ${staffId}
    where l.id = ${leadId}`.execute(db)
  return rows[0]
}

async function look(app: App, actor: Actor, leadId: string, now: Date): Promise<void> {
  // Who looks at the console as a role does changes nothing meanwhile.
  if (actor.preview) return
  const place = await placeOf(app.db.query, actor.id, leadId)
  if (!place || place.isAdmin) return
  const day = dayOf(now)
  await app.db.write(async tx => {
    // One person's looks wait for each other: a cap counts what was looked at before.
    await sql`select pg_advisory_xact_lock(hashtextextended('lead-view ' || ${actor.id}, 0))`.execute(tx)
    const { rows } = await sql<{ viewed: number; isKnown: boolean }>`
      select count(*)::int as viewed, coalesce(bool_or(lead_id = ${leadId}), false) as "isKnown"
      from lead_view where staff_id = ${actor.id} and day = ${day}`.execute(tx)
    const { viewed = 0, isKnown = false } = rows[0] ?? {}
    const refusal = whyNotView({ ...place, viewed, isKnown })
    if (refusal) throw new Refused(refusal)
    if (!isKnown) await tx.insertInto('lead_view').values({ staff_id: actor.id, day, lead_id: leadId }).execute()
  })
}

const KEPT_DAYS = 90

/** Who looked at what is of use as long as somebody may ask who had the number. */
export const forgetViews = defineJob({
  name: 'forget-lead-views',
  cron: '0 35 3 * * *',
  misfire: 'RUN_ONCE',
  async work({ tx, now }, { signal }) {
    if (signal.aborted) return 0
    const gone = await tx
      .deleteFrom('lead_view')
      .where('day', '<', addDays(dayOf(now), -KEPT_DAYS))
      .executeTakeFirst()
    return Number(gone.numDeletedRows)
  },
})
