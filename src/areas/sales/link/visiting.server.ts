import { sql } from 'kysely'
import * as z from 'zod'
import { dayOf } from '#kit/model/time.ts'
import { type Gate, take } from '#kit/server/access/gate.ts'
import { keyedDigest } from '#kit/server/access/seal.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { FileAnswer, RedirectAnswer, type Route, route } from '#kit/server/http/route.ts'
import { resource } from './model.ts'

const PATH = '/go'
const PER_ADDRESS: Gate = { kind: 'link-visit', limit: 60, windowMs: 60_000 }

/** The short address of a link, as it is handed on. */
export const addressOf = ({ env: { LINK_URL, HOST, PORT } }: Pick<App, 'env'>, code: string): string =>
  `${(LINK_URL ?? `http://${HOST}:${PORT}/api${PATH}`).replace(/\/$/, '')}/${code}`

/**
 * Leads whoever opens a link to the shop. A code that is unknown, closed, used or over leads there too, at the usual price: what was printed
 * or handed on never ends in nothing, and nobody learns which codes there are.
 */
export const visitRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `${PATH}/:code`,
    texts: resource.screen.name,
    access: 'public',
    params: z.strictObject({ code: z.string().max(64) }),
    // Chat apps add words of their own.
    query: z.looseObject({}),
    answer: 'elsewhere',
    summary: 'Leads to the shop, with the state of a sales link in force. Counts each visitor once a day.',
    reads: false,
    async handle(call, { params: { code } }) {
      const subject = keyedDigest(app.env, 'link-address', call.address).toString('hex')
      const isShutOut = (await take(app.db.query, PER_ADDRESS, subject, call.now)) !== undefined
      const found = isShutOut ? undefined : await inForce(app, code, dayOf(call.now))
      if (found) await countVisit(app, found.id, call)
      const { SHOP_URL } = app.env
      if (SHOP_URL !== undefined) return new RedirectAnswer(shopAddress(SHOP_URL, found && { code, ...found }))
      const told = app.texts.text(call.language, resource.screen.name, found ? 'shop-not-set' : 'link-over')
      return new FileAnswer('link.txt', 'text/plain; charset=utf-8', Buffer.from(told), true)
    },
  })

function shopAddress(shop: string, link: { readonly code: string; readonly productCode: string } | undefined) {
  const address = new URL(shop)
  if (link) {
    address.searchParams.set('product', link.productCode)
    address.searchParams.set('state', link.code)
  }
  return address.href
}

const inForce = (app: App, code: string, today: string) =>
  app.db.query
    .selectFrom('sales_link as l')
    .innerJoin('product as p', 'p.id', 'l.product_id')
    .select(['l.id', 'p.code as productCode'])
    .where('l.code', '=', code)
    .where('l.status', '=', 'ACTIVE')
    .where('l.expires_on', '>=', today)
    .executeTakeFirst()

/** Of a visitor no more is kept than tells one from another on the same day. */
async function countVisit(app: App, linkId: string, { address, device, now }: Call<'public'>): Promise<void> {
  const day = dayOf(now)
  const digest = keyedDigest(app.env, 'link-visitor', JSON.stringify([linkId, day, address, device]))
  await sql`
    with fresh as (
      insert into sales_link_visitor (link_id, day, digest) values (${linkId}, ${day}, ${digest}) on conflict do nothing returning link_id, day
    ), counted as (
      insert into sales_link_day as d (link_id, day, visits) select link_id, day, 1 from fresh
      on conflict (link_id, day) do update set visits = d.visits + 1
    )
    update sales_link set visits = visits + 1 where id in (select link_id from fresh)`.execute(app.db.query)
}
