import * as z from 'zod'
import { ID } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { resource } from './model.ts'
import { priceNow } from './price-now.model.ts'

/** What a product costs now: whoever asks for less knows what less is. */
export const priceRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/price`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'create' },
    query: z.strictObject({ productId: z.string().regex(ID) }),
    answer: priceNow,
    summary: 'What a product costs now, for whoever asks to sell it for less.',
    async handle(_call, { query: { productId } }) {
      const product = app.db.query.selectFrom('product').select('price_fen').where('id', '=', productId)
      const found = await product.executeTakeFirst()
      if (!found) throw new Refused(refuse('kit:record-missing'), 'not-found')
      return { priceFen: Number(found.price_fen) }
    },
  })
