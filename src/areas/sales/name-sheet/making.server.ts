import { sql } from 'kysely'
import type { SheetWords } from '#engines/copybook/head.model.ts'
import { plainName, type SheetOrder } from '#engines/copybook/order.model.ts'
import { faultsOf, makeSheet } from '#engines/copybook/server.ts'
import { type Actor, scopeOf } from '#kit/model/actor.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { run } from '#kit/server/database/database.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import type { Entered, NameSheet, SheetResource, Variant } from './fields.model.ts'

/** What is said on paper: whoever learns to write by it reads Chinese, whatever is spoken where it was made. */
const ON_PAPER = 'zh-CN'
const TEXTS = 'sales/name-sheet'

/** As it is stored: the name as it is written, the rest as it was entered. */
export type Sheet = Omit<Entered, 'name'> & { readonly name: string }
export const plain = ({ name, ...rest }: Entered): Sheet => ({ ...rest, name: plainName(name ?? '') })

/** Why a sheet cannot be made, by field. */
export const whyNotMade = (sheet: Sheet): Promise<Readonly<Record<string, Refusal>>> => faultsOf(orderOf(sheet))

const orderOf = ({ name, grid, age, lines }: Sheet): SheetOrder => ({ name, verse: '', grid, age, lines })

export const pagesOf = (app: App, sheet: Sheet) => makeSheet(orderOf(sheet), wordsOf(app, sheet.name))

/** The sheet of a record, whose name may have been forgotten meanwhile. */
export function recorded({ name, ...row }: NameSheet): Sheet {
  if (name === null) throw new Refused(refuse(`${TEXTS}:name-forgotten`))
  return { ...row, name }
}

function wordsOf({ texts }: App, name: string): SheetWords {
  const say = (key: string, params?: Readonly<Record<string, string | number>>) =>
    texts.text(ON_PAPER, TEXTS, `paper.${key}`, params)
  return {
    title: say('title', { name }),
    blanks: [say('class'), say('date'), say('score')],
    caption: '',
    unordered: say('unordered'),
    strokes: count => say('strokes', { count }),
    page: (page, pages) => say('page', { page, pages }),
  }
}

export const fileName = (app: App, name: string, ending: string): string =>
  `${app.texts.text(ON_PAPER, TEXTS, 'paper.title', { name })}.${ending}`

type Lead = { readonly id: string; readonly ownerId: string; readonly orgId: string }

/** Open leads by their numbers, as far as they are in sight of whoever asks; of others nothing is told, not even that there are any. */
export async function leadsOf(
  db: Queries,
  actor: Actor,
  page: string,
  phones: readonly string[],
): Promise<ReadonlyMap<string, Lead>> {
  if (phones.length === 0) return new Map()
  const { bind, values } = binder()
  const reached = scopeSql({ scope: 'owned' }, scopeOf(actor, page), bind) || 'true'
  const rows = await run(
    db,
    `select t.id, t.phone, t.owner_id as "ownerId", t.org_id as "orgId" from lead t
     where t.phone = any(${bind(phones)}::text[]) and t.ended_at is null and t.owner_id is not null and ${reached}`,
    values,
  )
  return new Map(
    rows.map(({ id, phone, ownerId, orgId }) => [
      String(phone),
      { id: String(id), ownerId: String(ownerId), orgId: String(orgId) },
    ]),
  )
}

export const LEAD_UNKNOWN = refuse(`${TEXTS}:lead-unknown`)

export type NewSheet = { readonly sheet: Sheet; readonly lead: Lead | undefined; readonly batch: string | null }

/** Keeps what is made, in the hands of whoever the lead is in; gives the ids in their order. */
export async function keepSheets(
  { tx, actor, now }: Operation,
  variant: Variant,
  sheets: readonly NewSheet[],
): Promise<string[]> {
  const rows = sheets.map(({ sheet, lead, batch }, no) => ({
    ...{ no, variant, batch, name: sheet.name, lead_phone: lead ? sheet.leadPhone : null, lead_id: lead?.id ?? null },
    ...{ age: sheet.age, grid: sheet.grid, lines: sheet.lines },
    ...{ owner_id: lead?.ownerId ?? actor.id, org_id: lead?.orgId ?? actor.orgId, made_by: actor.id },
  }))
  const { rows: kept } = await sql<{ id: string }>`
    insert into name_copybook (variant, name, lead_phone, lead_id, age, grid, lines, batch, made_by, owner_id, org_id, created_at)
    select r.variant, r.name, r.lead_phone, r.lead_id, r.age, r.grid, r.lines, r.batch, r.made_by, r.owner_id, r.org_id, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (no int, variant text, name text, lead_phone text, lead_id bigint, age text,
      grid text, lines int, batch text, made_by bigint, owner_id bigint, org_id bigint)
    order by r.no returning id`.execute(tx)
  return kept.map(({ id }) => id)
}

export async function logMade(op: Operation, resource: SheetResource, id: string, sheet: Sheet): Promise<void> {
  const diff = diffOf(resource, {}, sheet)
  await record(op.tx, op.call, { page: resource.screen.key, action: 'make', recordId: id, diff })
}
