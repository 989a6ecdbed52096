import { sql } from 'kysely'
import type { Actor } from '#kit/model/actor.ts'
import { CODES } from '#kit/model/contract.ts'
import { optional, personal } from '#kit/model/field.ts'
import { refuse } from '#kit/model/refusal.ts'
import { type Gate, spend } from '#kit/server/access/gate.ts'
import { record } from '#kit/server/change/audit.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { type Asked, defineImport, type ImportRow, type RowError } from '#kit/server/import/definition.ts'
import { AGE, GRID, hasLink, hasVerse, LINES, type SheetResource, USUAL, type Variant, VERSE } from './fields.model.ts'
import {
  keepSheets,
  LEAD_UNKNOWN,
  leadsOf,
  logMade,
  plain,
  type Sheet,
  usualLink,
  whyNotMade,
} from './making.server.ts'

const columns = {
  name: personal('name', 20),
  leadPhone: optional(personal('phone', 20)),
  age: optional(AGE),
  grid: optional(GRID),
  lines: optional(LINES),
  verse: VERSE,
}
type Columns = typeof columns
type NameRow = ImportRow<Columns>

/** Where nobody asks for a verse, a file has no column for one: then there is none. */
const columnsOf = (variant: Variant): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([field]) => field !== 'verse' || hasVerse(variant))) as Columns

/** A list of names, one sheet for each: those that can be made are kept, and their papers fetched together. */
export const sheetImport = (resource: SheetResource, variant: Variant) => {
  const known = (db: Queries, actor: Actor, rows: readonly NameRow[]) => knownOf(db, { resource, variant, actor }, rows)
  return defineImport({
    screen: resource.screen,
    columns: columnsOf(variant),
    async check(asked, rows) {
      const all = await known(asked.app.db.query, asked.actor, rows)
      const isGuessing = await guesses(asked, resource.screen.key, rows, all)
      const errors = rows.map(async (row): Promise<[number, RowError[]]> => {
        const isHidden = isGuessing && row.values.leadPhone !== null
        return [row.no, isHidden ? [GUESSED] : await errorsOf(variant, row, all)]
      })
      return new Map(await Promise.all(errors))
    },
    async apply(op, rows, { title }) {
      const all = await known(op.tx, op.actor, rows)
      const sheets = rows.map(row => ({ sheet: sheetOf(row, all), lead: leadOf(row, all), batch: title }))
      const ids = await keepSheets(op, variant, sheets)
      for (const [at, { sheet }] of sheets.entries()) await logMade(op, resource, ids[at] as string, sheet)
      return ids
    },
    async undo({ tx }, ids) {
      await sql`delete from name_copybook where id = any(${ids}::bigint[])`.execute(tx)
    },
  })
}

type Asking = { readonly resource: SheetResource; readonly variant: Variant; readonly actor: Actor }
type Known = { readonly leads: Awaited<ReturnType<typeof leadsOf>>; readonly link: string | null }

/** What rows of a file are made with besides what they say: leads in sight, and the link that was used last. */
async function knownOf(db: Queries, { resource, variant, actor }: Asking, rows: readonly NameRow[]): Promise<Known> {
  const phones = rows.flatMap(({ values }) => values.leadPhone ?? [])
  return {
    leads: await leadsOf(db, actor, resource.screen.key, phones),
    link: hasLink(variant) ? await usualLink(db, variant, actor.id) : null,
  }
}

/** Numbers of a day that may be mistaken; more are tried out. */
const MISTAKEN: Gate = { kind: 'sheet-number', limit: 200, windowMs: 86_400_000 }
const GUESSED = { ...refuse('sales/name-sheet:numbers-guessed'), field: 'leadPhone' }

/**
 * Whether too many numbers of the day are no lead's in sight. Then nothing is told of any more of them, and all that is left of the day is
 * used up: that so many are too many would tell something of them, too.
 */
async function guesses(
  { app, actor, now, call }: Asked,
  page: string,
  rows: readonly NameRow[],
  { leads }: Known,
): Promise<boolean> {
  const named = rows.flatMap(({ values }) => values.leadPhone ?? [])
  if (named.length === 0) return false
  const unknown = named.filter(phone => !leads.has(phone)).length
  // One at least: where nothing is left, nothing is told of what is right either.
  const over = await spend(app.db.query, MISTAKEN, actor.id, Math.max(1, unknown), now)
  if (over && over.left > 0) await spend(app.db.query, MISTAKEN, actor.id, over.left, now)
  // Beside the numbers that are looked up one by one: how many it told of, or refused to.
  await record(app.db.query, call, {
    page,
    action: 'find-by-phone',
    diff: { rows: [null, named.length] },
    ...(over ? { code: CODES.validation } : {}),
  })
  return over !== undefined
}

const sheetOf = ({ values: { age, grid, lines, ...values } }: NameRow, { link }: Known): Sheet =>
  plain({ ...values, link, age: age ?? USUAL.age, grid: grid ?? USUAL.grid, lines: lines ?? USUAL.lines })

const leadOf = ({ values: { leadPhone } }: NameRow, { leads }: Known) =>
  leadPhone === null ? undefined : leads.get(leadPhone)

async function errorsOf(variant: Variant, row: NameRow, known: Known): Promise<RowError[]> {
  if (hasLink(variant) && known.link === null) return [refuse('sales/name-sheet:link-first')]
  const faults = Object.entries(await whyNotMade(variant, sheetOf(row, known)))
  const isLost = row.values.leadPhone !== null && !leadOf(row, known)
  return [
    ...faults.map(([field, refusal]) => ({ ...refusal, field })),
    ...(isLost ? [{ ...LEAD_UNKNOWN, field: 'leadPhone' }] : []),
  ]
}
