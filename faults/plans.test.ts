import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedOrders } from '../src/areas/orders/order/demo-bulk.server.ts'
import { seedDemo } from '../src/demo/seed.server.ts'
import type { Resource } from '../src/kit/model/resource.ts'
import { isEnough } from '../src/kit/model/typed.ts'
import { readCatalogue } from '../src/kit/server/catalogue.ts'
import { type Broken, findBroken } from '../src/kit/server/change/invariants.ts'
import type { Database } from '../src/kit/server/database/database.ts'
import { openCounts } from '../src/kit/server/list/count.ts'
import { readListQuery } from '../src/kit/server/list/list-query.ts'
import { ROWS_EACH } from '../src/kit/server/serve/search-everywhere.ts'
import { openTestInstance, stoppedClock, type TestInstance } from '../tools/testing/instance.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { planOf, plansOfTyping, tableSizes } from './explain.ts'
import { fillTable } from './fill-table.ts'
import { BIG, faultsOf, type Sizes } from './plan.ts'
import { type Question, questionsOf } from './questions.ts'

/** So many that no plan reads a whole table because it is small; how a plan goes on from there is asked of the million. */
const ORDERS = IS_LONG ? 1_000_000 : 45_000
const SETUP_MS = 40 * 60_000
const catalogue = await readCatalogue()
const LISTS = catalogue.slices.flatMap(({ resource }) => (resource ? [{ name: resource.screen.name, resource }] : []))
/** What belongs to somebody grows with the trade; what all share, products or dictionaries, is written by hand, and so are the colleagues, those who sell among them. */
const COLLEAGUES = ['staff', 'consultant']
const GROWN = LISTS.filter(({ resource }) => resource.scope === 'owned' && !COLLEAGUES.includes(resource.table))
const GROWING = [...new Set(GROWN.map(({ resource }) => resource.table))]

/** How the page of each list is found among many rows: the very statements of the list engine, asked with EXPLAIN. */
describe(`lists over ${ORDERS} orders`, () => {
  let instance: TestInstance
  let client: pg.Client
  let sizes: Sizes
  let broken: Broken[]
  /** What is looked up of a list to ask it anything: once, for whole tables are read for it. */
  const asked = new Map<string, Promise<Question[]>>()
  const questions = (resource: Resource): Promise<Question[]> => {
    const { name } = resource.screen
    const found = asked.get(name) ?? questionsOf(client, resource, catalogue)
    asked.set(name, found)
    return found
  }

  beforeAll(async () => {
    // The same rows every time: a plan is good or bad by what is declared, not by the hour.
    const now = new Date('2026-11-15T03:20:00Z')
    instance = await openTestInstance({ clock: stoppedClock(now) })
    await seedDemo(instance.app, { orders: 1_000, now })
    const begun = performance.now()
    await seedOrders(instance.url, ORDERS, { now })
    console.log(`${ORDERS} orders took ${Math.round(performance.now() - begun)} ms`)
    broken = await findBroken(instance.app.db, catalogue)
    client = new pg.Client({ connectionString: instance.url })
    await client.connect()
    // As the PostgreSQL that comes with the console has it: another's plans are not ours to judge.
    await client.query('set random_page_cost = 1.1')
    for (const table of GROWING) await fillTable(client, table, ORDERS / 4)
    sizes = await tableSizes(client)
  }, SETUP_MS)
  afterAll(() => client?.end())

  test('the bulk load keeps every invariant', () => {
    expect(broken).toEqual([])
  })

  test('what grows with the trade has grown', () => {
    for (const table of GROWING) expect(sizes.get(table)?.rows, table).toBeGreaterThan(BIG)
  })

  test.each(LISTS)('$name answers each question by index', { timeout: SETUP_MS }, async ({ resource }) => {
    const faults: string[] = []
    for (const question of await questions(resource)) {
      const { size, plan } = await planOf(client, catalogue, resource, question)
      faults.push(
        ...faultsOf(plan, { own: resource.table, size }, sizes).map(
          fault => `${question.name || 'default view'} ${fault}`,
        ),
      )
    }
    expect(faults).toEqual([])
  })

  test.each(LISTS)(
    '$name answers what is typed into the search behind all lists by index',
    { timeout: SETUP_MS },
    async ({ resource }) => {
      const faults: string[] = []
      const texts = (await questions(resource)).flatMap(({ search }) => search.query ?? [])
      for (const text of texts.filter(isEnough))
        for (const { rank, plan } of await plansOfTyping(client, catalogue, resource, text))
          faults.push(
            ...faultsOf(plan, { own: resource.table, size: ROWS_EACH }, sizes).map(
              fault => `${text} as ${rank} ${fault}`,
            ),
          )
      expect(faults).toEqual([])
    },
  )

  test.each(GROWN)(
    '$name keeps the totals of its default view and its tabs',
    { timeout: SETUP_MS },
    async ({ resource }) => {
      const said: string[] = []
      const counts = await openCounts(recording(instance.app.db, said))
      said.length = 0
      const kept = (await questions(resource)).filter(({ search }) =>
        Object.keys(search).every(field => field === resource.list.tabs),
      )
      for (const { search, scope } of kept)
        await counts.total(resource, scope, readListQuery(resource, search), () => '')
      await counts.byState(resource, { all: true })
      expect(said.filter(text => !text.includes('from kept_count'))).toEqual([])
    },
  )
})

/** The same database, noting what is asked. */
function recording(db: Database, asked: string[]): Database {
  const noted = (reader: Database['read']): Database['read'] => ({
    pool: reader.pool,
    rows: (text, values) => {
      asked.push(text)
      return reader.rows(text, values)
    },
    planned: (text, values) => {
      asked.push(text)
      return reader.planned(text, values)
    },
  })
  return { ...db, read: noted(db.read), count: noted(db.count) }
}
