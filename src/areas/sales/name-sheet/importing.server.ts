import { sql } from 'kysely'
import { optional, personal } from '#kit/model/field.ts'
import { defineImport, type ImportRow, type RowError } from '#kit/server/import/definition.ts'
import { AGE, GRID, LINES, type SheetResource, USUAL, type Variant } from './fields.model.ts'
import { keepSheets, LEAD_UNKNOWN, leadsOf, logMade, plain, type Sheet, whyNotMade } from './making.server.ts'

const columns = {
  name: personal('name', 20),
  leadPhone: optional(personal('phone', 20)),
  age: optional(AGE),
  grid: optional(GRID),
  lines: optional(LINES),
}
type NameRow = ImportRow<typeof columns>

/** A list of names, one sheet for each: those that can be made are kept, and their papers fetched together. */
export const sheetImport = (resource: SheetResource, variant: Variant) =>
  defineImport({
    screen: resource.screen,
    columns,
    async check({ app, actor }, rows) {
      const leads = await leadsOf(app.db.query, actor, resource.screen.key, phonesOf(rows))
      const errors = rows.map(async (row): Promise<[number, RowError[]]> => [row.no, await errorsOf(row, leads)])
      return new Map(await Promise.all(errors))
    },
    async apply(op, rows, { title }) {
      const leads = await leadsOf(op.tx, op.actor, resource.screen.key, phonesOf(rows))
      const sheets = rows.map(row => ({ sheet: sheetOf(row), lead: leadOf(row, leads), batch: title }))
      const ids = await keepSheets(op, variant, sheets)
      for (const [at, { sheet }] of sheets.entries()) await logMade(op, resource, ids[at] as string, sheet)
      return ids
    },
    async undo({ tx }, ids) {
      await sql`delete from name_copybook where id = any(${ids}::bigint[])`.execute(tx)
    },
  })

const phonesOf = (rows: readonly NameRow[]): string[] => rows.flatMap(({ values }) => values.leadPhone ?? [])

const sheetOf = ({ values: { age, grid, lines, ...values } }: NameRow): Sheet =>
  plain({ ...values, age: age ?? USUAL.age, grid: grid ?? USUAL.grid, lines: lines ?? USUAL.lines })

type Leads = Awaited<ReturnType<typeof leadsOf>>
const leadOf = ({ values: { leadPhone } }: NameRow, leads: Leads) =>
  leadPhone === null ? undefined : leads.get(leadPhone)

async function errorsOf(row: NameRow, leads: Leads): Promise<RowError[]> {
  const faults = Object.entries(await whyNotMade(sheetOf(row)))
  const isLost = row.values.leadPhone !== null && !leadOf(row, leads)
  return [
    ...faults.map(([field, refusal]) => ({ ...refusal, field })),
    ...(isLost ? [{ ...LEAD_UNKNOWN, field: 'leadPhone' }] : []),
  ]
}
