import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { differences } from '#kit/model/difference.ts'
import { type Body, isContent } from '#kit/model/edition.ts'
import { columnOf } from '#kit/model/field.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { type Editions, metaOf, type Resource } from '#kit/model/resource.ts'
import type { Row, Tx } from '../database/database.ts'
import { run } from '../database/database.ts'
import type { Invariant } from './invariants.ts'
import type { Operation } from './operation.ts'
import { writeChange } from './step.ts'

/** A resource that is published in editions. */
export type Published = Resource & { readonly editions: Editions }

export type BodyRules = {
  /**
   * Refuses what makes no sense and completes what was entered: asked of every draft, and again before it is published. Where an
   * older edition is restored, which one person does alone, it is told how the record stands.
   */
  complete?(op: Operation, body: Body, standing?: Row): Promise<Body>
  /** Why a record that may wait as a draft cannot be published as it would say then. */
  unready?(drafted: Body, op: Operation): Refusal | undefined | Promise<Refusal | undefined>
}

export type Draft = { readonly id: string; readonly base: number; readonly body: Body }

/** The record as rules see it. */
type Standing = { readonly edition: number; readonly status: string }
const standingOf = (row: Row) => row as Standing

export async function draftOf(tx: Tx, { editions }: Published, id: string): Promise<Draft | undefined> {
  const [draft] = await run(
    tx,
    `select id, base, body from ${editions.table} where ${editions.by} = $1 and state = 'DRAFT'`,
    [id],
  )
  return draft as Draft | undefined
}

export async function bodyOf(tx: Tx, { editions }: Published, id: string, edition: number): Promise<Body | undefined> {
  const [found] = await run(tx, `select body from ${editions.table} where ${editions.by} = $1 and edition = $2`, [
    id,
    edition,
  ])
  return found?.body as Body | undefined
}

const isSame = (resource: Published, one: Body, other: Body): boolean =>
  differences(resource, resource.edit, one, other).length === 0

/** What a record is called and measured by is there from the start; what it consists of comes with its first edition. */
export const withoutContent = (resource: Published, body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      isContent(resource, field) ? emptyOf(resource, field) : value,
    ]),
  )

function emptyOf({ editions, record }: Published, field: string): unknown {
  if (field in editions.lines) return []
  return record.shape[field] instanceof z.ZodNullable ? null : ''
}

/** Keeps what was entered as the draft of the record, made from what is published now; nothing of the record changes but its state. */
export async function saveDraft(op: Operation, resource: Published, rules: BodyRules, row: Row, entered: Body) {
  const id = String(row.id)
  const { edition, status } = standingOf(row)
  const body = (await rules.complete?.(op, entered)) ?? entered
  const published = await bodyOf(op.tx, resource, id, edition)
  // Whoever puts everything back as it is published has nothing to publish.
  const isIdle = published !== undefined && isSame(resource, body, published)
  if (!isIdle && (await isDrafted(op, resource, id, edition, body))) return
  if (isIdle) await discardDraft(op, resource, id)
  else await writeDraft(op, resource, id, edition, body)
  const next = edition === 0 ? status : isIdle ? 'PUBLISHED' : 'CHANGED'
  const plain = edition === 0 ? withoutContent(resource, body) : {}
  await writeChange(op, resource, row, { ...plain, status: next }, 'saveDraft')
}

/** Whoever only saves what is drafted already has written nothing of it, and is not its author. */
async function isDrafted({ tx }: Operation, resource: Published, id: string, edition: number, body: Body) {
  const draft = await draftOf(tx, resource, id)
  return draft?.base === edition && isDeepStrictEqual(JSON.parse(JSON.stringify(body)), draft.body)
}

export async function writeDraft(op: Operation, { editions }: Published, id: string, base: number, body: Body) {
  const { table, by } = editions
  await run(
    op.tx,
    `insert into ${table} as t (${by}, state, base, body, drafted_by, drafted_at, authors)
     values ($1, 'DRAFT', $2, $3, $4, $5, array[$4::bigint])
     on conflict (${by}) where state = 'DRAFT' do update set
       base = excluded.base, body = excluded.body, drafted_by = excluded.drafted_by, drafted_at = excluded.drafted_at,
       authors = array(select distinct unnest(t.authors || t.drafted_by || excluded.drafted_by))`,
    [id, base, JSON.stringify(body), op.actor.id, op.now],
  )
}

export async function discardDraft({ tx }: Operation, { editions }: Published, id: string): Promise<void> {
  const { table, by } = editions
  await run(tx, `update ${table} set state = 'DISCARDED' where ${by} = $1 and state = 'DRAFT'`, [id])
}

/** The draft that was thrown away last is the draft again. */
export async function reopenDraft({ tx }: Operation, { editions }: Published, id: string): Promise<void> {
  const { table, by } = editions
  await run(
    tx,
    `update ${table} set state = 'DRAFT' where id = (
       select id from ${table} where ${by} = $1 and state = 'DISCARDED' order by id desc limit 1)`,
    [id],
  )
}

/** Why a draft begun from one edition is not published over another: its author has not seen that one. */
export const whyNotOver = (base: number, edition: number): Refusal | undefined =>
  base === edition ? undefined : refuse('kit:published-meanwhile', { edition, base })

/** The draft becomes the next edition and the record says what it says; gives the fields that are stored with the state. */
export async function publishDraft(op: Operation, resource: Published, rules: BodyRules, row: Row): Promise<Row> {
  const id = String(row.id)
  const { edition } = standingOf(row)
  const draft = await draftOf(op.tx, resource, id)
  if (!draft) throw new Refused(refuse('kit:draft-missing'))
  const stale = whyNotOver(draft.base, edition)
  if (stale) throw new Refused(stale)
  const body = await readyBody(op, resource, rules, row, draft.body)
  const { table } = resource.editions
  await supersede(op, resource, id)
  await run(
    op.tx,
    `update ${table} set state = 'PUBLISHED', edition = $2, body = $3, published_by = $4, published_at = $5 where id = $1`,
    [draft.id, edition + 1, JSON.stringify(body), op.actor.id, op.now],
  )
  return putIntoForce(op, resource, id, body, edition + 1)
}

