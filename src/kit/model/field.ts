import * as z from 'zod'
import type { Personal } from './mask.ts'
import type { Fen } from './money.ts'

/** What the kit knows of a field beyond its type: how it is shown, typed, filtered, masked and stored. */
export type FieldMeta =
  | { kind: 'id' | 'text' | 'number' | 'flag' | 'money' | 'instant' | 'day' | 'version' | 'colour' }
  | { kind: 'long-text'; max: number }
  | { kind: 'code' }
  | { kind: 'choice'; tones: Readonly<Record<string, Tone>> }
  | { kind: 'dictionary'; code: string }
  | { kind: 'personal'; personal: Personal }
  | { kind: 'reference'; to: string }
  | { kind: 'files'; purpose: string }
  | { kind: 'lines' }
  | { kind: 'tags'; code: string }
  | { kind: 'detail' }
export type FieldKind = FieldMeta['kind']

/** One palette for states (docs: look): grey not started, blue under way, orange needs somebody, green, red, purple. */
export type Tone = 'idle' | 'busy' | 'attention' | 'done' | 'failed' | 'special'

const described = <T extends z.ZodType>(schema: T, meta: FieldMeta): T => schema.meta({ field: meta }) as T

export const MAX_TEXT = 200

/** Ids are strings on the wire: a bigint does not fit into a JavaScript number. Eighteen digits always fit a bigint. */
export const ID = /^[1-9]\d{0,17}$/
export const id = () => described(z.string().regex(ID), { kind: 'id' })
export const text = (max: number = MAX_TEXT) => described(z.string().trim().min(1).max(max), { kind: 'text' })
export const longText = (max: number) => described(z.string().trim().max(max), { kind: 'long-text', max })
/** A number or code that people copy: monospaced, with a copy button. Never personal data. */
export const code = (max: number = 64) => described(z.string().trim().min(1).max(max), { kind: 'code' })
export const number = (min: number, max: number) => described(z.int().min(min).max(max), { kind: 'number' })
export const flag = () => described(z.boolean(), { kind: 'flag' })
// A brand and not a transform: a transform cannot be described in OpenAPI.
export const money = (min = 0) => described(z.int().min(min) as unknown as z.ZodType<Fen>, { kind: 'money' })
export const instant = () => described(z.iso.datetime({ offset: true }), { kind: 'instant' })
export const day = () => described(z.iso.date(), { kind: 'day' })
export const version = () => described(z.int().min(1), { kind: 'version' })
export const colour = () => described(z.string().regex(/^#[0-9a-f]{6}$/), { kind: 'colour' })
export const choice = <const T extends Readonly<Record<string, Tone>>>(tones: T) =>
  described(z.enum(Object.keys(tones) as [Extract<keyof T, string>, ...Extract<keyof T, string>[]]), {
    kind: 'choice',
    tones,
  })
/** A value of a dictionary type that staff may extend; labels come from the dictionary, not from the locale. */
export const dictionary = (dictionaryCode: string) =>
  described(z.string().min(1).max(100), { kind: 'dictionary', code: dictionaryCode })
export const personal = (kind: Personal, max = 100) =>
  described(z.string().trim().min(1).max(max), { kind: 'personal', personal: kind })
/** The id of a record of another slice, which names it to people by a label (`defineReference`). */
export const reference = (to: string) => described(z.string().regex(ID), { kind: 'reference', to })
export const files = (purpose: string, max: number) => described(z.array(z.uuid()).max(max), { kind: 'files', purpose })
/** A few lines stored with the record (jsonb), such as the parts of a kit; the slice shows them, in list and detail. */
export const lines = <T extends z.ZodType>(line: T, max: number) => described(z.array(line).max(max), { kind: 'lines' })
/** Any of a dictionary's values (text[]). */
export const tags = (dictionaryCode: string) =>
  described(z.array(z.string().min(1).max(100)).max(20), { kind: 'tags', code: dictionaryCode })
/** Several names no dictionary explains (text[]), each found whole. */
export const names = () => described(z.array(z.string().min(1).max(100)).max(100), { kind: 'tags', code: '' })
/** What only the detail knows: read and written by the slice, from tables of its own, and no column of the record's. */
export const inDetail = <T extends z.ZodType>(schema: T) => described(schema, { kind: 'detail' })
export const optional = <T extends z.ZodType>(field: T): z.ZodNullable<T> => z.nullable(field)

/** The meta of a field, whether it may be missing or not. */
export function fieldMeta(schema: z.ZodType): FieldMeta {
  const meta = (bare(schema).meta() as { field?: FieldMeta } | undefined)?.field
  if (!meta) throw new Error('a record field must be made by a constructor of kit/model/field.ts')
  return meta
}

export const isOptional = (schema: z.ZodType): boolean => schema instanceof z.ZodNullable

export const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable ? bare(schema.unwrap() as z.ZodType) : schema

/** The values of a choice field, in their order. */
export const choicesOf = (schema: z.ZodType): readonly string[] => {
  const inner = bare(schema)
  return inner instanceof z.ZodEnum ? (inner.options as readonly string[]) : []
}

/** `amountFen` ↔ `amount_fen`: the one rule between a record's fields and its table's columns. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
