import { Form, Input } from 'antd'
import { useRef } from 'react'
import { type FieldKind, fieldMeta, isOptional, optional } from '#kit/model/field.ts'
import type { KeyOf } from '#kit/model/language.ts'
import { type Resource, schemaIn } from '#kit/model/resource.ts'
import { FieldInput } from '../field/input.tsx'
import { UnderWayContext } from '../field/under-way.ts'
import { formatCount } from '../figures.ts'
import { hasText, type Say, useTexts } from '../language.ts'
import type { locale as kitLocale } from '../locale.ts'
import { type Inputs, type IsShown, withInput } from './inputs.ts'
import { FieldContext, type Found, NOTHING_FOUND } from './line-errors.ts'
import type { locale } from './locale.ts'
import type { Values } from './values.ts'

/** What was read masked. */
export const isMasked = (resource: Resource, field: string): boolean => {
  const schema = resource.record.shape[field]
  return schema !== undefined && fieldMeta(schema).kind === 'personal'
}

/** The record as it is edited: what was read masked need not be entered again. */
export const withMasked = (resource: Resource): Resource =>
  withInput(
    resource,
    Object.fromEntries(
      resource.edit
        .filter(field => isMasked(resource, field))
        .map(field => [field, optional(schemaIn(resource, field))]),
    ),
  )

/** Values without what is masked in them: it may be shown, never sent back. */
export const unmasked = (resource: Resource, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !isMasked(resource, field)))

/** Masked values stand behind empty inputs; whoever enters nothing leaves them as they are. */
export const maskedInputs = (resource: Resource, values: Values): Inputs =>
  Object.fromEntries(
    resource.edit
      .filter(field => isMasked(resource, field) && typeof values[field] === 'string')
      .map(field => [field, () => <Input placeholder={String(values[field])} />]),
  )

/** What an edit sends: masked values only where something was entered. */
export const asEdit = (resource: Resource, fields: readonly string[], values: Values): Values => {
  const body = asBody(resource, fields, values)
  return Object.fromEntries(
    Object.entries(body).filter(([field, value]) => value !== null || !isMasked(resource, field)),
  )
}

type Props = { resource: Resource; fields: readonly string[]; inputs: Inputs; isShown: IsShown; found?: Found }

/** The inputs of a form, from the record's declaration; those that make no sense for what was entered stay away. */
export function FormFields({ resource, fields, inputs, isShown, found = NOTHING_FOUND }: Props) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const words = useTexts<typeof locale>('kit/page/form')
  const say = useTexts(resource.screen.name)
  const underWay = useUnderWay()
  const values = Form.useWatch([], { form: Form.useFormInstance(), preserve: true }) as Values | undefined
  return fields
    .map(field => [field, isShown(field, values ?? {})] as const)
    .filter(([, shown]) => shown)
    .map(([field, shown]) => (
      <FieldContext key={field} value={{ field, ...found }}>
        <UnderWayContext value={() => underWay.begin(field)}>
          <Form.Item
            name={field}
            {...itemOf(resource, field, {
              kit,
              words,
              say: say,
              needed: shown === 'required',
              isUnderWay: () => underWay.has(field),
            })}
            {...(inputs[field]?.isWide || isWideKind(resource, field) ? { style: WHOLE_WIDTH } : {})}
          >
            {inputs[field]?.() ?? <FieldInput resource={resource} field={field} />}
          </Form.Item>
        </UnderWayContext>
      </FieldContext>
    ))
}

/** Of which fields something is still on its way: a form without it would not be what its sender sees. */
function useUnderWay() {
  const counts = useRef(new Map<string, Set<symbol>>()).current
  return {
    has: (field: string) => (counts.get(field)?.size ?? 0) > 0,
    begin(field: string) {
      const one = Symbol(field)
      const all = counts.get(field) ?? new Set()
      counts.set(field, all.add(one))
      return () => void all.delete(one)
    },
  }
}

/** Take the whole width where fields stand in two columns. */
const WIDE: ReadonlySet<string> = new Set(['long-text', 'lines', 'detail'])
const WHOLE_WIDTH = { gridColumn: '1 / -1' }
const isWideKind = (resource: Resource, field: string): boolean => WIDE.has(fieldMeta(schemaIn(resource, field)).kind)

type ItemTexts = {
  kit: Say<KeyOf<typeof kitLocale>>
  words: Say<KeyOf<typeof locale>>
  say(key: string): string
  needed: boolean
  isUnderWay(): boolean
}

const CHOSEN: ReadonlySet<FieldKind> = new Set([
  'choice',
  'dictionary',
  'reference',
  'tags',
  'day',
  'instant',
  'colour',
])

/** Text is written, an option chosen, a file sent: what is missing is asked for by its own verb. */
const requiredOf = (kind: FieldKind) =>
  kind === 'files' ? 'required-files' : CHOSEN.has(kind) ? 'required-choice' : 'required'

/** Shows how thousands are written. */
const EXAMPLE = 1_234

/** Label, help and rules of a field, from its declaration: the server checks the same schema again. */
function itemOf(resource: Resource, field: string, { kit, words, say, needed, isUnderWay }: ItemTexts) {
  const schema = schemaIn(resource, field)
  const name = say(`field.${field}`)
  const meta = fieldMeta(schema)
  const { kind } = meta
  const required =
    needed ||
    (meta.kind === 'files'
      ? meta.min > 0
      : !isOptional(schema) && !['long-text', 'flag', 'detail', 'lines', 'tags'].includes(kind))
  const help = hasText(resource.screen.name, `help.${field}`) ? { extra: say(`help.${field}`) } : {}
  return {
    label: name,
    ...help,
    required,
    ...(kind === 'flag' ? { valuePropName: 'checked' } : {}),
    rules: [
      {
        validator: async (_: unknown, value: unknown) => {
          if (isUnderWay()) throw new Error(words('file-coming'))
          const missing =
            value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length)
          if (missing && required) throw new Error(kit(requiredOf(kind), { name }))
          if (missing || typeof value !== 'string') return
          if (kind === 'money') throw new Error(words('money-invalid'))
          if (kind === 'number') throw new Error(words('whole-invalid', { example: formatCount(EXAMPLE) }))
        },
      },
    ],
  }
}

/** What was left empty, or not asked for, is "none" where a record may have none: there the server takes no empty text. */
export const asBody = (resource: Resource, fields: readonly string[], values: Values): Values => {
  const empty = emptyValues(resource, fields)
  return Object.fromEntries(
    fields.map(field => {
      const value = values[field] ?? empty[field]
      const isNone = value === undefined || value === ''
      return [field, isNone && isOptional(schemaIn(resource, field)) ? null : value]
    }),
  )
}

export const emptyValues = (resource: Resource, fields: readonly string[]): Values =>
  Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const schema = schemaIn(resource, field)
      const { kind } = fieldMeta(schema)
      // What may be left out is left out: it may be one thing, and no list.
      if (kind === 'detail' && isOptional(schema)) return []
      if (kind === 'long-text') return [[field, '']]
      if (kind === 'flag') return [[field, false]]
      return ['detail', 'files', 'lines', 'tags'].includes(kind) ? [[field, []]] : []
    }),
  )
