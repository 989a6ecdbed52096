import * as z from 'zod'
import type { Offered, Story } from '../../src/demo/story.server.ts'
import { bare, fieldMeta, isOptional } from '../../src/kit/model/field.ts'
import type { Shape } from '../../src/kit/model/resource.ts'

/** What forms choose from, as the database of the test has it. */
export type Known = Offered & {
  /** Dictionary → a value on offer. */
  readonly values: ReadonlyMap<string, string>
  /** Screen → what its slice says people enter. */
  readonly enters: ReadonlyMap<string, NonNullable<Story['enters']>>
}

/** A form of a screen: whatever its slice says of it counts. */
export type AskedFor = { readonly screen: string; readonly shape: Shape }

/** Texts of a form of their own, by what fields are called for them everywhere. */
const ADDRESSES: Readonly<Record<string, string>> = {
  email: 'lin@inkstone.example',
  link: 'https://inkstone.example/join',
}

let counter = 0

/** A body every field of which may stand, new each time: numbers people copy stand once. */
export const plausible = ({ screen, shape }: AskedFor, known: Known): Record<string, unknown> => {
  // Said together, it is of the form that asks for all of it.
  const isAsked = enteredFields(screen, known).every(field => field in shape)
  const usual = Object.entries(shape).map(([field, schema]) => [field, plausibleValue(field, schema, known)])
  return { ...Object.fromEntries(usual), ...(isAsked ? known.enters.get(screen)?.(known) : {}) }
}

/** The fields a slice speaks of; no picture is used up by asking. */
export const enteredFields = (screen: string, known: Known): string[] =>
  Object.keys(known.enters.get(screen)?.({ ...known, picture: () => '' }) ?? {})

function plausibleValue(field: string, schema: z.ZodType, known: Known): unknown {
  const inner = bare(schema)
  const meta = fieldMeta(schema)
  switch (meta.kind) {
    case 'number':
      return Math.max(meta.min, Math.min(meta.max, 7))
    case 'money':
      return isOptional(schema) ? null : Math.max(meta.min, Math.min(meta.max, 1_000))
    case 'id':
      return null
    case 'flag':
      return false
    case 'choice':
      return (inner as z.ZodEnum).options[0]
    case 'day':
      return '2030-06-01'
    case 'instant':
      return '2030-06-01T10:00:00+08:00'
    case 'dictionary':
      return known.values.get(meta.code)
    case 'reference':
      return known.ids.get(meta.to)
    case 'files':
      return meta.min > 0 ? [known.picture()] : []
    case 'tags':
      return []
    case 'lines':
    case 'detail':
      return []
    case 'personal':
      if (meta.personal === 'month') return '2016-05'
      if (meta.personal === 'email') return ADDRESSES.email
      return wordFor(inner, meta.personal === 'phone' ? '139' : 'T')
    default:
      return ADDRESSES[field] ?? wordFor(inner, 'T')
  }
}

/** A text of the field's own form: numbers people copy have patterns. */
function wordFor(schema: z.ZodType, beginning: string): string {
  counter += 1
  const digits = String(counter).padStart(8, '0')
  const candidates = [`${beginning}${digits}`, digits.repeat(8)]
  return candidates.find(candidate => schema.safeParse(candidate).success) ?? '测试'
}

const TEXTS = ['', ' ', '\u0000', '\ud800', '<b>', '"; drop table staff; --', '🖌'.repeat(20), 'x'.repeat(10_000)]
const NUMBERS = [-1, 0, 1, 1.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 2 ** 53, 1e300, '1', null]
const DAYS = ['0000-01-01', '1899-12-31', '1900-01-01', '2026-02-31', '2100-12-31', '2101-01-01', '9999-12-31']

