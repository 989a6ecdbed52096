import * as z from 'zod'
import type { Screen } from './area.ts'
import type { Personal } from './mask.ts'
import { type Fen, formatYuan, MAX_FEN } from './money.ts'
import { type Refusal, refuse } from './refusal.ts'
import { addDays, FIRST_DAY, isDay, LAST_DAY, startOfDay } from './time.ts'
import type { UploadPurpose } from './upload.ts'

/** What the kit knows of a field beyond its type: how it is shown, typed, filtered, masked and stored. */
export type FieldMeta =
  | { kind: 'id' | 'flag' | 'instant' | 'day' | 'version' | 'colour' }
  | { kind: 'text'; isPerson?: true }
  | { kind: 'number' | 'money'; min: number; max: number; isShare?: true }
  | { kind: 'long-text'; max: number }
  | { kind: 'code' }
  | { kind: 'choice'; tones: Readonly<Record<string, Tone>> }
  | { kind: 'dictionary'; code: string }
  | { kind: 'personal'; personal: Personal }
  | { kind: 'reference'; to: string; among: 'offered' | 'all'; holding?: Right; treeOf?: string }
  | { kind: 'files'; purpose: UploadPurpose; min: number }
  | { kind: 'lines' }
  | { kind: 'tags'; code: string }
  | { kind: 'detail' }
export type FieldKind = FieldMeta['kind']

/** One action on one page, as roles hold it. */
export type Right = { readonly page: string; readonly action: string }

/** One palette for states (docs: look): grey not started, blue under way, orange needs somebody, green, red, purple. */
export type Tone = 'idle' | 'busy' | 'attention' | 'done' | 'failed' | 'special'

const described = <T extends z.ZodType>(schema: T, meta: FieldMeta): T => schema.meta({ field: meta }) as T

export const MAX_TEXT = 200

