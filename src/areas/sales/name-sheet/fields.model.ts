import * as z from 'zod'
import { MOST_LINES, MOST_LINK } from '#engines/copybook/order.model.ts'
import type { Screen } from '#kit/model/area.ts'
import {
  choice,
  id,
  instant,
  longText,
  number,
  optional,
  personal,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'

/** Which of the four screens a sheet was made on: what stands on it besides the name. */
const VARIANTS = { CONSULTANT: 'busy', VERSE: 'special', ACCOUNT: 'done', PLAIN: 'idle' } as const
export type Variant = keyof typeof VARIANTS

/** What stands on a sheet besides the name, and is entered for it. */
const BESIDES: Readonly<Record<Variant, readonly ('verse' | 'link')[]>> = {
  CONSULTANT: ['link'],
  VERSE: ['verse', 'link'],
  ACCOUNT: ['link'],
  PLAIN: [],
}
export const hasLink = (variant: Variant): boolean => BESIDES[variant].includes('link')
export const hasVerse = (variant: Variant): boolean => BESIDES[variant].includes('verse')

/** How a sheet is ruled: rows of a list of names say it too. */
export const AGE = choice({ PRESCHOOL: 'idle', LOWER: 'idle', MIDDLE: 'idle', UPPER: 'idle' })
export const GRID = choice({ TIAN: 'idle', MI: 'idle', HUI: 'idle', JIU: 'idle', FANG: 'idle' })
export const LINES = number(1, MOST_LINES)
/** With the ends of its lines, which are not counted where it is written. */
export const VERSE = longText(120)

const fields = {
  id: id(),
  variant: choice(VARIANTS),
  /** Nothing once the person was forgotten: then the sheet cannot be made again. */
  name: optional(personal('name', 20)),
  leadPhone: optional(personal('phone', 20)),
  /** Whose number that is. */
  leadId: optional(ref('lead')),
  age: AGE,
  grid: GRID,
  lines: LINES,
  verse: VERSE,
  link: optional(text(MOST_LINK)),
  /** The file of names it came with, where it did not come alone. */
  batch: optional(text(200)),
  madeBy: ref('staff'),
  ownerId: ref('staff'),
  createdAt: instant(),
  version: version(),
}

/** What a form asks for, in its order. */
export const askedOf = (variant: Variant) => ['name', 'leadPhone', ...BESIDES[variant], 'age', 'grid', 'lines'] as const

/** What was made for whom: from a row of it the same sheet is made again, whenever it is asked for. */
export const sheetResource = (screen: Screen, variant: Variant) =>
  defineResource({
    screen,
    table: 'name_copybook',
    record: z.strictObject(fields),
    title: 'name',
    brief: ['name', 'leadPhone', 'madeBy', 'createdAt'],
    list: {
      only: { variant: [variant] },
      columns: [
        'name',
        'leadPhone',
        'madeBy',
        'createdAt',
        'age',
        'grid',
        ...BESIDES[variant],
        'lines',
        'batch',
        'ownerId',
      ],
      filters: ['createdAt', 'madeBy', 'leadId', 'batch', 'ownerId', 'age', 'grid'],
      sort: ['createdAt'],
      search: ['batch'],
    },
    actions: ['list', 'detail', 'export', 'reveal'],
    scope: 'owned',
    internal: ['variant'],
  })
export type NameSheet = RecordOf<ReturnType<typeof sheetResource>>
export type SheetResource = ReturnType<typeof sheetResource>

/** Besides looking: a sheet is made, and what was made is taken as a file. */
export const SHEET_ACTIONS = ['make', 'print']

/** What is entered for one sheet. */
export const enteredOf = (variant: Variant) =>
  z.strictObject(Object.fromEntries(askedOf(variant).map(field => [field, fields[field]])))
export type Entered = Pick<NameSheet, 'name' | 'leadPhone' | 'age' | 'grid' | 'lines'> &
  Partial<Pick<NameSheet, 'verse' | 'link'>>

/** How a form begins. */
export const USUAL = { age: 'MIDDLE', grid: 'TIAN', lines: 1 } as const
