import * as z from 'zod'
import { daysLeft, type LotKind, periodsOf } from '#engines/entitlement/model.ts'
import { pausesOf } from '#engines/entitlement/pauses.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { child as lessons } from './lessons/model.ts'
import { child, LOT_KINDS, type Lot } from './lots/model.ts'
import type { Member } from './model.ts'
import { type EntryView, entryView } from './side.model.ts'
import { sideRoute } from './side.server.ts'

const PAGE = 20

const balance = z.strictObject({ kind: z.enum(LOT_KINDS), remaining: z.int(), frozen: z.int() })

/** What a member holds and where it went: the balance stands after each line. */
export const ledgerRoute = (app: App) =>
  sideRoute(app, {
    path: 'ledger',
    query: z.strictObject({
      kind: z.enum(LOT_KINDS).default('MEMBER_DAYS'),
      current: z.coerce.number().int().min(1).max(10_000).default(1),
    }),
    answer: z.strictObject({
      balances: z.array(balance),
      entries: z.array(entryView),
      total: z.int(),
    }),
    summary: "The member's entitlements of one kind: movements, and what is left of every kind.",
    async read({ id, query: { kind, current }, now }) {
      const [held, days, moved] = await Promise.all([
        balancesOf(app, id),
        daysOf(app, id, dayOf(now)),
        countOf(app, id, kind),
      ])
      const balances = held.map(balance => (balance.kind === 'MEMBER_DAYS' ? { ...balance, ...sumOf(days) } : balance))
      if (kind !== 'MEMBER_DAYS') {
        const entries = await entriesOf(app, id, kind, (current - 1) * PAGE, PAGE)
        return { balances, entries, total: moved }
      }
      // Days pass without anybody writing them down: what has passed stands over the movements, as one of them.
      const passed = passedOf(days, now)
      const first = current === 1 ? passed : []
      const before = (current - 1) * PAGE - (current === 1 ? 0 : passed.length)
      const entries = [...first, ...(await entriesOf(app, id, kind, before, PAGE - first.length))]
      return { balances, entries, total: moved + passed.length }
    },
  })

const balancesOf = async ({ db }: App, memberId: string) =>
  (
    await db.query
      .selectFrom('entitlement_lot')
      .select(eb => ['kind', eb.fn.sum<string>('remaining').as('remaining'), eb.fn.sum<string>('frozen').as('frozen')])
      .where('member_id', '=', memberId)
      .groupBy('kind')
      .execute()
  ).map(({ kind, remaining, frozen }) => ({ kind, remaining: Number(remaining), frozen: Number(frozen) }))

/** The lots themselves: those of days as the calendar leaves them. */
export const lotRoutes = serveChild(child, {
  async told(app, lots, { parentId, now }) {
    const days = lots.some(({ kind }) => kind === 'MEMBER_DAYS') ? await daysOf(app, parentId, dayOf(now)) : []
    return lots.map(lot => {
      const left = days.find(({ id }) => id === lot.id)
      return left ? { remaining: left.remaining, frozen: left.frozen, expiresOn: left.expiresOn } : {}
    })
  },
})

/** What lessons were taken, and whether one was spent on it. */
export const lessonRoutes = serveChild(lessons)

/** The pause that is not over yet: there is one at a time. */
export async function pauseOf({ db, clock }: App, memberId: string): Promise<Member['pause']> {
  const standing = (await pausesOf(db.query, memberId)).find(({ endsOn }) => endsOn >= dayOf(clock.now()))
  return standing ? { from: standing.startsOn, until: standing.endsOn } : null
}

type DaysView = Pick<Lot, 'id' | 'grantedOn' | 'remaining' | 'frozen' | 'expiresOn'> & { readonly passed: number }

/** Days of membership as the calendar leaves them, oldest first: until when each lot lasts, and what of it has passed. */
async function daysOf(app: App, memberId: string, today: string): Promise<DaysView[]> {
  const lots = await app.db.query
    .selectFrom('entitlement_lot')
    .select(['id', 'remaining', 'frozen', 'granted_on as grantedOn'])
    .where('member_id', '=', memberId)
    .where('kind', '=', 'MEMBER_DAYS')
    .orderBy('id')
    .execute()
  const pauses = await pausesOf(app.db.query, memberId)
  const periods = new Map(periodsOf(lots, pauses).map(period => [period.id, period]))
  return lots.map(lot => {
    const period = periods.get(lot.id)
    const left = period ? daysLeft(period, today, pauses) : 0
    const frozen = Math.min(lot.frozen, left)
    return { ...lot, remaining: left, frozen, expiresOn: period?.endsOn ?? null, passed: lot.remaining - left }
  })
}

const sumOf = (days: readonly DaysView[]) => ({
  remaining: days.reduce((sum, { remaining }) => sum + remaining, 0),
  frozen: days.reduce((sum, { frozen }) => sum + frozen, 0),
})

function passedOf(days: readonly DaysView[], now: Date): EntryView[] {
  const passed = days.reduce((sum, lot) => sum + lot.passed, 0)
  if (passed === 0) return []
  const line = { id: 'passed', at: now.toISOString(), lot: '', source: '', note: '', staff: null }
  return [{ ...line, cause: 'PASSED', delta: -passed, balanceAfter: sumOf(days).remaining }]
}

const entriesOf = ({ db }: App, memberId: string, kind: LotKind, offset: number, limit: number) =>
  db.query
    .selectFrom('entitlement_entry as e')
    .innerJoin('entitlement_lot as l', 'l.id', 'e.lot_id')
    .leftJoin('staff as s', 's.id', 'e.staff_id')
    .select(['e.id', 'e.created_at as at', 'e.cause', 'l.name as lot', 'l.source', 'e.delta'])
    .select(['e.balance_after as balanceAfter', 'e.note', 's.name as staff'])
    .where('e.member_id', '=', memberId)
    .where('e.kind', '=', kind)
    .orderBy('e.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

const countOf = async ({ db }: App, memberId: string, kind: LotKind): Promise<number> =>
  Number(
    (
      await db.query
        .selectFrom('entitlement_entry')
        .select(eb => eb.fn.countAll<string>().as('n'))
        .where('member_id', '=', memberId)
        .where('kind', '=', kind)
        .executeTakeFirstOrThrow()
    ).n,
  )
