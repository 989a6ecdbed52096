import { sql } from 'kysely'
import { codeKeys } from '#areas/products/code-batch/code.server.ts'
import { hashPassword } from '#kit/server/access/hash.ts'
import type { App } from '#kit/server/app.ts'
import { DEMO_PASSWORD } from '#kit/server/auth/demo-account.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { keptSecret } from '#kit/server/process/kept-secret.ts'
import { storeAssortment } from './assortment.server.ts'
import { randomFrom } from './builders.server.ts'
import { type Business, openBusiness, storeWritten } from './business.server.ts'
import { storeCare, storeMembers } from './care.server.ts'
import { type CodeDesk, planCodes, storeBatches, storeRedemptions } from './codes.server.ts'
import { seedDictionaries } from './dictionaries.server.ts'
import { type Mall, planGifts, planLearning, storeMall } from './mall.server.ts'
import { planNotices, storeNotices } from './notices.server.ts'
import { seedOrganisation } from './organisation.server.ts'
import { holdOne, storeParcels } from './parcels.server.ts'
import { leaveUnderWay } from './refund-course.server.ts'
import { planRefunds, storeRefunds } from './refunds.server.ts'
import { planSales, storeOrders } from './sales.server.ts'
import { addStrays } from './strays.server.ts'
import { makeTrade, type Trade } from './trade.server.ts'

const ORDERS = 3_000
const MEMBERS_PER_ORDER = 0.4
const REFUNDS_PER_ORDER = 260 / 3_000
const NOTICES_PER_ORDER = 40 / 3_000
const COUPONS_PER_ORDER = 200 / 3_000
const GIFTS_PER_ORDER = 60 / 3_000
const DAY_MS = 86_400_000
/** Of instances that start together one seeds. The same number as in kit/server/auth/admin.ts: both make the first people. */
const LOCK = 7_283_403

/**
 * Fills an empty console with a business: departments, staff, dictionaries, what is sold, and two years of orders,
 * parcels and refunds. Does nothing, and answers false, where people or members are already. The same `now` gives the
 * same business. Made for thousands of orders; millions come from seedOrders.
 */
export async function seedDemo(
  app: Pick<App, 'db' | 'env'>,
  { orders = ORDERS, now }: { orders?: number; now: Date },
): Promise<boolean> {
  const { ADMIN_USERNAME: admin, ADMIN_PASSWORD: adminPassword } = app.env
  // One hash serves all demo accounts: forty would take seconds. A password chosen for the administrator is respected.
  const demoHash = await hashPassword(DEMO_PASSWORD)
  const adminHash = adminPassword === undefined ? demoHash : await hashPassword(adminPassword)
  const codeSecret = app.env.CODE_SECRET ?? (await keptSecret(app.env.DATA_DIR, 'code-secret'))
  return app.db.write(async tx => {
    // Whoever starts beside us waits for as long as two years take to be made up, which may be longer than a call may wait.
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    if (await isThere(tx, admin)) return false
    const random = randomFrom(20_211_115)
    const staff = await seedOrganisation(tx, random, now, { admin, adminHash, demoHash })
    await seedDictionaries(tx, new Date(now.getTime() - 740 * DAY_MS))
    const business = await openBusiness(tx, { random, staff, now, env: { ...app.env, CODE_SECRET: codeSecret } })
    await store(tx, business, live(business, orders, codeSecret))
    return true
  })
}

async function isThere(tx: Tx, admin: string): Promise<boolean> {
  const somebody = await tx.selectFrom('staff').select('id').where('account', '<>', admin).limit(1).executeTakeFirst()
  return (
    somebody !== undefined || (await tx.selectFrom('member').select('id').limit(1).executeTakeFirst()) !== undefined
  )
}

type Lived = Trade & { readonly mall: Mall; readonly codes: CodeDesk; readonly notices: ReturnType<typeof planNotices> }

/** Lets the two years pass: what is planned happens in its order, and each thing brings about the next. */
function live(business: Business, count: number, codeSecret: string): Lived {
  const { agenda, now, coupons, random, shelf } = business
  const trade = makeTrade(business, { orders: count, members: Math.round(count * MEMBERS_PER_ORDER) })
  planSales(business, trade.orders)
  planRefunds(business, trade.orders, Math.round(count * REFUNDS_PER_ORDER))
  const notices = planNotices(business, trade.orders, Math.round(count * NOTICES_PER_ORDER))
  const mall = planLearning(business, trade.members)
  planGifts(business, trade.members, Math.round(count * GIFTS_PER_ORDER))
  const codes = planCodes(business, trade.members, codeSecret)
  // The supplier of lamps cannot deliver: what is sold now waits.
  agenda.at(now.getTime() - 25 * DAY_MS, at => shelf.count(at, 'LAMP'))
  agenda.at(now.getTime() - 9 * DAY_MS, at => shelf.runLow(at, 'POSTURE', '线下活动领用'))
  agenda.play(now.getTime())
  coupons.issue(random, trade.members, Math.round(count * COUPONS_PER_ORDER))
  addStrays(business, trade.orders)
  leaveUnderWay(business)
  holdOne(business)
  return { ...trade, mall, codes, notices }
}

async function store(tx: Tx, business: Business, { members, orders, mall, codes, notices }: Lived): Promise<void> {
  await storeMembers(tx, business, members)
  await business.shelf.store(tx)
  await storeAssortment(tx, business.assortment)
  await storeBatches(tx, business, codes, codeKeys(business.env))
  await storeOrders(tx, business, [...orders, ...codes.orders])
  await storeRedemptions(tx, codes)
  await business.coupons.store(tx)
  await storeMall(tx, business, mall)
  await storeRefunds(tx, business)
  await storeParcels(tx, business)
  await business.ledger.store(tx)
  await storeWritten(tx, business)
  await storeNotices(tx, notices)
  await storeCare(tx, business, members, orders)
  await business.log.store(tx)
  await business.numbers.store(tx)
  await business.ids.keep(tx)
  await sql`analyze`.execute(tx)
}
