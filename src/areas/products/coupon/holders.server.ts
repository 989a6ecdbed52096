import * as z from 'zod'
import { scopeOf } from '#kit/model/actor.ts'
import { mask } from '#kit/model/mask.ts'
import type { App } from '#kit/server/app.ts'
import type { Row } from '#kit/server/database/database.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { HELD_STATES, holder, resource } from './model.ts'

const SIZE = 10

/** Who holds a coupon, ten at a time and by state: only members this person may see. */
export const holdersRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/:id/holders`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'detail' },
    params: idParams,
    query: z.strictObject({
      status: z.enum(HELD_STATES).optional(),
      current: z
        .string()
        .regex(/^[1-9]\d{0,5}$/)
        .default('1'),
    }),
    answer: z.strictObject({ records: z.array(holder), total: z.int() }),
    summary: 'Who holds the coupon.',
    async handle(call, { params, query }) {
      const { bind, values } = binder()
      const parts = [
        `h.coupon_id = ${bind(params.id)}::bigint`,
        ...(query.status === undefined ? [] : [`h.status = ${bind(query.status)}`]),
        scopeSql({ scope: 'owned' }, scopeOf(call.actor, resource.screen.key), bind, 'm'),
      ]
      const from = `from member_coupon h join member m on m.id = h.member_id where ${parts.filter(part => part !== '').join(' and ')}`
      const [[counted], rows] = await Promise.all([
        app.db.read.planned(`select count(*)::int as total ${from}`, values),
        app.db.read.planned(`${PAGE} ${from} order by h.id desc ${cut(Number(query.current))}`, values),
      ])
      return { records: rows.map(shown), total: counted?.total }
    },
  })

const PAGE = `
  select h.id, h.member_id as "memberId", m.name, m.phone, h.status, h.taken_at as "takenAt", h.valid_from as "validFrom",
    h.valid_to as "validTo", h.used_at as "usedAt", h.order_id as "orderId",
    (select o.order_no from sales_order o where o.id = h.order_id) as "orderNo",
    (select s.name from staff s where s.id = h.issued_by) as "issuedBy"`

const cut = (current: number): string => `limit ${SIZE} offset ${(current - 1) * SIZE}`

const shown = (row: Row): Row => ({ ...row, phone: mask('phone', String(row.phone)) })
