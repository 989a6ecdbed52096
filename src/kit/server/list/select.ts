import { columnOf } from '#kit/model/field.ts'
import { mask } from '#kit/model/mask.ts'
import { type Label, metaOf, type Reference, type Resource } from '#kit/model/resource.ts'
import type { Row } from '../database/database.ts'
import { type Declared, requireReference } from '../declared.ts'

/** A row as the engine gives it: fields by their wire names, personal data masked, labels of what it points at. */
export type ReadRow = Row & { labels: Record<string, Label> }

export type Selected = { readonly select: string; readonly joins: string; readonly read: (row: Row) => ReadRow }

/** The columns of a record under their wire names, the labels of its references (not for a `bareRow`), and how a row is read. */
export function selectOf(resource: Resource, catalogue: Pick<Declared, 'references'>, bareRow = false): Selected {
  const columns: string[] = []
  const joins: string[] = []
  const readers: ((from: Row, to: ReadRow) => void)[] = []
  for (const field of Object.keys(resource.record.shape)) {
    const meta = metaOf(resource, field)
    if (meta.kind === 'detail') continue
    columns.push(`t.${columnOf(field)} as "${field}"`)
    readers.push(readerOf(field, meta))
    if (meta.kind !== 'reference' || bareRow) continue
    const alias = `l${joins.length}`
    const reference = requireReference(catalogue, meta.to)
    joins.push(`left join ${reference.table} ${alias} on ${alias}.id = t.${columnOf(field)}`)
    columns.push(...labelColumns(reference, alias).map(([part, sql]) => `${sql} as "${field}:${part}"`))
    readers.push((from, to) => {
      if (from[field] != null) to.labels[field] = readLabel(reference, from, field)
    })
  }
  return {
    select: columns.join(', '),
    joins: joins.join(' '),
    read(from) {
      const row: ReadRow = { labels: {} }
      for (const reader of readers) reader(from, row)
      return row
    },
  }
}

/** As rows are read, with more of them masked where only a group's care shows them. */
export const inCare =
  ({ carer, care }: Pick<Resource, 'carer' | 'care'>, read: Selected['read']): Selected['read'] =>
  from => {
    const row = read(from)
    if (carer === undefined || row[carer] === null) return row
    for (const [field, kind] of Object.entries(care?.masks ?? {}))
      if (row[field] !== null) row[field] = mask(kind, String(row[field]))
    return row
  }

export const labelColumns = ({ label }: Reference, alias: string): [part: string, sql: string][] => [
  ['name', `${alias}.${label.name}`],
  ['note', label.note ? `${alias}.${label.note.column}` : 'null::text'],
  ['tone', label.tone ? `${alias}.${label.tone}` : 'null::text'],
]

export function readLabel(reference: Reference, from: Row, field: string): Label {
  const note = from[`${field}:note`]
  return {
    id: String(from[field]),
    name: String(from[`${field}:name`] ?? ''),
    note:
      note == null
        ? null
        : reference.label.note?.personal
          ? mask(reference.label.note.personal, String(note))
          : String(note),
    tone: (from[`${field}:tone`] as string | null) ?? null,
  }
}

function readerOf(field: string, meta: ReturnType<typeof metaOf>): (from: Row, to: ReadRow) => void {
  if (meta.kind === 'personal') {
    return (from, to) => {
      to[field] = from[field] == null ? null : mask(meta.personal, String(from[field]))
    }
  }
  if (meta.kind === 'money') {
    return (from, to) => {
      to[field] = from[field] == null ? null : Number(from[field])
    }
  }
  return (from, to) => {
    to[field] = from[field] ?? null
  }
}
