import { scopeOf } from '#kit/model/actor.ts'
import { type DescribedValue, type FieldMeta, type Right, valuesIn } from '#kit/model/field.ts'
import { type Refusal, refuse, refusedFields } from '#kit/model/refusal.ts'
import type { Shape } from '#kit/model/resource.ts'
import { dayOf } from '#kit/model/time.ts'
import { holdersSql } from '../access/rights.ts'
import { type Row, run } from '../database/database.ts'
import { requireReference } from '../declared.ts'
import { binder, offeredSql, peopleSql, scopeAmong, scopeSql } from '../list/scope.ts'
import { dictionaryKept } from './dictionary-entries.ts'
import type { Operation } from './operation.ts'
import { ask } from './question.ts'

/**
 * What a person gave points only at records that person may choose, and names only entries of dictionaries that are on
 * offer, at whatever depth of lists it stands. What the record holds already may stay, though it is no longer
 * offered. Missing and out of sight are refused alike: nobody learns what is there.
 */
export async function requireOffered(op: Operation, form: Form, given: Row, held?: Held): Promise<void> {
  const { page, shape } = form
  const kept = new Set(held ? [...allIn(held.shape, held.row)].map(named) : [])
  const entered = [...allIn(shape, given)].filter(value => !kept.has(named(value)))
  const fields: Record<string, Refusal> = {}
  for (const [what, values] of Map.groupBy(entered, choiceOf)) {
    if (what === undefined) continue
    const whyNot = await refusalsOf(op, page, values)
    for (const { path, value } of values) {
      const refusal = whyNot(String(value))
      if (refusal) fields[path] ??= refusal
    }
  }
  if (Object.keys(fields).length > 0) throw refusedFields(fields, 'validation')
}

/** The page a form stands on, and its fields. */
type Form = { readonly page: string; readonly shape: Shape }
/** The record that is being changed, as it is stored. */
type Held = { readonly shape: Shape; readonly row: Row }

function* allIn(shape: Shape, row: Row): Generator<DescribedValue> {
  for (const [field, schema] of Object.entries(shape)) yield* valuesIn(schema, row[field], field)
}

/** What a value is chosen from, by a name of its own; nothing for what is typed. */
function choiceOf({ meta }: DescribedValue): string | undefined {
  if (meta.kind === 'reference') return `${meta.among} ${sourceOf(meta)}`
  // Names no dictionary explains are anybody's.
  if ((meta.kind === 'dictionary' || meta.kind === 'tags') && meta.code !== '') return `dictionary ${meta.code}`
}

/** Whoever stands on a record for one job is not thereby chosen for another. */
const sourceOf = ({ to, holding }: Referring): string => (holding ? `${to} ${holding.page}:${holding.action}` : to)
type Referring = Extract<FieldMeta, { kind: 'reference' }>

const named = ({ meta, value }: DescribedValue): string =>
  meta.kind === 'reference' ? `${sourceOf(meta)} ${value}` : `${'code' in meta ? meta.code : ''} ${value}`

type WhyNot = (value: string) => Refusal | undefined

/** Why each of the values, all chosen from the same, may not be chosen. */
async function refusalsOf(op: Operation, page: string, values: readonly DescribedValue[]): Promise<WhyNot> {
  const meta = values[0]?.meta
  const given = values.map(({ value }) => String(value))
  if (meta?.kind === 'reference') {
    if (meta.holding) return colleaguesRefused(op, meta.holding, given)
    const offered = await offeredRecords(op, page, meta, given)
    return id => (offered.has(id) ? undefined : refuse('kit:not-to-choose'))
  }
  const code = meta && 'code' in meta ? meta.code : ''
  const entries = await ask(op.app, dictionaryKept, { db: op.tx, codes: [code], values: given })
  const offered = new Set(entries.filter(({ enabled }) => enabled).map(({ value }) => value))
  return value => (offered.has(value) ? undefined : refuse('kit:field-no-choice'))
}

/** Work goes to people who are here, whose job it is, and who are within the reach of whoever gives it. */
async function colleaguesRefused(op: Operation, right: Right, ids: readonly string[]): Promise<WhyNot> {
  const { bind, values } = binder()
  const rows = await run(
    op.tx,
    `select t.id, t.status = 'ENABLED' as here, t.id in (${holdersSql(right, bind)}) as holds,
       ${peopleSql(scopeOf(op.actor, right.page), bind) || 'true'} as reached
     from staff t where t.id = any(${bind(ids)}::bigint[])`,
    values,
  )
  const known = new Map(rows.map(row => [String(row.id), row]))
  return id => {
    const person = known.get(id)
    if (!person?.here) return refuse('kit:not-to-choose')
    if (!person.holds) return refuse('kit:colleague-other-job')
    if (!person.reached) return refuse('kit:colleague-out-of-reach')
  }
}

async function offeredRecords(
  op: Operation,
  page: string,
  { to, among }: Referring,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const reference = requireReference(op.app.catalogue, to)
  // In sight is what one sees on the form's own page, and what one sees in its list.
  const own = op.app.catalogue.slices.flatMap(({ resource }) =>
    resource?.table === reference.table ? resource.screen.key : [],
  )
  const { bind, values } = binder()
  const parts = [`t.id = any(${bind(ids)}::bigint[])`]
  // A shared table has no rows of others: whoever may take the action may name any of them.
  if (reference.scope === 'owned') parts.push(scopeSql(reference, scopeAmong([page, ...own], op.actor), bind))
  if (among === 'offered') parts.push(offeredSql(reference, dayOf(op.now), bind))
  const where = parts.filter(part => part !== '').join(' and ')
  const rows = await run(op.tx, `select t.id from ${reference.table} t where ${where}`, values)
  return new Set(rows.map(({ id }) => String(id)))
}
