import type { Entry, EventKind } from '#engines/settlement/model.ts'
import { digestOf } from '#engines/settlement/server.ts'
import { mask } from '#kit/model/mask.ts'
import type { App } from '#kit/server/app.ts'

const LINES_A_PAGE = 200

export type ShownLine = {
  readonly at: Date
  /** Enough for a partner to find its own row by, and no more of the person. */
  readonly phone: string
  readonly orderNo: string | null
  readonly kind: EventKind | null
  readonly entry: Entry
  readonly baseFen: number | null
  readonly amountFen: number
  readonly note: string
}

export type Shown = {
  readonly statementNo: string
  readonly company: string
  readonly month: string
  readonly status: 'DRAFT' | 'CHANNEL_CONFIRMED' | 'APPROVED' | 'PAID'
  readonly counted: number
  readonly notCounted: number
  readonly adjustedFen: number
  readonly totalFen: number
  readonly reckonedAt: Date
  readonly confirmedName: string | null
  readonly confirmedAt: Date | null
  readonly hasContact: boolean
  readonly phone: string
  /** What the page shows, in one word: what is agreed to is exactly this. */
  readonly digest: string
  readonly lines: readonly ShownLine[]
  readonly page: number
  readonly pages: number
}

/** A statement with a page of its lines, all as of one instant, so that its digest is that of what is shown. */
export const readShown = (app: App, statementId: string, page: number): Promise<Shown> =>
  app.db.query
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      const row = await tx
        .selectFrom('settlement_statement as s')
        .innerJoin('partner as p', 'p.id', 's.partner_id')
        .selectAll('s')
        .select(['p.company', 'p.contact_phone'])
        .where('s.id', '=', statementId)
        .executeTakeFirstOrThrow()
      const { n } = await tx
        .selectFrom('settlement_line')
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .where('statement_id', '=', statementId)
        .executeTakeFirstOrThrow()
      const pages = Math.max(1, Math.ceil(Number(n) / LINES_A_PAGE))
      const at = Math.min(page, pages)
      const found = await tx
        .selectFrom('settlement_line as l')
        .leftJoin('member as m', 'm.id', 'l.member_id')
        .leftJoin('sales_order as o', 'o.id', 'l.order_id')
        .select(['l.happened_at', 'l.kind', 'l.entry', 'l.base_fen', 'l.amount_fen', 'l.note', 'm.phone', 'o.order_no'])
        .where('l.statement_id', '=', statementId)
        .orderBy('l.happened_at')
        .orderBy('l.id')
        .limit(LINES_A_PAGE)
        .offset((at - 1) * LINES_A_PAGE)
        .execute()
      return {
        statementNo: row.statement_no,
        company: row.company,
        month: row.period_from.slice(0, 7),
        status: row.status,
        counted: row.counted,
        notCounted: row.not_counted,
        adjustedFen: Number(row.adjusted_fen),
        totalFen: Number(row.total_fen),
        reckonedAt: new Date(row.reckoned_at),
        confirmedName: row.confirmed_name,
        confirmedAt: row.confirmed_at === null ? null : new Date(row.confirmed_at),
        hasContact: row.contact_phone !== null,
        phone: mask('phone', row.contact_phone ?? ''),
        digest: await digestOf({ tx }, statementId),
        lines: found.map(line => ({
          at: new Date(line.happened_at),
          phone: line.phone === null ? '' : mask('phone', line.phone),
          orderNo: line.order_no,
          kind: line.kind,
          entry: line.entry,
          baseFen: line.base_fen === null ? null : Number(line.base_fen),
          amountFen: Number(line.amount_fen),
          note: line.note,
        })),
        page: at,
        pages,
      }
    })
