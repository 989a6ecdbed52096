import * as z from 'zod'
import { findOrder } from '#areas/orders/order/refunds.server.ts'
import { ID } from '#kit/model/field.ts'
import type { App } from '#kit/server/app.ts'
import { type Route, route } from '#kit/server/route.ts'
import { calculate, requirePaid, termsOf } from './calculation.server.ts'
import { resource, suggestedLine } from './model.ts'
import { paymentOf } from './paying.server.ts'

/** For the eye only: what is stored is calculated again under the locks. */
export const suggestion = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/suggestion`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'create' },
    query: z.strictObject({ orderId: z.string().regex(ID) }),
    answer: z.strictObject({
      suggestedFen: z.int(),
      leftFen: z.int(),
      /** The money can go back the way it came. */
      isOriginal: z.boolean(),
      lines: z.array(suggestedLine),
    }),
    summary: 'What an order should give back if it were asked for now, and how that comes about.',
    async handle({ actor, now }, { query }) {
      const db = app.db.query
      const order = requirePaid(await findOrder(db, actor, query.orderId))
      const { lines, suggestedFen, leftFen } = await calculate(db, { order, now, terms: termsOf(app.env) })
      const isOriginal = (await paymentOf(db, order.id)) !== undefined
      return { suggestedFen, leftFen, isOriginal, lines: lines.map(({ lots, leftFen: _left, ...line }) => line) }
    },
  })
