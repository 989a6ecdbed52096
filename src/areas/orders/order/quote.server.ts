import * as z from 'zod'
import { couponOff } from '#areas/products/coupon/using.server.ts'
import { lookAtProduct } from '#areas/products/product/server.ts'
import { type Actor, scopeOf } from '#kit/model/actor.ts'
import { ID } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import type { Refusal } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Database } from '#kit/server/database/database.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { resource } from './model.ts'
import { hasGoods, type NewLine, offeredLine } from './placing.server.ts'
import { PRODUCTS, quote } from './quote.model.ts'
import { knownReceivers } from './receiver.server.ts'

const query = z.strictObject({
  memberId: z.string().regex(ID).optional(),
  products: z.string().regex(PRODUCTS).optional(),
  couponId: z.string().regex(ID).optional(),
})

/** What an order taken by hand would come to, and where goods of this member went before. */
export const quoteRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/quote`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'create' },
    query,
    answer: quote,
    summary: 'What products would come to for a member, with a coupon of his, and where his goods went before.',
    async handle({ actor, language, now }, { query: asked }) {
      const db = app.db.query
      const lines = await linesOf(db, asked.products ?? '')
      const sum = (of: (line: NewLine) => number) => lines.reduce((all, line) => all + of(line), 0)
      const priceFen = sum(line => line.amountFen)
      const member = asked.memberId !== undefined && (await maySee(app, actor, asked.memberId)) ? asked.memberId : null
      const off =
        member !== null && asked.couponId !== undefined && lines.length > 0
          ? await couponOff(
              { db, now },
              {
                memberCouponId: asked.couponId,
                memberId: member,
                lines: lines.map(({ product, amountFen }) => ({ productId: product?.id ?? null, amountFen })),
              },
            )
          : 0
      const couponFen = typeof off === 'number' ? off : 0
      return {
        lines: lines.map(({ product, quantity, listFen, amountFen }) => ({
          productId: product?.id ?? '',
          quantity,
          listFen,
          amountFen,
        })),
        listFen: sum(line => line.listFen),
        priceFen,
        couponFen,
        couponRefusal: typeof off === 'number' ? null : inWords(app, language, off),
        dueFen: priceFen - couponFen,
        hasGoods: hasGoods(lines),
        receivers: member === null ? [] : await knownReceivers(app, actor, member),
      }
    },
  })

const inWords = (app: App, language: Language, refusal: Refusal): string => {
  const whole = app.texts.refusal(language, resource.screen.name, 'refused', refusal)
  return whole.slice(whole.indexOf(': ') + 2)
}

async function linesOf(db: Database['query'], products: string): Promise<NewLine[]> {
  const lines: NewLine[] = []
  for (const part of products === '' ? [] : products.split(',')) {
    const [id = '', quantity] = part.split('x')
    const product = await lookAtProduct(db, id)
    if (product) lines.push(offeredLine(product, Number(quantity)))
  }
  return lines
}

/** Coupons and addresses of a member are shown to whoever sees the orders of that member. */
async function maySee(app: App, actor: Actor, memberId: string): Promise<boolean> {
  const { bind, values } = binder()
  const parts = [
    `m.id = ${bind(memberId)}::bigint`,
    scopeSql({ scope: 'owned' }, scopeOf(actor, resource.screen.key), bind, 'm'),
  ]
  const rows = await app.db.read.planned(`select 1 from member m where ${parts.filter(Boolean).join(' and ')}`, values)
  return rows.length > 0
}
