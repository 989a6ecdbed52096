import * as z from 'zod'
import { PLATFORM_OF, type Platform, screenOf } from '#areas/live/platform-order/platforms.server.ts'
import { followOwner } from '#areas/members/member/handing-over.server.ts'
import { refundEffect } from '#areas/orders/refund-application/effects.server.ts'
import { type Actor, can, NOTHING, scopeOf } from '#kit/model/actor.ts'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, REFUND_PUSH } from '#kit/model/contract.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { listen } from '#kit/server/change/announce.ts'
import { record } from '#kit/server/change/audit.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { operate } from '#kit/server/change/operation.ts'
import { type Row, run, type Tx } from '#kit/server/database/database.ts'
import { idParams, type Route, type Routes, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { push } from '#kit/server/live/push.ts'
import { contentOf } from './notice.server.ts'

/** Refund notices are work of the people who redeem the platform's codes (docs/decisions/003-refund-notices.md). */
const PAGE = 'dy-code'
const TEXTS = 'live/refund-notice'

const status = z.enum(['UNREAD', 'READ'])
const wholeNumber = (max: number) => z.coerce.number().int().min(1).max(max)

export const routes: Routes = app => [pageRoute(app), countRoute(app), readRoute(app)]

const pageRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: '/message/web/page',
    texts: TEXTS,
    access: 'session',
    query: z.strictObject({
      current: wholeNumber(100_000).default(1),
      size: wholeNumber(100)
        .refine(size => PAGE_SIZES.some(option => option === size))
        .default(DEFAULT_PAGE_SIZE),
      status: status.optional(),
    }),
    answer: z.strictObject({
      records: z.array(
        z.strictObject({
          id: z.string(),
          status,
          content: z.string(),
          registered: z.boolean(),
          createdAt: z.string(),
          processedAt: z.string().nullable(),
          processedBy: z.string().nullable(),
        }),
      ),
      total: z.int(),
      totalAt: z.string(),
    }),
    summary: 'Refund notices this person may see, newest first.',
    async handle(call, { query: { current, size, status: wanted } }) {
      const { bind, values } = binder()
      const where = seen(call.actor, bind, wanted)
      const counted = app.db.read.rows(`select count(*)::int as n from refund_notice t where ${where}`, [...values])
      const listed = app.db.read.rows(
        `select t.id::text as id, t.status, t.order_no, t.lead_phone, t.phone, coalesce(t.member_id, m.id)::text as member_id,
           t.created_at, t.processed_at, p.name as processed_by
         from refund_notice t
         left join staff p on p.id = t.processed_by
         -- Somebody unknown when the refund came may have registered since.
         left join member m on m.phone = coalesce(t.phone, t.lead_phone)
         where ${where} order by t.id desc limit ${bind(size)} offset ${bind((current - 1) * size)}`,
        values,
      )
      const [[count], rows] = await Promise.all([counted, listed])
      return { records: rows.map(shown), total: Number(count?.n ?? 0), totalAt: call.now.toISOString() }
    },
  })

const countRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: '/message/web/count',
    texts: TEXTS,
    access: 'session',
    answer: z.strictObject({ total: z.int() }),
    summary: 'How many refund notices wait, for the badge.',
    async handle(call) {
      const { bind, values } = binder()
      const where = seen(call.actor, bind, 'UNREAD')
      const [row] = await app.db.read.rows(`select count(*)::int as n from refund_notice t where ${where}`, values)
      return { total: Number(row?.n ?? 0) }
    },
  })

const readRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: '/message/app/read/:id',
    reads: false,
    texts: TEXTS,
    access: 'session',
    params: idParams,
    answer: z.null(),
    summary: 'Marks a refund notice processed, for everybody. A second call changes nothing.',
    async handle(call, { params }) {
      requireOwnPage(call)
      await operate(app, call, async op => {
        const { bind, values } = binder()
        const place = bind(params.id)
        const [notice] = await run(
          op.tx,
          `select t.id, t.status, t.source, t.order_no, t.owner_id, t.org_id from refund_notice t where t.id = ${place} and ${seen(op.actor, bind)} for update`,
          values,
        )
        if (!notice) throw new Refused(refuse('kit:record-missing'), 'not-found')
        if (notice.status === 'READ') return
        await op.tx
          .updateTable('refund_notice')
          .set({ status: 'READ', processed_at: op.now, processed_by: op.actor.id })
          .where('id', '=', params.id)
          .execute()
        await record(op.tx, call, { ...(await aboutOf(op.tx, notice)), action: 'processed', diff: {} })
        await push(app, op.tx, {
          type: REFUND_PUSH,
          key: `processed:${params.id}`,
          content: {},
          ownerId: notice.owner_id as string | null,
          orgId: notice.org_id as string | null,
        })
      })
      return null
    },
  })

/** The order a notice is about, on the screen it stands on: the notice has no page of its own. */
async function aboutOf(tx: Tx, { source, order_no: orderNo }: Row) {
  const platform = PLATFORM_OF[source as keyof typeof PLATFORM_OF] as Platform | undefined
  const order =
    platform &&
    (await tx
      .selectFrom('platform_order')
      .select('id')
      .where('platform', '=', platform)
      .where('order_no', '=', String(orderNo))
      .executeTakeFirst())
  return platform && order ? { page: screenOf(platform).screen.key, recordId: order.id } : { page: PAGE }
}

/** The contract changes state by GET: neither an address somebody opens nor another site's page may do that. */
function requireOwnPage(call: Call): void {
  const isForeign = call.header('sec-fetch-mode') === 'navigate' || call.header('sec-fetch-site') === 'cross-site'
  if (isForeign) throw new Refused(refuse('notice-from-elsewhere'), 'permission')
}

/** The notices of this person's scope in SQL; none for people without the page. */
function seen(actor: Actor, bind: (value: unknown) => string, wanted?: z.infer<typeof status>): string {
  const scope = can(actor, PAGE, 'list') ? scopeOf(actor, PAGE) : NOTHING
  const parts = [scopeSql({ scope: 'owned' }, scope, bind), wanted === undefined ? '' : `t.status = ${bind(wanted)}`]
  return parts.filter(part => part !== '').join(' and ') || 'true'
}

const shown = (row: Row) => ({
  id: row.id,
  status: row.status,
  content: JSON.stringify(contentOf(row)),
  registered: row.member_id !== null,
  createdAt: row.created_at,
  processedAt: row.processed_at,
  processedBy: row.processed_by,
})

/** A refund of our own is news for the member's owner too: the notice comes again for each part that is paid. */
export const listeners = [
  followOwner('refund_notice'),
  forgets({
    table: 'refund_notice',
    where: 't.member_id = $1 or t.phone = any($2::text[]) or t.lead_phone = any($2::text[])',
    becomes: { phone: 'null', lead_phone: 'null' },
  }),
  listen(refundEffect, async ({ tx, now }, { name, orderId }) => {
    if (name !== 'NOTICE') return
    await run(
      tx,
      `insert into refund_notice (source, order_no, phone, member_id, owner_id, org_id, created_at)
       select 'console', o.order_no, m.phone, m.id, o.owner_id, o.org_id, $2
       from sales_order o join member m on m.id = o.member_id where o.id = $1
       on conflict (source, order_no) do update set status = 'UNREAD', processed_at = null, processed_by = null`,
      [orderId, now],
    )
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a refund notice is read exactly when somebody has processed it',
    query: `
      select id, status from refund_notice
      where (status = 'READ') <> (processed_at is not null) or (status = 'READ') <> (processed_by is not null)`,
  },
]