/** An older edition is published again, under a new number. A draft stays, and has to be looked at before it is published. */
export async function restoreEdition(
  op: Operation,
  resource: Published,
  rules: BodyRules,
  row: Row,
  wanted: { readonly edition: number; readonly current: number; readonly reason: string },
): Promise<void> {
  const id = String(row.id)
  const { edition } = standingOf(row)
  // What would change was shown against the edition that was current then.
  if (wanted.current !== edition) throw new Refused(refuse('kit:restored-meanwhile', { edition, base: wanted.current }))
  const stored = await bodyOf(op.tx, resource, id, wanted.edition)
  if (!stored) throw new Refused(refuse('kit:edition-missing', { edition: wanted.edition }))
  const body = await readyBody(op, resource, rules, row, stored, row)
  const published = await bodyOf(op.tx, resource, id, edition)
  if (published && isSame(resource, body, published))
    throw new Refused(refuse('kit:edition-same', { edition: wanted.edition, published: edition }))
  const { table, by } = resource.editions
  await supersede(op, resource, id)
  await run(
    op.tx,
    `insert into ${table} (${by}, state, base, restores, body, edition, drafted_by, drafted_at, published_by, published_at)
     values ($1, 'PUBLISHED', $2, $3, $4, $5, $6, $7, $6, $7)`,
    [id, edition, wanted.edition, JSON.stringify(body), edition + 1, op.actor.id, op.now],
  )
  const fields = await putIntoForce(op, resource, id, body, edition + 1)
  await writeChange(op, resource, row, fields, 'restore', { reason: wanted.reason })
}

/** What was stored once is judged by the rules of today; there is no form to say it beside. */
async function readyBody(
  op: Operation,
  resource: Published,
  rules: BodyRules,
  row: Row,
  stored: Body,
  standing?: Row,
): Promise<Body> {
  const shape = Object.fromEntries(resource.edit.map(field => [field, resource.record.shape[field] as z.ZodType]))
  const read = z.strictObject(shape).safeParse(stored)
  if (!read.success) throw new Refused(refuse('kit:edition-unreadable'))
  const body = await spoken(async () => (await rules.complete?.(op, read.data, standing)) ?? read.data)
  const refusal = await rules.unready?.({ ...row, ...body }, op)
  if (refusal) throw new Refused(refusal)
  return body
}

async function spoken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refused && error.kind === 'validation' ? new Refused(error.refusal) : error
  }
}

async function supersede({ tx }: Operation, { editions }: Published, id: string): Promise<void> {
  const { table, by } = editions
  await run(tx, `update ${table} set state = 'SUPERSEDED' where ${by} = $1 and state = 'PUBLISHED'`, [id])
}

/** Lines only the detail reads are columns of the record all the same; the other fields are stored by whoever logs them. */
async function putIntoForce(op: Operation, resource: Published, id: string, body: Body, edition: number): Promise<Row> {
  const kept = Object.keys(body).filter(field => metaOf(resource, field).kind === 'detail')
  for (const field of kept)
    await run(op.tx, `update ${resource.table} set ${columnOf(field)} = $2 where id = $1`, [
      id,
      JSON.stringify(body[field]),
    ])
  const plain = Object.fromEntries(Object.entries(body).filter(([field]) => !kept.includes(field)))
  return { ...plain, edition }
}

/** What must always be true of a record and its editions; the constraints of the table say the rest. */
export const editionInvariants = ({ table, editions, edit }: Published): Invariant[] => [
  {
    name: `${table}: editions are counted without a gap, the newest is the published one, and a draft waits where the state says so`,
    query: `
      select t.id, t.edition, t.status from ${table} t left join ${editions.table} e on e.${editions.by} = t.id
      group by t.id having t.edition <> count(e.edition) or t.edition <> coalesce(max(e.edition), 0)
        or t.edition <> coalesce(max(e.edition) filter (where e.state = 'PUBLISHED'), 0)
        or (t.edition = 0) <> (t.status = 'DRAFT')
        or (count(*) filter (where e.state = 'DRAFT') = 0) <> (t.status = 'PUBLISHED')`,
  },
  {
    name: `${table}: a record says what its published edition says`,
    query: `
      select t.id, t.edition from ${table} t join ${editions.table} e on e.${editions.by} = t.id and e.state = 'PUBLISHED'
      where ${edit.map(field => `${told(editions, field, `coalesce(to_jsonb(t.${columnOf(field)}), 'null')`)} is distinct from ${told(editions, field, `e.body -> '${field}'`)}`).join(' or ')}`,
  },
  {
    name: `${table}: a draft was begun from an edition there is`,
    query: `
      select e.id, e.base from ${editions.table} e join ${table} t on t.id = e.${editions.by}
      where e.state = 'DRAFT' and e.base > t.edition`,
  },
]

/** A value as it is compared: of lines what tells them apart and what is told of them, in their order. */
function told(editions: Editions, field: string, value: string): string {
  const known = editions.lines[field]
  if (!known) return value
  const parts = [known.key, ...Object.keys(known.parts)].map(part => `'${part}', l -> '${part}'`).join(', ')
  return `(select jsonb_agg(jsonb_build_object(${parts}) order by n) from jsonb_array_elements(${value}) with ordinality lines (l, n))`
}
