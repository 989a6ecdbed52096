import { sql } from 'kysely'
import { membersHeld, membersInScope } from '#areas/products/coupon/issuing.server.ts'
import type { InCommon } from '#engines/audience/model.ts'
import { membersReached } from '#engines/audience/server.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'
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

type Bind = (value: unknown) => string
type Fits = { readonly [Part in keyof InCommon]: (named: NonNullable<InCommon[Part]>, bind: Bind, now: Date) => string }

const SAID = `select from consent c where c.member_id = m.id and c.purpose = 'MARKETING' and c.stands`
/** Whoever refused by an answer refused at that number, whatever was said before. */
const REFUSED = 'exists (select from refused_number r where r.phone = m.phone)'
const AGREED = {
  GIVEN: `exists (${SAID} and c.act = 'GIVEN') and not ${REFUSED}`,
  WITHDRAWN: `(exists (${SAID} and c.act = 'WITHDRAWN') or ${REFUSED})`,
  NONE: `not exists (${SAID}) and not ${REFUSED}`,
}
const daysBefore = (now: Date, days: number): string => startOfDay(addDays(dayOf(now), -days)).toISOString()
/** No more are counted than are asked for. */
const works = (most: string): string =>
  `(select count(*) from (select from work w where w.member_id = m.id and w.status <> 'HIDDEN' limit ${most}) w)`

/** How members are named together, with what each way asks of a member. */
const FITS: Fits = {
  levels: (levels, bind) => `m.level = any(${bind(levels)}::text[])`,
  channels: (channels, bind) => `m.channel = any(${bind(channels)}::text[])`,
  tags: (tags, bind) => `m.tags && ${bind(tags)}::text[]`,
  ofOwnerId: (id, bind) => `m.owner_id = ${bind(id)}::bigint`,
  ofTeacherId: (id, bind) => `m.teacher_id = ${bind(id)}::bigint`,
  packageId: (id, bind, now) =>
    `exists (select from entitlement_lot l join course_edition e on e.id = l.edition_id where l.member_id = m.id and l.kind = 'COURSE'
       and l.remaining > 0 and (l.expires_on is null or l.expires_on >= ${bind(dayOf(now))}::date) and e.package_id = ${bind(id)}::bigint)`,
  endsWithin: (days, bind, now) =>
    `m.membership_ends_on between ${bind(dayOf(now))}::date and ${bind(addDays(dayOf(now), days))}::date`,
  noCheckInDays: (days, bind, now) =>
    `(m.last_check_in_at is null or m.last_check_in_at < ${bind(daysBefore(now, days - 1))}::timestamptz)`,
  noWorkDays: (days, bind, now) =>
    `(m.last_work_at is null or m.last_work_at < ${bind(daysBefore(now, days - 1))}::timestamptz)`,
  worksFrom: (count, bind) => `${works(`${bind(count)}::int`)} >= ${bind(count)}::int`,
  worksTo: (count, bind) => `${works(`${bind(count)}::int + 1`)} <= ${bind(count)}::int`,
  registeredFrom: (day, bind) => `m.created_at >= ${bind(startOfDay(day).toISOString())}::timestamptz`,
  registeredTo: (day, bind) => `m.created_at < ${bind(startOfDay(addDays(day, 1)).toISOString())}::timestamptz`,
  agreed: said => `(${AGREED[said]})`,
}

/** Each part that names something, as SQL. */
const fitsOf = (inCommon: InCommon, bind: Bind, now: Date): string[] =>
  (Object.entries(inCommon) as [keyof InCommon, unknown][]).flatMap(([part, named]) =>
    named === null || (Array.isArray(named) && named.length === 0)
      ? []
      : [(FITS[part] as (named: unknown, bind: Bind, now: Date) => string)(named, bind, now)],
  )

const reached = answer(membersReached, async (_app, { db, scope, audience, atMost, now }) => {
  const { bind, values } = binder()
  const fits =
    'phones' in audience ? [`m.phone = any(${bind(audience.phones)}::text[])`] : fitsOf(audience.inCommon, bind, now)
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
