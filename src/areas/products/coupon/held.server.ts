import * as z from 'zod'
import { scopeOf } from '#kit/model/actor.ts'
import { ID } from '#kit/model/field.ts'
import type { App } from '#kit/server/app.ts'
import { requireReference } from '#kit/server/declared.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { held } from './held.model.ts'
import { resource } from './model.ts'

const MAX_SHOWN = 100

/** The coupons of one member, newest first: none for whoever may not see the member. */
export const heldRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/held`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'list' },
    query: z.strictObject({ memberId: z.string().regex(ID) }),
    answer: z.array(held),
    summary: 'The coupons a member holds.',
    async handle(call, { query: { memberId } }) {
      const member = requireReference(app.catalogue, 'member')
      const order = requireReference(app.catalogue, 'order')
      const { bind, values } = binder()
      const parts = [
        `h.member_id = ${bind(memberId)}::bigint`,
        scopeSql({ scope: 'owned' }, scopeOf(call.actor, resource.screen.key), bind, 'm'),
      ]
      return app.db.read.planned(
        `select h.id, h.coupon_id as "couponId", h.rule->>'name' as name, h.status, h.taken_at as "takenAt",
           h.valid_from as "validFrom", h.valid_to as "validTo", h.order_id as "orderId", o.${order.label.name} as "orderNo"
         from member_coupon h join ${member.table} m on m.id = h.member_id left join ${order.table} o on o.id = h.order_id
         where ${parts.filter(part => part !== '').join(' and ')} order by h.id desc limit ${MAX_SHOWN}`,
        values,
      )
    },
  })
