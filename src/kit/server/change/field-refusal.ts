import type * as z from 'zod'
import { type FieldKind, type FieldMeta, knownMeta, partAt } from '#kit/model/field.ts'
import { formatFen, formatShare } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** What stands at a path of a body, however deep: an amount is spoken of in other words than a count. */
export const metaAt = (schema: z.ZodType, path: readonly PropertyKey[]): FieldMeta | undefined => {
  let [at, meta]: [z.ZodType | undefined, FieldMeta | undefined] = [schema, knownMeta(schema)]
  for (const step of path) {
    at = at && partAt(at, step)
    // What stands in a list of files or tags is spoken of as the list is.
    meta = (at && knownMeta(at)) ?? (typeof step === 'number' ? meta : undefined)
  }
  return meta
}

/** A bound as people enter what it bounds: that of the field, for a number past all numbers is told of another. */
function bound(meta: FieldMeta | undefined, found: number): string | number {
  const value =
    meta?.kind === 'money' || meta?.kind === 'number' ? Math.max(meta.min, Math.min(meta.max, found)) : found
  if (meta?.kind === 'money') return formatFen(value)
  return meta?.kind === 'number' && meta.isShare ? formatShare(value) : value
}

/** What a schema finds wrong with a value, said as a refusal. The issue must carry the value (`reportInput`). */
export function refusalOf(issue: z.core.$ZodIssue, meta: FieldMeta | undefined): Refusal {
  if (issue.code === 'unrecognized_keys') return refuse('kit:field-unknown')
  if (isEmpty(issue.input)) return refuse('kit:field-missing')
  const wrong = WRONG[meta?.kind ?? 'id']
  switch (issue.code) {
    case 'too_small':
      // An empty list of one or more is a field left out.
      if (issue.origin === 'array' && Array.isArray(issue.input) && issue.input.length === 0)
        return refuse('kit:field-missing')
      return issue.origin === 'string'
        ? refuse('kit:field-too-short', { min: Number(issue.minimum) })
        : refuse('kit:field-too-small', { min: bound(meta, Number(issue.minimum)) })
    case 'too_big':
      return issue.origin === 'string'
        ? refuse('kit:field-too-long', { max: Number(issue.maximum) })
        : refuse('kit:field-too-big', { max: bound(meta, Number(issue.maximum)) })
    case 'invalid_value':
      return refuse('kit:field-no-choice')
    case 'invalid_type':
      return refuse(
        wrong ??
          (issue.expected === 'int' || issue.expected === 'number' ? 'kit:field-no-number' : 'kit:field-invalid'),
      )
    case 'custom':
      // A check of our own says why itself (kit/model/field.ts).
      return (issue.params?.refusal as Refusal | undefined) ?? refuse('kit:field-invalid')
    case 'invalid_format':
      return refuse(wrong ?? (issue.format === 'date' ? 'kit:field-no-day' : 'kit:field-invalid'))
    default:
      return refuse('kit:field-invalid')
  }
}

/** What people did not do right, where the form of a value is nothing they see. */
const WRONG: Readonly<Partial<Record<FieldKind, string>>> = {
  money: 'kit:field-no-money',
  reference: 'kit:field-no-choice',
  choice: 'kit:field-no-choice',
  dictionary: 'kit:field-no-choice',
  tags: 'kit:field-no-choice',
  day: 'kit:field-no-day',
  instant: 'kit:field-no-day',
  files: 'kit:file-missing',
}

/** Nothing but spaces says as little as nothing. */
const isEmpty = (input: unknown): boolean =>
  input === undefined || input === null || (typeof input === 'string' && input.trim() === '')
