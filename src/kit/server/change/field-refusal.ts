import type * as z from 'zod'
import { type FieldKind, kindOf, partAt } from '#kit/model/field.ts'
import { formatFen } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** What kind of field stands at a path of a body, however deep: an amount is spoken of in other words than a count. */
export const kindAt = (schema: z.ZodType, path: readonly PropertyKey[]): FieldKind | undefined => {
  let [at, kind]: [z.ZodType | undefined, FieldKind | undefined] = [schema, kindOf(schema)]
  for (const step of path) {
    at = at && partAt(at, step)
    // What stands in a list of files or tags is spoken of as the list is.
    kind = (at && kindOf(at)) ?? (typeof step === 'number' ? kind : undefined)
  }
  return kind
}

/** What a schema finds wrong with a value, said as a refusal. The issue must carry the value (`reportInput`). */
export function refusalOf(issue: z.core.$ZodIssue, kind: FieldKind | undefined): Refusal {
  if (issue.code === 'unrecognized_keys') return refuse('kit:field-unknown')
  if (isEmpty(issue.input)) return refuse('kit:field-missing')
  const figure = (value: number | bigint) => (kind === 'money' ? formatFen(Number(value)) : Number(value))
  switch (issue.code) {
    case 'too_small':
      // An empty list of one or more is a field left out.
      if (issue.origin === 'array' && Array.isArray(issue.input) && issue.input.length === 0)
        return refuse('kit:field-missing')
      return issue.origin === 'string'
        ? refuse('kit:field-too-short', { min: Number(issue.minimum) })
        : refuse('kit:field-too-small', { min: figure(issue.minimum) })
    case 'too_big':
      return issue.origin === 'string'
        ? refuse('kit:field-too-long', { max: Number(issue.maximum) })
        : refuse('kit:field-too-big', { max: figure(issue.maximum) })
    case 'invalid_value':
      return refuse('kit:field-no-choice')
    case 'invalid_type':
      return refuse(
        WRONG[kind ?? 'id'] ??
          (issue.expected === 'int' || issue.expected === 'number' ? 'kit:field-no-number' : 'kit:field-invalid'),
      )
    case 'custom':
      // A check of our own says why itself (kit/model/field.ts).
      return (issue.params?.refusal as Refusal | undefined) ?? refuse('kit:field-invalid')
    case 'invalid_format':
      return refuse(WRONG[kind ?? 'id'] ?? (issue.format === 'date' ? 'kit:field-no-day' : 'kit:field-invalid'))
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
