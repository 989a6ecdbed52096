import { sql } from 'kysely'
import { columnOf } from '#kit/model/field.ts'
import { hashPassword } from '#kit/server/access/hash.ts'
import type { App } from '#kit/server/app.ts'
import { DEMO_PASSWORD } from '#kit/server/auth/demo-account.ts'
import { makeMonths } from '#kit/server/change/log-months.ts'
import { pageOf } from '#kit/server/change/logged-pages.ts'
import type { Row, Tx } from '#kit/server/database/database.ts'
import type { Schema } from '#kit/server/database/schema.gen.ts'
import { keptSecret } from '#kit/server/process/kept-secret.ts'
import { randomFrom } from './builders.server.ts'
import { rolesOf } from './holdings.server.ts'
import { seedOrganisation } from './organisation.server.ts'
import { readStories } from './story.server.ts'
import { byTime, openWorld, type World } from './world.server.ts'

const ORDERS = 3_000
/** Of instances that start together one seeds. The same number as in kit/server/auth/admin.ts: both make the first people. */
const LOCK = 7_283_403

/**
 * Fills an empty console with a business: departments, staff, and two years of what the slices tell of in their
 * demo.server.ts. Does nothing, and answers false, where people or members are already. The same `now` gives the same
 * business. Made for thousands of orders; millions come from seedOrders.
 */
export async function seedDemo(
  app: Pick<App, 'db' | 'env' | 'catalogue'>,
  { orders = ORDERS, now }: { orders?: number; now: Date },
): Promise<boolean> {
  const { ADMIN_USERNAME: admin, ADMIN_PASSWORD: adminPassword } = app.env
  // One hash serves all demo accounts: forty would take seconds. A password chosen for the administrator is respected.
  const demoHash = await hashPassword(DEMO_PASSWORD)
  const adminHash = adminPassword === undefined ? demoHash : await hashPassword(adminPassword)
  const CODE_SECRET = app.env.CODE_SECRET ?? (await keptSecret(app.env.DATA_DIR, 'code-secret'))
  const stories = await readStories(app.catalogue)
  const roles = rolesOf(stories, app.catalogue)
  return app.db.write(async tx => {
    // Whoever starts beside us waits for as long as two years take to be made up, which may be longer than a call may wait.
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    // Made up in one go, while the database waits: on a busy machine that is longer than a transaction may be left alone.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    if (await isThere(tx, admin)) return false
    const staff = await seedOrganisation(tx, randomFrom(20_211_115), {
      now,
      roles,
      accounts: { admin, adminHash, demoHash },
    })
    const world = await openWorld(tx, { staff, now, env: { ...app.env, CODE_SECRET }, scale: orders / ORDERS })
    for (const { plan } of stories) plan?.(world)
    world.agenda.play(now.getTime())
    for (const { end } of stories) end?.(world)
    byTime(world.rows.of('operation_log'), ({ at }) => at)
    nameRecords(world.rows, app.catalogue.slices)
    await makeMonths(tx, world.since, now)
    await world.rows.store(tx)
    await world.ids.keep(tx)
    for (const { stored } of stories) await stored?.(tx, world)
    await sql`analyze`.execute(tx)
    return true
  })
}

/** The number each line of the log knows its record by, where it has one. */
function nameRecords(rows: World['rows'], slices: App['catalogue']['slices']): void {
  const numbers = new Map(
    slices.flatMap(({ resource }) => {
      const number = resource && pageOf(resource).number
      if (!number) return []
      const named = rows.of(number.table as keyof Schema) as readonly Row[]
      return [[resource.screen.key, new Map(named.map(row => [row.id, String(row[columnOf(number.field)])]))] as const]
    }),
  )
  for (const line of rows.of('operation_log'))
    line.record_no = numbers.get(line.page)?.get(Number(line.record_id)) ?? null
}

async function isThere(tx: Tx, admin: string): Promise<boolean> {
  const somebody = await tx.selectFrom('staff').select('id').where('account', '<>', admin).limit(1).executeTakeFirst()
  return (
    somebody !== undefined || (await tx.selectFrom('member').select('id').limit(1).executeTakeFirst()) !== undefined
  )
}
