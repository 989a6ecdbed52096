import { sql } from 'kysely'
import { cardsOf } from '#areas/sales/chat-account/cards.server.ts'
import { codeOf } from '#engines/copybook/code.server.ts'
import type { SheetWords } from '#engines/copybook/head.model.ts'
import { linkFault, plainName } from '#engines/copybook/order.model.ts'
import { faultsOf, makeSheet } from '#engines/copybook/server.ts'
import { type Actor, scopeOf } from '#kit/model/actor.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { run } from '#kit/server/database/database.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { type Entered, hasLink, hasVerse, type NameSheet, type SheetResource, type Variant } from './fields.model.ts'

/** What is said on paper: whoever learns to write by it reads Chinese, whatever is spoken where it was made. */
const ON_PAPER = 'zh-CN'
const TEXTS = 'sales/name-sheet'

/** As it is stored: the name as it is written, the rest as it was entered. */
export type Sheet = Omit<Entered, 'name'> & {
  readonly name: string
  readonly verse: string
  readonly link: string | null
}
export const plain = ({ name, verse = '', link = null, ...rest }: Entered): Sheet => ({
  ...rest,
  name: plainName(name ?? ''),
  verse,
  link,
})

/** Why a sheet cannot be made, by field. */
export async function whyNotMade(variant: Variant, sheet: Sheet): Promise<Readonly<Record<string, Refusal>>> {
  const verse = hasVerse(variant) && sheet.verse === '' ? refuse(`${TEXTS}:verse-missing`) : undefined
  const link = hasLink(variant) ? linkFault(sheet.link ?? '') : undefined
  return { ...(verse ? { verse } : {}), ...(await faultsOf(sheet)), ...(link ? { link } : {}) }
}

export const pagesOf = (app: App, variant: Variant, sheet: Sheet) =>
  makeSheet(sheet, wordsOf(app, variant, sheet.name), sheet.link === null ? undefined : codeOf(sheet.link))

/** The sheet of a record, whose name may have been forgotten meanwhile. */
export function recorded({ name, ...row }: NameSheet): Sheet {
  if (name === null) throw new Refused(refuse(`${TEXTS}:name-forgotten`))
  return { ...row, name }
}

function wordsOf({ texts }: App, variant: Variant, name: string): SheetWords {
  const say = (key: string, params?: Readonly<Record<string, string | number>>) =>
    texts.text(ON_PAPER, TEXTS, `paper.${key}`, params)
  return {
    title: say('title', { name }),
    blanks: [say('class'), say('date'), say('score')],
    caption: hasLink(variant) ? say(variant === 'ACCOUNT' ? 'scan-account' : 'scan-consultant') : '',
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

type NewSheet = { readonly sheet: Sheet; readonly lead: Lead | undefined; readonly batch: string | null }

/** Keeps what is made, in the hands of whoever the lead is in; gives the ids in their order. */
export async function keepSheets(
  { tx, actor, now }: Operation,
  variant: Variant,
  sheets: readonly NewSheet[],
): Promise<string[]> {
  const rows = sheets.map(({ sheet, lead, batch }, no) => ({
    ...{ no, variant, batch, name: sheet.name, lead_phone: lead ? sheet.leadPhone : null, lead_id: lead?.id ?? null },
    ...{ age: sheet.age, grid: sheet.grid, lines: sheet.lines, verse: sheet.verse, link: sheet.link },
    ...{ owner_id: lead?.ownerId ?? actor.id, org_id: lead?.orgId ?? actor.orgId, made_by: actor.id },
  }))
  const { rows: kept } = await sql<{ id: string }>`
    insert into name_copybook (variant, name, lead_phone, lead_id, age, grid, lines, verse, link, batch, made_by, owner_id, org_id, created_at)
    select r.variant, r.name, r.lead_phone, r.lead_id, r.age, r.grid, r.lines, r.verse, r.link, r.batch, r.made_by, r.owner_id, r.org_id, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (no int, variant text, name text, lead_phone text, lead_id bigint, age text,
      grid text, lines int, verse text, link text, batch text, made_by bigint, owner_id bigint, org_id bigint)
    order by r.no returning id`.execute(tx)
  return kept.map(({ id }) => id)
}

export async function logMade(op: Operation, resource: SheetResource, id: string, sheet: Sheet): Promise<void> {
  const diff = diffOf(resource, {}, sheet)
  await record(op.tx, op.call, { page: resource.screen.key, action: 'make', recordId: id, diff })
}

/** Whether the code leads to whoever makes the sheet, and not to the school's account. */
export const isOwn = (variant: Variant): boolean => variant !== 'ACCOUNT'

/**
 * Where a code usually leads: to the chat account the consultant works with, the one used last where there are several. Who has none
 * goes on with the link used last; the school's account is whatever a sheet was made with last, by anybody.
 */
export async function usualLink(db: Queries, variant: Variant, staffId: string): Promise<string | null> {
  const among: readonly Variant[] = isOwn(variant) ? ['CONSULTANT', 'VERSE'] : ['ACCOUNT']
  const { rows } = await sql<{ link: string }>`
    select link from name_copybook where variant = any(${among}::text[]) and link is not null
      and (${!isOwn(variant)} or made_by = ${staffId}) order by id desc limit 1`.execute(db)
  const last = rows[0]?.link ?? null
  const cards = isOwn(variant) ? await cardsOf(db, staffId) : []
  return cards.some(({ link }) => link === last) ? last : (cards[0]?.link ?? last)
}
