import { sql } from 'kysely'
import * as z from 'zod'
import type { App } from '#kit/server/app.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { CHECK_STATES, type CheckState, resource } from './model.ts'

const PAGE_SIZE = 20
const CHECKS_SHOWN = 50
const HELD_SHOWN = 200

const movement = z.strictObject({
  id: z.string(),
  cause: z.enum(['IN', 'OUT', 'SENT', 'RETURNED', 'CHECK']),
  quantity: z.int(),
  balanceAfter: z.int(),
  note: z.string(),
  shipmentNo: z.string().nullable(),
  staff: z.string().nullable(),
  at: z.string(),
})
const check = z.strictObject({
  id: z.string(),
  counted: z.int(),
  book: z.int(),
  note: z.string(),
  status: z.enum(Object.keys(CHECK_STATES) as [CheckState]),
  applicant: z.string(),
  decider: z.string().nullable(),
  at: z.string(),
})
const held = z.strictObject({
  id: z.string(),
  shipmentNo: z.string(),
  status: z.string(),
  quantity: z.int(),
  at: z.string(),
})

/** The book of one product: what moved, who counted, and for whom goods are kept. */
export function bookRoutes({ db }: App): Route[] {
  const about = { method: 'GET', texts: resource.screen.name, params: idParams } as const
  const access = { page: resource.screen.key, action: 'detail' } as const
  const path = `/${resource.screen.name}/:id`
  return [
    route({
      ...about,
      access,
      path: `${path}/movements`,
      query: z.strictObject({ current: z.coerce.number().int().min(1).max(100_000).default(1) }),
      answer: z.strictObject({ records: z.array(movement), total: z.int() }),
      summary: 'The book of a product, newest first, with what lay there after each movement.',
      async handle(_call, { params, query }) {
        const { rows } = await sql<z.infer<typeof movement>>`
          select m.id, m.cause, m.quantity, m.balance_after as "balanceAfter", m.note, s.shipment_no as "shipmentNo",
            p.name as staff, m.created_at as at
          from stock_movement m left join shipment s on s.id = m.shipment_id left join staff p on p.id = m.staff_id
          where m.base_product_id = ${params.id} order by m.id desc
          limit ${PAGE_SIZE} offset ${(query.current - 1) * PAGE_SIZE}`.execute(db.query)
        const { total } = await db.query
          .selectFrom('stock_movement')
          .select(eb => eb.fn.countAll<number>().as('total'))
          .where('base_product_id', '=', params.id)
          .executeTakeFirstOrThrow()
        return { records: rows, total: Number(total) }
      },
    }),
    route({
      ...about,
      access,
      path: `${path}/checks`,
      answer: z.array(check),
      summary: 'The latest counts of a product, newest first.',
      async handle(_call, { params }) {
        const { rows } = await sql<z.infer<typeof check>>`
          select c.id, c.counted, c.book, c.note, c.status, a.name as applicant, d.name as decider, c.created_at as at
          from stock_check c join staff a on a.id = c.applicant_id left join staff d on d.id = c.decided_by
          where c.base_product_id = ${params.id} order by c.id desc limit ${CHECKS_SHOWN}`.execute(db.query)
        return rows
      },
    }),
    route({
      ...about,
      access,
      path: `${path}/held`,
      answer: z.array(held),
      summary: 'The shipments goods of a product are kept for, oldest first.',
      async handle(_call, { params }) {
        const { rows } = await sql<z.infer<typeof held>>`
          select s.id, s.shipment_no as "shipmentNo", s.status, sum(l.locked)::int as quantity, s.created_at as at
          from shipment_line l join shipment s on s.id = l.shipment_id
          where l.base_product_id = ${params.id} and l.locked > 0
          group by s.id order by s.id limit ${HELD_SHOWN}`.execute(db.query)
        return rows
      },
    }),
  ]
}
