import type { Values } from './values.ts'

export type Merged = {
  /** What is to be saved; where both sides changed a field differently, still one's own. */
  readonly values: Values
  /** Fields only the others changed. */
  readonly taken: readonly string[]
  /** Fields both changed, each to something else: a person decides. */
  readonly asked: readonly string[]
}

/** Three versions become one: what was read, what was made of it here, and what others made of it meanwhile. */
export function merge(fields: readonly string[], base: Values, mine: Values, theirs: Values): Merged {
  const isTheirs = (field: string) => !isSame(base[field], theirs[field]) && !isSame(mine[field], theirs[field])
  const taken = fields.filter(field => isTheirs(field) && isSame(base[field], mine[field]))
  return {
    values: Object.fromEntries(fields.map(field => [field, (taken.includes(field) ? theirs : mine)[field]])),
    taken,
    asked: fields.filter(field => isTheirs(field) && !taken.includes(field)),
  }
}

/** Whether two values of a field say the same: nothing is nothing, however it is written. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(plain(one)) === JSON.stringify(plain(other))

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:/

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plain)
  if (typeof value === 'string') {
    const text = value.trim()
    return text === '' ? null : INSTANT.test(text) ? Date.parse(text) : text
  }
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]) => [key, plain(part)] as const)
      .filter(([, part]) => part !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
