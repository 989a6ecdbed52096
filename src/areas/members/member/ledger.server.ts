import * as z from 'zod'
import { GRANT_KINDS, type LotKind } from '#engines/entitlement/model.ts'
import type { App } from '#kit/server/app.ts'
import { entryView, lotView } from './side.model.ts'
import { sideRoute } from './side.server.ts'

const KINDS = GRANT_KINDS.filter((kind): kind is LotKind => kind !== 'GOODS')
const PAGE = 20
const MAX_LOTS = 200

const balance = z.strictObject({ kind: z.enum(KINDS), remaining: z.int(), frozen: z.int() })

/** What a member holds, where it came from and where it went: the balance stands after each line. */
export const ledgerRoute = (app: App) =>
  sideRoute(app, {
    path: 'ledger',
    query: z.strictObject({
      kind: z.enum(KINDS).default('MEMBER_DAYS'),
      current: z.coerce.number().int().min(1).max(10_000).default(1),
    }),
    answer: z.strictObject({
      balances: z.array(balance),
      lots: z.array(lotView),
      entries: z.array(entryView),
      total: z.int(),
    }),
    summary: "The member's entitlements of one kind: parcels, movements, and what is left of every kind.",
    async read({ id, query: { kind, current } }) {
      const [balances, lots, entries, total] = await Promise.all([
        balancesOf(app, id),
        lotsOf(app, id, kind),
        entriesOf(app, id, kind, (current - 1) * PAGE),
        countOf(app, id, kind),
      ])
      return { balances, lots, entries, total }
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

const lotsOf = ({ db }: App, memberId: string, kind: LotKind) =>
  db.query
    .selectFrom('entitlement_lot')
    .select(['id', 'kind', 'source', 'name', 'quantity', 'remaining', 'frozen'])
    .select(['granted_on as grantedOn', 'expires_on as expiresOn'])
    .where('member_id', '=', memberId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(MAX_LOTS)
    .execute()

const entriesOf = ({ db }: App, memberId: string, kind: LotKind, offset: number) =>
  db.query
    .selectFrom('entitlement_entry as e')
    .innerJoin('entitlement_lot as l', 'l.id', 'e.lot_id')
    .leftJoin('staff as s', 's.id', 'e.staff_id')
    .select(['e.id', 'e.created_at as at', 'e.cause', 'l.name as lot', 'l.source', 'e.delta'])
    .select(['e.balance_after as balanceAfter', 'e.note', 's.name as staff'])
    .where('e.member_id', '=', memberId)
    .where('e.kind', '=', kind)
    .orderBy('e.id', 'desc')
    .limit(PAGE)
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
