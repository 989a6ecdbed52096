import * as z from 'zod'
import { scopeOf } from '#kit/model/actor.ts'
import { ID } from '#kit/model/field.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { terms, usableDiscount } from './discounts.model.ts'
import { resource } from './model.ts'
import { settings } from './settings.model.ts'

const MAX_SHOWN = 50

/** What a form says of its last day before somebody chooses one that is refused. */
export const termsRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/terms`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'list' },
    answer: terms,
    summary: 'For how many days from the day a link is made its price can be locked.',
    handle: () => settingsOf(app, settings),
  })

/** What a colleague may sell below the price by now; none for whoever does not reach that colleague. */
export const discountsRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/discounts`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'create' },
    query: z.strictObject({ forId: z.string().regex(ID).optional() }),
    answer: z.array(usableDiscount),
    summary:
      'The discounts a colleague, or the caller, can still make a link with, those that end first before the others.',
    async handle({ actor, now }, { query: { forId = actor.id } }) {
      const { bind, values } = binder()
      const parts = [
        `t.owner_id = ${bind(forId)}::bigint and t.kind = 'DISCOUNT' and t.status = 'APPROVED' and t.usable_until >= ${bind(dayOf(now))}::date`,
        `p.status = 'ON_SALE' and t.price_fen < p.price_fen`,
        `not exists (select from sales_link l where l.discount_id = t.id and l.status in ('ACTIVE', 'USED'))`,
        scopeSql({ scope: 'owned' }, scopeOf(actor, resource.screen.key), bind),
      ]
      const rows = await app.db.read.rows(
        `select t.id, t.request_no as "requestNo", p.id as "productId", p.name as "productName", t.price_fen as "priceFen", t.usable_until as "usableUntil"
         from sales_request t join product p on p.id = t.product_id
         where ${parts.filter(part => part !== '').join(' and ')} order by t.usable_until, t.id limit ${MAX_SHOWN}`,
        values,
      )
      return rows.map(row => ({ ...row, priceFen: Number(row.priceFen) }))
    },
  })
