import { type DescribedValue, valuesIn } from '#kit/model/field.ts'
import { type Refusal, refuse, refusedFields } from '#kit/model/refusal.ts'
import type { Shape } from '#kit/model/resource.ts'
import { type Row, run, type Tx } from '../database/database.ts'
import { requireReference } from '../declared.ts'
import { binder, scopeAmong, scopeSql } from '../list/scope.ts'
import type { Operation } from './operation.ts'

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
    const offered = await offeredOf(op, page, what, values)
    for (const { path, value } of values)
      if (!offered.has(String(value)))
        fields[path] ??= refuse(what.startsWith('dictionary ') ? 'kit:field-no-choice' : 'kit:not-to-choose')
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
  if (meta.kind === 'reference') return `${meta.among} ${meta.to}`
  // Names no dictionary explains are anybody's.
  if ((meta.kind === 'dictionary' || meta.kind === 'tags') && meta.code !== '') return `dictionary ${meta.code}`
}

const named = (value: DescribedValue): string => `${choiceOf(value)?.split(' ')[1]} ${value.value}`

/** Those of the values that may be chosen. */
async function offeredOf(
  op: Operation,
  page: string,
  choice: string,
  values: readonly DescribedValue[],
): Promise<ReadonlySet<string>> {
  const [from, name = ''] = choice.split(' ')
  const given = values.map(({ value }) => String(value))
  if (from !== 'dictionary') return offeredRecords(op, page, name, given, from === 'offered')
  const entries = await entriesAmong(op.tx, name, given)
  return new Set(entries.filter(({ enabled }) => enabled).map(({ value }) => value))
}

/** Those of the values that are entries of a dictionary. */
export const entriesAmong = (tx: Tx, code: string, values: readonly string[]) =>
  tx
    .selectFrom('dictionary_item as i')
    .innerJoin('dictionary_type as t', 't.id', 'i.type_id')
    .select(['i.value', 'i.enabled'])
    .where('t.code', '=', code)
    .where('i.value', 'in', values)
    .execute()

async function offeredRecords(
  op: Operation,
  page: string,
  name: string,
  ids: readonly string[],
  onlyOffered: boolean,
): Promise<ReadonlySet<string>> {
  const reference = requireReference(op.app.catalogue, name)
  // In sight is what one sees on the form's own page, and what one sees in its list.
  const own = op.app.catalogue.slices.flatMap(({ resource }) =>
    resource?.table === reference.table ? resource.screen.key : [],
  )
  const { bind, values } = binder()
  const parts = [`t.id = any(${bind(ids)}::bigint[])`]
  // A shared table has no rows of others: whoever may take the action may name any of them.
  if (reference.scope === 'owned') parts.push(scopeSql(reference, scopeAmong([page, ...own], op.actor), bind))
  if (onlyOffered && reference.offered)
    parts.push(`t.${reference.offered.column} = any(${bind(reference.offered.values)}::text[])`)
  const where = parts.filter(part => part !== '').join(' and ')
  const rows = await run(op.tx, `select t.id from ${reference.table} t where ${where}`, values)
  return new Set(rows.map(({ id }) => String(id)))
}
