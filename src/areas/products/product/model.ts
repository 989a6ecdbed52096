import * as z from 'zod'
import { type Grant, grant, MAX_GRANTS } from '#engines/entitlement/model.ts'
import {
  choice,
  code,
  files,
  flag,
  id,
  instant,
  lines,
  longText,
  money,
  number,
  permille,
  text,
  version,
} from '#kit/model/field.ts'
import { MAX_PRICE_FEN } from '#kit/model/money.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** What is sold. What it gives are its grants, which orders, codes, gifts and refunds all go by. */
export const resource = defineResource({
  screen: area.screens.product,
  table: 'product',
  record: z.strictObject({
    id: id(),
    name: text(100),
    code: code(30).regex(/^[A-Z0-9][A-Z0-9-]+$/),
    priceFen: money(0, MAX_PRICE_FEN),
    listFen: money(0, MAX_PRICE_FEN),
    grants: lines(grant, MAX_GRANTS),
    commissionPermille: permille(0, 500),
    mayWait: flag(),
    status: choice({ ON_SALE: 'done', OFF_SALE: 'idle' }),
    sold: number(0, 2_000_000_000),
    sort: number(0, 9_999),
    note: longText(500),
    picture: files('image', 1),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'code', 'priceFen'],
  list: {
    columns: ['name', 'code', 'status', 'priceFen', 'listFen', 'grants', 'sold', 'sort', 'createdAt'],
    filters: ['status', 'priceFen', 'sold'],
    sort: ['priceFen', 'sold', 'sort'],
    usual: 'sort:asc',
    tabs: 'status',
    search: ['name', 'code'],
    gallery: { picture: 'picture', price: 'priceFen', facts: ['code', 'listFen', 'sold'] },
  },
  create: ['name', 'code', 'priceFen', 'listFen', 'grants', 'commissionPermille', 'sort', 'mayWait', 'picture', 'note'],
  edit: ['name', 'priceFen', 'listFen', 'grants', 'commissionPermille', 'sort', 'mayWait', 'picture', 'note'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  scope: 'shared',
  internal: ['sort'],
})
export type Product = RecordOf<typeof resource>
export type { Grant }

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['OFF_SALE'],
  steps: {
    putOnSale: { from: ['OFF_SALE'], to: 'ON_SALE', back: 'undo' },
    takeOffSale: { from: ['ON_SALE'], to: 'OFF_SALE', aside: true, danger: true, back: 'undo' },
    copy: {
      aside: true,
      alone: true,
      input: { newName: text(100), newCode: code(30).regex(/^[A-Z0-9][A-Z0-9-]+$/) },
      back: 'stays',
    },
  },
})

export const reference = defineReference({
  name: 'product',
  table: 'product',
  label: { name: 'name', note: { column: 'code', personal: null }, tone: 'status' },
  offered: { column: 'status', values: ['ON_SALE'] },
  search: ['name', 'code'],
  scope: 'shared',
})