/** Ids are strings on the wire: a bigint does not fit into a JavaScript number. Eighteen digits always fit a bigint. */
export const ID = /^[1-9]\d{0,17}$/
export const id = () => described(z.string().regex(ID), { kind: 'id' })
/** What was pasted with line breaks or other signs nobody sees is read as the one line it is shown in. */
const oneLine = (max: number) =>
  z
    .string()
    .overwrite(typed => typed.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
    .trim()
    .min(1)
    .max(max)
export const text = (max: number = MAX_TEXT) => described(oneLine(max), { kind: 'text' })
/** What people write in lines and paragraphs of their own, and may not leave out. */
export const paragraphs = (max: number) => described(z.string().trim().min(1).max(max), { kind: 'text' })
/** What a pupil is called: read by everybody who sees the record, and kept on no computer (decision 031). */
export const personName = (max: number) => described(oneLine(max), { kind: 'text', isPerson: true })
export const longText = (max: number) => described(z.string().trim().max(max), { kind: 'long-text', max })
/** A number or code that people copy: monospaced, with a copy button. Never personal data. */
export const code = (max: number = 64) => described(oneLine(max), { kind: 'code' })
/** Four bytes: the widest number a column of ours holds, and the highest count of edits. */
const MAX_INT = 2_147_483_647
export const number = (min: number, max: number) => described(z.int().min(min).max(max), { kind: 'number', min, max })
/** A part of a thousand, as it is reckoned with; people read and type it in percent. */
export const permille = (min: number, max: number) =>
  described(z.int().min(min).max(max), { kind: 'number', min, max, isShare: true })
export const flag = () => described(z.boolean(), { kind: 'flag' })
/** What a check of our own refuses a value for (`refusalOf` in field-refusal.ts reads it). */
const because = (refusal: Refusal) => ({ params: { refusal } })
// A brand and not a transform: a transform cannot be described in OpenAPI.
export const money = (min = 0, max = MAX_FEN) =>
  described(
    z
      .int()
      .min(min)
      .refine(
        fen => fen <= max,
        because(refuse('kit:money-too-much', { max: formatYuan(max) })),
      ) as unknown as z.ZodType<Fen>,
    { kind: 'money', min, max },
  )
const outside = because(refuse('kit:day-outside', { first: FIRST_DAY, last: LAST_DAY }))
const [FIRST_MS, END_MS] = [FIRST_DAY, addDays(LAST_DAY, 1)].map(day => startOfDay(day).getTime()) as [number, number]
// Asked also of what is no time at all: that is neither before nor after anything.
const isInstant = (text: string): boolean => {
  const at = new Date(text).getTime()
  return at >= FIRST_MS && at < END_MS
}
export const instant = () => described(z.iso.datetime({ offset: true }).refine(isInstant, outside), { kind: 'instant' })
export const day = () =>
  described(
    z.iso.date().refine(text => isDay(text), outside),
    { kind: 'day' },
  )
export const version = () => described(z.int().min(1).max(MAX_INT), { kind: 'version' })
export const colour = () => described(z.string().regex(/^#[0-9a-f]{6}$/), { kind: 'colour' })
export const choice = <const T extends Readonly<Record<string, Tone>>>(tones: T) =>
  described(z.enum(Object.keys(tones) as [Extract<keyof T, string>, ...Extract<keyof T, string>[]]), {
    kind: 'choice',
    tones,
  })
/** A value of a dictionary type that staff may extend; labels come from the dictionary, not from the locale. */
export const dictionary = (dictionaryCode: string) =>
  described(z.string().min(1).max(100), { kind: 'dictionary', code: dictionaryCode })
/** A key of the code that has words of its own: the server tells them with each row, and the page says which there are to filter by. */
export const keyed = (max: number) => described(z.string().min(1).max(max), { kind: 'dictionary', code: '' })
export const personal = (kind: Personal, max = 100) => described(oneLine(max), { kind: 'personal', personal: kind })
/** The id of a record of another slice, which names it to people by a label (`defineReference`). */
export const reference = (to: string) => described(z.string().regex(ID), { kind: 'reference', to, among: 'offered' })
/** A colleague whose job it is: who holds the right, and is reached by the chooser's own scope on its page. */
export const colleague = ({ name, key }: Pick<Screen, 'name' | 'key'>, action: string) => {
  if (key === null) throw new Error(`${name}: a screen without a permission key has no rights to hold`)
  const holding = { page: key, action }
  return described(z.string().regex(ID), { kind: 'reference', to: 'staff', among: 'offered', holding })
}
/** As `reference`, where what is no longer on offer may be meant too. */
export const anyReference = (to: string) => described(z.string().regex(ID), { kind: 'reference', to, among: 'all' })
/** As `reference`, to a record of a tree, by its table: as a filter it means those below too. */
export const branch = (to: string, treeOf: string) =>
  described(z.string().regex(ID), { kind: 'reference', to, among: 'offered', treeOf })
/** Uploaded files by their ids: at most so many, and where something has to be proved at least so many. */
export const files = (purpose: UploadPurpose, max: number, min = 0) =>
  described(z.array(z.uuid()).min(min).max(max), { kind: 'files', purpose, min })
/** A few lines stored with the record (jsonb), such as the parts of a kit; the slice shows them, in list and detail. */
export const lines = <T extends z.ZodType>(line: T, max: number) => described(z.array(line).max(max), { kind: 'lines' })
/** What the slice alone reads and shows, stored with the record (jsonb), such as the terms it was asked for under. */
export const kept = <T extends z.ZodType>(schema: T) => described(schema, { kind: 'lines' })
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
  const meta = knownMeta(schema)
  if (!meta) throw new Error('a record field must be made by a constructor of kit/model/field.ts')
  return meta
}

/** Zod puts together anew what it knows of a schema whenever it is asked, and lists ask at every call of every field. */
const known = new WeakMap<z.ZodType, FieldMeta | undefined>()

/** What a field is; nothing for what no constructor of this file has made. */
export function knownMeta(schema: z.ZodType): FieldMeta | undefined {
  if (!known.has(schema)) known.set(schema, (bare(schema).meta() as { field?: FieldMeta } | undefined)?.field)
  return known.get(schema)
}

/** What stands under a key of an object or in a list. */
export function partAt(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
  const inner = bare(schema)
  if (inner instanceof z.ZodObject) return inner.shape[String(key)]
  return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined
}

export const isOptional = (schema: z.ZodType): boolean => schema instanceof z.ZodNullable

export const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? bare(schema.unwrap() as z.ZodType) : schema

/** Every value a constructor above describes, at whatever depth of lists and records, with where it stands. */
export function* valuesIn(schema: z.ZodType, value: unknown, path: string): Generator<DescribedValue> {
  if (value === undefined || value === null) return
  const inner = bare(schema)
  const meta = knownMeta(inner)
  if (meta && meta.kind !== 'lines' && meta.kind !== 'detail' && meta.kind !== 'tags') yield { path, meta, value }
  else if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [at, entry] of value.entries())
      if (meta?.kind === 'tags') yield { path, meta, value: entry }
      else yield* valuesIn(inner.element as z.ZodType, entry, `${path}.${at}`)
  } else if (inner instanceof z.ZodObject) {
    for (const [name, part] of Object.entries(inner.shape))
      yield* valuesIn(part as z.ZodType, (value as Record<string, unknown>)[name], `${path}.${name}`)
  }
}
/** Every description in a schema, whatever value it would have. */
export function* metasIn(schema: z.ZodType): Generator<FieldMeta> {
  const inner = bare(schema)
  const meta = knownMeta(inner)
  if (meta) yield meta
  if (inner instanceof z.ZodArray) yield* metasIn(inner.element as z.ZodType)
  else if (inner instanceof z.ZodObject)
    for (const part of Object.values(inner.shape)) yield* metasIn(part as z.ZodType)
}

export type DescribedValue = { readonly path: string; readonly meta: FieldMeta; readonly value: unknown }

/** The records a schema names, however deep they stand in it. */
export function referencesIn(schema: z.ZodType): string[] {
  const meta = (schema.meta() as { field?: FieldMeta } | undefined)?.field
  if (meta?.kind === 'reference') return [meta.to]
  return partsOf(schema).flatMap(referencesIn)
}

function partsOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape)
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType]
  if (schema instanceof z.ZodUnion) return [...(schema.options as readonly z.ZodType[])]
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return [schema.unwrap() as z.ZodType]
  return []
}

/** The values of a choice field, in their order. */
export const choicesOf = (schema: z.ZodType): readonly string[] => {
  const inner = bare(schema)
  return inner instanceof z.ZodEnum ? (inner.options as readonly string[]) : []
}

/** `amountFen` ↔ `amount_fen`: the one rule between a record's fields and its table's columns. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
