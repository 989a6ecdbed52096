import * as z from 'zod'
import { code, colour, flag, id, inDetail, instant, longText, optional, text, version } from '#kit/model/field.ts'
import { LANGUAGES } from '#kit/model/language.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

/**
 * One entry of a dictionary: the value is stored in records, the label and colour are what people see. The label is in
 * the language of the house; others may have words of their own.
 */
const item = z.strictObject({
  label: text(100),
  labels: z.partialRecord(z.enum(LANGUAGES), text(100)).optional(),
  value: code(100),
  colour: optional(colour()),
  enabled: flag(),
})
export type DictionaryItem = z.infer<typeof item>

export const MAX_ITEMS = 200

export const resource = defineResource({
  screen: area.screens.dictionary,
  table: 'dictionary_type',
  record: z.strictObject({
    id: id(),
    name: text(100),
    code: code(50).regex(/^[A-Z][A-Z0-9_]*$/),
    note: longText(200),
    builtIn: flag(),
    createdAt: instant(),
    items: inDetail(z.array(item).max(MAX_ITEMS)),
    version: version(),
  }),
  title: 'name',
  list: {
    columns: ['name', 'code', 'note', 'builtIn', 'createdAt'],
    filters: ['name', 'code', 'builtIn'],
    sort: ['name', 'code', 'createdAt'],
    search: ['name', 'code'],
  },
  create: ['name', 'code', 'note', 'items'],
  edit: ['name', 'note', 'items'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  scope: 'shared',
})
export type DictionaryType = RecordOf<typeof resource>

/** The first value that stands twice: records store values, so each must mean one thing. */
export const repeatedValue = (items: readonly Pick<DictionaryItem, 'value'>[]): string | undefined =>
  items.find((entry, index) => items.findIndex(other => other.value === entry.value) < index)?.value
