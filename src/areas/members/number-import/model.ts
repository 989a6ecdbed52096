import * as z from 'zod'
import { choice, id, instant, number, reference as ref, text, version } from '#kit/model/field.ts'
import { MAX_IMPORT_ROWS } from '#kit/model/import.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

const rows = () => number(0, MAX_IMPORT_ROWS)

/** A list of numbers somebody brought: how many were new, why the others were not taken, and what came of the new ones. */
export const resource = defineResource({
  screen: area.screens['number-import'],
  table: 'number_batch',
  record: z.strictObject({
    id: id(),
    title: text(200),
    allRows: rows(),
    newRows: rows(),
    repeatedRows: rows(),
    knownRows: rows(),
    badRows: rows(),
    allocated: rows(),
    registered: rows(),
    paid: rows(),
    status: choice({ KEPT: 'done', UNDONE: 'idle' }),
    ownerId: ref('staff'),
    createdAt: instant(),
    version: version(),
  }),
  title: 'title',
  brief: ['title', 'newRows', 'ownerId', 'createdAt'],
  list: {
    columns: [
      'title',
      'status',
      'allRows',
      'newRows',
      'allocated',
      'registered',
      'paid',
      'knownRows',
      'repeatedRows',
      'badRows',
      'ownerId',
      'createdAt',
    ],
    filters: ['createdAt', 'ownerId', 'status', 'title'],
    sort: ['createdAt'],
    tabs: 'status',
    search: ['title'],
  },
  actions: ['list', 'detail', 'export'],
  scope: 'owned',
})
export type NumberBatch = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'number-import',
  table: 'number_batch',
  label: { name: 'title', note: null, tone: 'status' },
  search: ['title'],
  scope: 'owned',
})

export type Refusals = Readonly<Record<string, number>>

/** Why rows were left out, told apart by the first thing that speaks against each. */
export function leftOut(refused: Refusals): Pick<NumberBatch, 'repeatedRows' | 'knownRows' | 'badRows'> {
  const of = (...codes: readonly string[]) => codes.reduce((sum, code) => sum + (refused[code] ?? 0), 0)
  const repeatedRows = of('kit/server/import:row-twice')
  const knownRows = of('number-known', 'kit/server/import:row-imported')
  const all = Object.values(refused).reduce((sum, count) => sum + count, 0)
  return { repeatedRows, knownRows, badRows: all - repeatedRows - knownRows }
}
