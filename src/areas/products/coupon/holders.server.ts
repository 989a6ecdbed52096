import * as z from 'zod'
import { scopeOf } from '#kit/model/actor.ts'
import type { Reference } from '#kit/model/resource.ts'
import type { App } from '#kit/server/app.ts'
import type { Row } from '#kit/server/database/database.ts'
import { requireReference } from '#kit/server/declared.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { labelColumns, readLabel } from '#kit/server/list/select.ts'
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
      const member = requireReference(app.catalogue, 'member')
      const order = requireReference(app.catalogue, 'order')
      const { bind, values } = binder()
      const parts = [
        `h.coupon_id = ${bind(params.id)}::bigint`,
        ...(query.status === undefined ? [] : [`h.status = ${bind(query.status)}`]),
        scopeSql({ scope: 'owned' }, scopeOf(call.actor, resource.screen.key), bind, 'm'),
      ]
      const from = `from member_coupon h join ${member.table} m on m.id = h.member_id where ${parts.filter(part => part !== '').join(' and ')}`
      const [[counted], rows] = await Promise.all([
        app.db.read.planned(`select count(*)::int as total ${from}`, values),
        app.db.read.planned(
          `select ${columnsOf(member, order)} ${from} order by h.id desc ${cut(Number(query.current))}`,
          values,
        ),
      ])
      return { records: rows.map(row => shown(member, row)), total: counted?.total }
    },
  })

const columnsOf = (member: Reference, order: Reference): string => `
  h.id, h.member_id as "memberId", h.status, h.taken_at as "takenAt", h.valid_from as "validFrom", h.valid_to as "validTo",
  h.used_at as "usedAt", h.order_id as "orderId",
  (select o.${order.label.name} from ${order.table} o where o.id = h.order_id) as "orderNo",
  (select s.name from staff s where s.id = h.issued_by) as "issuedBy",
  ${labelColumns(member, 'm').map(([part, column]) => `${column} as "memberId:${part}"`)}`

const cut = (current: number): string => `limit ${SIZE} offset ${(current - 1) * SIZE}`

function shown(member: Reference, row: Row): Row {
  const { name, note } = readLabel(member, row, 'memberId')
  const own = Object.entries(row).filter(([column]) => !column.startsWith('memberId:'))
  return { ...Object.fromEntries(own), name, phone: note }
}
