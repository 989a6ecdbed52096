import { syncPermissions } from '#kit/server/access/permission.ts'
import type { App } from '#kit/server/app.ts'
import { readCatalogue } from '#kit/server/catalogue.ts'
import { openDatabase } from '#kit/server/database/database.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { openTexts } from '#kit/server/text/texts.ts'
import { type Command, readOptions, WrongUse, withDatabase } from './command.ts'

const USAGE = 'npm run seed [-- --orders <how many more>]'

/** What is planted comes from outside: the kit knows no demo business. */
export type Seeds = {
  seedDemo(app: Pick<App, 'db' | 'env' | 'catalogue'>, options: { now: Date }): Promise<boolean>
  seedOrders(url: string, orders: number, options: { now: Date }): Promise<void>
}

/** Plants the demo business where there is none, and as many orders more as are asked for. */
export const seedWith =
  ({ seedDemo, seedOrders }: Seeds): Command =>
  async (args, env) => {
    const { values } = readOptions(args, USAGE, { options: { orders: { type: 'string' } } })
    const orders = values.orders === undefined ? 0 : Number(values.orders)
    if (!Number.isSafeInteger(orders) || orders < 0) throw new WrongUse(`Usage: ${USAGE}`)
    return withDatabase(env, async url => {
      await migrate(url)
      const db = openDatabase(url, 2)
      try {
        const [catalogue, texts] = await Promise.all([readCatalogue(), openTexts()])
        await syncPermissions(db, catalogue, texts)
        const planted = await seedDemo({ db, env, catalogue }, { now: new Date() })
        console.log(planted ? 'The demo business is planted.' : 'A business is there already.')
      } finally {
        await db.close()
      }
      if (orders > 0) {
        const begun = performance.now()
        await seedOrders(url, orders, { now: new Date() })
        console.log(`${orders} orders more, in ${Math.round((performance.now() - begun) / 1000)} s.`)
      }
      return 0
    })
  }
