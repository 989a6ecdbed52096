import { metaOf, type Resource } from '#kit/model/resource.ts'
import { isMissing } from '../field/show.tsx'
import type { Row } from '../list/list-state.ts'
import type { Shows } from './detail-types.ts'

/** What needs the whole width: texts people wrote, pictures, tables. */
const WIDE: ReadonlySet<string> = new Set(['long-text', 'detail', 'files', 'lines'])
const MOST_FACTS = 6

export const read = (row: Row, field: string): unknown => (row as Record<string, unknown>)[field]
export const isWide = (resource: Resource, field: string): boolean => WIDE.has(metaOf(resource, field).kind)

/** What orders or counts other things is told by those; so is the place in a tree. */
export const isInternal = ({ internal, tree }: Resource, field: string): boolean =>
  field === tree?.sort || (internal?.includes(field) ?? false)

export type Placed = {
  /** First line: what people look for, and what they decide by is named by (`brief`), filled up from the list. */
  readonly facts: readonly string[]
  /** What a decision is made by, whole. */
  readonly evidence: readonly string[]
  readonly others: readonly string[]
  /** Without a value, or a no: folded away. */
  readonly empty: readonly string[]
}

/** Where each field of a record stands in its detail, each once. Title and state stand in the heading. */
export function placeFields(resource: Resource, shows: Shows, row: Row): Placed {
  const { title, brief, list } = resource
  const shown = Object.keys(resource.record.shape).filter(field => {
    const { kind } = metaOf(resource, field)
    return kind !== 'id' && kind !== 'version' && (kind !== 'detail' || field in shows)
  })
  const told = shown.filter(field => field !== title && field !== list.tabs && !isInternal(resource, field))
  // What does not apply is no news either.
  const known = told.filter(field => !isMissing(read(row, field)) && read(row, field) !== false)
  const evidence = (resource.evidence ?? told.filter(field => isWide(resource, field))).filter(field =>
    known.includes(field),
  )
  const facts = [...new Set([...brief, ...list.columns])]
    .filter(field => known.includes(field))
    .filter(field => !isWide(resource, field) && !evidence.includes(field))
    .slice(0, MOST_FACTS)
  const placed = new Set([...facts, ...evidence])
  // Short facts side by side, then whatever needs the whole width.
  const others = known.filter(field => !placed.has(field))
  return {
    facts,
    evidence,
    others: [...others.filter(field => !isWide(resource, field)), ...others.filter(field => isWide(resource, field))],
    empty: told.filter(field => !known.includes(field)),
  }
}
