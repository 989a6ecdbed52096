import * as z from 'zod'
import { EDITION_ARRIVALS, editionFields, editionSteps } from '#kit/model/edition.ts'
import { code, id, inDetail, instant, number, text, version } from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { parts } from '../parts.model.ts'

export const user = z.strictObject({ id: z.string(), name: z.string(), code: z.string(), onSale: z.boolean() })

/** What is put into one parcel when a product gives goods: sending takes it apart into base products. */
export const resource = defineResource({
  screen: area.screens['goods-kit'],
  table: 'goods_kit',
  record: z.strictObject({
    id: id(),
    name: text(100),
    code: code(30).regex(/^[A-Z0-9][A-Z0-9-]+$/),
    parts: parts(),
    weightG: number(0, 100_000),
    ...editionFields(),
    createdAt: instant(),
    usedBy: inDetail(z.array(user)),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'code', 'edition'],
  list: {
    columns: ['name', 'code', 'status', 'parts', 'weightG', 'edition', 'createdAt'],
    filters: ['status'],
    sort: [],
    tabs: 'status',
    search: ['name', 'code'],
  },
  create: ['name', 'code', 'weightG', 'parts'],
  edit: ['name', 'weightG', 'parts'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  editions: {
    table: 'goods_kit_edition',
    by: 'kit_id',
    lines: { parts: { key: 'baseProductId', name: 'name', parts: { quantity: 'quantity' } } },
  },
  scope: 'shared',
})
export type GoodsKit = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: EDITION_ARRIVALS,
  steps: editionSteps,
})

export const reference = defineReference({
  name: 'goods-kit',
  table: 'goods_kit',
  label: { name: 'name', note: { column: 'code', personal: null }, tone: null },
  offered: { column: 'status', values: ['PUBLISHED', 'CHANGED'] },
  search: ['name', 'code'],
  scope: 'shared',
})
