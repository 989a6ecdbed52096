import { sql } from 'kysely'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { squaresOf } from '#engines/copybook/code.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App, Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { child as days } from './days/model.ts'
import { discountsRoute, termsRoute } from './discounts.server.ts'
import { madeOf, requireDay, standingsOf, type Wanted } from './making.server.ts'
import { resource, workflow } from './model.ts'
import { child as orders } from './orders/model.ts'
import { sellingAnswers, sellingListeners } from './selling.server.ts'
import { addressOf, visitRoute } from './visiting.server.ts'

const served = (app: App) =>
  serve(resource, {
    workflow,
    facts: (db, rows) =>
      standingsOf(
        app,
        db,
        rows.map(({ id }) => id),
      ),
    constraints: { sales_link_discount: { code: 'discount-on-link', field: 'discountId' } },
    store: async (op, input, _before, write) => write(await madeOf(op, input as unknown as Wanted)),
    // A code nobody comes further by is not shown to be printed.
    detail: async ({ env }, { code, status }) => {
      const address = addressOf({ env }, code)
      return { handedOn: { address, squares: status === 'ACTIVE' ? squaresOf(address) : [] } }
    },
    effects: {
      async extend(op, { id }, { expiresOn }) {
        const standing = (await standingsOf(op.app, op.tx, [id])).get(id)
        if (standing) requireDay(expiresOn, standing)
        return { expiresOn }
      },
    },
  })

export const routes: Routes = app => [
  ...served(app)(app),
  ...serveChild(orders)(app),
  ...serveChild(days)(app),
  discountsRoute(app),
  termsRoute(app),
  visitRoute(app),
]

export const answers = sellingAnswers

const EXPIRED_AT_ONCE = 1_000

/** Links whose last day has passed are over, and who visited one on an earlier day is forgotten. */
const keep = defineJob({
  name: 'keep-links',
  cron: '0 4 0 * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each, signal }) {
    const today = dayOf(change.now)
    if (!signal.aborted) await sql`delete from sales_link_visitor where day < ${today}`.execute(change.tx)
    const over = await change.tx
      .selectFrom('sales_link')
      .select(['id', 'status'])
      .where('status', '=', 'ACTIVE')
      .where('expires_on', '<', today)
      .orderBy('id')
      .limit(EXPIRED_AT_ONCE)
      .forUpdate()
      .execute()
    return each(over, row => writeChange(change, resource, row, { status: 'EXPIRED' }, 'expire'))
  },
})
export const jobs = [keep]

const moves = ({ tx }: Change, to: { readonly fromId: string; readonly toId: string; readonly orgId: string }) =>
  sql`update sales_link set owner_id = ${to.toId}, org_id = ${to.orgId}, version = version + 1 where owner_id = ${to.fromId}`.execute(
    tx,
  )

export const listeners: readonly Listener[] = [
  ...sellingListeners,
  listen(staffHandedOver, async (change, to) => void (await moves(change, to))),
  listen(staffMoved, async (change, { staffId, orgId }) => {
    await moves(change, { fromId: staffId, toId: staffId, orgId })
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a discount was sold by one link, to one order, which came by it and was not closed',
    query: `
      select l.id, l.used_order_id from sales_link l left join sales_link_order p on p.order_id = l.used_order_id and p.link_id = l.id
        left join sales_order o on o.id = l.used_order_id
      where l.used_order_id is not null and (p.id is null or p.outcome <> 'DISCOUNTED' or o.pay_state = 'CLOSED')`,
  },
  {
    name: 'what was sold at a discount and not closed has used it',
    query: `
      select p.id, p.order_id from sales_link_order p join sales_order o on o.id = p.order_id join sales_link l on l.id = p.link_id
      where p.outcome = 'DISCOUNTED' and o.pay_state <> 'CLOSED' and l.used_order_id is distinct from p.order_id`,
  },
  {
    name: 'an order came by a link exactly where the link knows of it, and what it paid is told there',
    query: `
      select p.order_id, p.link_id from sales_link_order p join sales_order o on o.id = p.order_id
      where o.link_id is distinct from p.link_id or p.paid_fen <> o.paid_fen
      union all
      select o.id, o.link_id from sales_order o where o.link_id is not null and not exists (select from sales_link_order p where p.order_id = o.id)`,
  },
  {
    name: 'a link counts its visits, leads, paid orders and their money',
    query: `
      select l.id from sales_link l,
        lateral (select coalesce(sum(visits), 0) as visits from sales_link_day d where d.link_id = l.id) d,
        lateral (select count(*) as leads from lead where link_id = l.id) n,
        lateral (select count(*) filter (where o.pay_state = 'PAID') as orders, coalesce(sum(p.paid_fen), 0) as amount,
          count(*) filter (where p.told_fen < p.amount_fen) as short
          from sales_link_order p join sales_order o on o.id = p.order_id where p.link_id = l.id) p
      where (l.visits, l.leads, l.orders, l.amount_fen, l.short_orders) is distinct from (d.visits, n.leads, p.orders, p.amount, p.short)`,
  },
]