/** What may stand in any field of a kind by mistake or in malice. */
export function extremesOf(schema: z.ZodType): readonly unknown[] {
  switch (fieldMeta(schema).kind) {
    case 'number':
    case 'money':
      return NUMBERS
    case 'day':
      return [...DAYS, '']
    case 'instant':
      return [...DAYS.map(day => `${day}T00:00:00+08:00`), '2100-12-31T23:59:59-14:00', '+275760-09-13T00:00:00Z', '']
    case 'reference':
      return ['9999999999999999999', '0', '', '1e3']
    case 'choice':
    case 'dictionary':
      return ['x'.repeat(100), 'x'.repeat(101), '', '\u0000']
    case 'tags':
      return [Array.from({ length: 21 }, (_, at) => `T${at}`), ['']]
    case 'files':
      return [['no file'], ['', '', '', '']]
    case 'flag':
      return ['true', null]
    case 'lines':
    case 'detail':
      return []
    default:
      return TEXTS
  }
}

/** What is just allowed in this very field, just not, or of the right form and yet nothing: no two fields have the same. */
export function boundsOf(schema: z.ZodType): readonly unknown[] {
  const inner = bare(schema)
  const meta = fieldMeta(schema)
  switch (meta.kind) {
    case 'number':
    case 'money':
      return [meta.min, meta.max, meta.min - 1, meta.max + 1]
    case 'reference':
      return ['999999999999999999']
    case 'choice':
    case 'dictionary':
      return ['NOPE']
    case 'tags':
      return [['NOPE']]
    case 'files':
      return [['00000000-0000-4000-8000-000000000000']]
    case 'lines':
    case 'detail':
      return inner instanceof z.ZodArray ? listsOf(inner) : []
    case 'day':
    case 'instant':
    case 'flag':
      return []
    default:
      return longest(inner)
  }
}

/** As long as it may be, and one more. */
function longest(schema: z.ZodType): string[] {
  const max = schema instanceof z.ZodString ? (schema.maxLength ?? 100) : 100
  return ['9'.repeat(max), 'A'.repeat(max), '永'.repeat(max), '9'.repeat(max + 1)]
}

/** Lists too long, empty, and of one line in which one value is as large as the line allows. */
function listsOf(list: z.ZodArray): unknown[] {
  const element = list.element as z.ZodType
  if (!(element instanceof z.ZodObject)) return [[], ['999999999999999999'], ['0']]
  const line = Object.fromEntries(
    Object.entries(element.shape).map(([name, part]) => [name, largest(part as z.ZodType)]),
  )
  return [[], [line], [line, line], Array.from({ length: 1_001 }, () => line)]
}

function largest(schema: z.ZodType): unknown {
  const inner = bare(schema)
  if (inner instanceof z.ZodNumber) return Math.min(inner.maxValue ?? 2 ** 53, 2 ** 53)
  if (inner instanceof z.ZodEnum) return inner.options[0]
  if (inner instanceof z.ZodBoolean) return true
  if (inner instanceof z.ZodString && schema instanceof z.ZodNullable && inner.maxLength === null) return null
  return 'A'.repeat(inner instanceof z.ZodString ? (inner.maxLength ?? 18) : 18)
}

/** The value at one end of what a field takes; what has no ends stands as it would. */
export function atTheEnd(end: 'least' | 'most', asked: AskedFor, known: Known): Record<string, unknown> {
  const usual = plausible(asked, known)
  return Object.fromEntries(
    Object.entries(asked.shape).map(([field, schema]) => {
      const meta = fieldMeta(schema)
      if (meta.kind === 'number' || meta.kind === 'money') return [field, end === 'least' ? meta.min : meta.max]
      if (meta.kind === 'day') return [field, end === 'least' ? '2029-01-01' : '2100-12-31']
      const taken = longest(bare(schema)).find(text => schema.safeParse(text).success)
      // A phone number is one or none: a longer one would be refused before anything else is looked at.
      const isText =
        ['text', 'long-text', 'code'].includes(meta.kind) || (meta.kind === 'personal' && meta.personal !== 'phone')
      return [field, isText && end === 'most' && taken !== undefined ? taken : usual[field]]
    }),
  )
}
