import { sql } from 'kysely'
import { membersHeld, membersInScope } from '#areas/products/coupon/issuing.server.ts'
import { membersReached } from '#engines/audience/server.ts'
import { answer } from '#kit/server/change/question.ts'
import { run } from '#kit/server/database/database.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'

const held = answer(membersHeld, async (_app, { tx, ids }) => {
  const rows = await tx
    .selectFrom('member')
    .select(['id', 'name', 'phone', 'status'])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Map(rows.map(({ id, phone, ...member }) => [id, { ...member, phone: phone ?? '' }]))
})

const inScope = answer(membersInScope, async (_app, { tx, scope, ids }) => {
  const { bind, values } = binder()
  const where = [`m.id = any(${bind(ids)}::bigint[])`, scopeSql({ scope: 'owned' }, scope, bind, 'm')].filter(Boolean)
  const rows = await run(tx, `select m.id from member m where ${where.join(' and ')}`, values)
  return rows.map(({ id }) => String(id))
})

/** How members are named together, with the column each way asks and how. */
const FITS = {
  levels: (levels: string) => `m.level = any(${levels}::text[])`,
  channels: (channels: string) => `m.channel = any(${channels}::text[])`,
  tags: (tags: string) => `m.tags && ${tags}::text[]`,
  ownerIds: (ids: string) => `m.owner_id = any(${ids}::bigint[])`,
}

const reached = answer(membersReached, async (_app, { db, scope, audience, atMost }) => {
  const { bind, values } = binder()
  const fits =
    'phones' in audience
      ? [`m.phone = any(${bind(audience.phones)}::text[])`]
      : Object.entries(audience.inCommon).flatMap(([by, named]) =>
          named.length > 0 ? [FITS[by as keyof typeof FITS](bind(named))] : [],
        )
  if (fits.length === 0) return []
  const where = [...fits, "m.status = 'ACTIVE'", scopeSql({ scope: 'owned' }, scope, bind, 'm')].filter(Boolean)
  const rows = await run(
    db,
    `select m.id, m.name, m.phone from member m where ${where.join(' and ')} order by m.id limit ${atMost}`,
    values,
  )
  return rows.map(({ id, name, phone }) => ({ id: String(id), name: String(name), phone: String(phone) }))
})

export const answers = [held, inScope, reached]
