import * as z from 'zod'
import {
  choice,
  files,
  id,
  inDetail,
  instant,
  money,
  number,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const MAX_COINS = 10_000_000
const MAX_PIECES = 10_000_000

/** What may be had for coins. The goods are the warehouse's; the mall sets only how many of them may go this way. */
export const resource = defineResource({
  screen: area.screens['coin-goods'],
  table: 'coin_goods',
  record: z.strictObject({
    id: id(),
    name: text(100),
    baseProductId: ref('base-product'),
    coins: number(1, MAX_COINS),
    cashFen: money(),
    quota: number(0, MAX_PIECES),
    sold: number(0, MAX_PIECES),
    left: inDetail(z.int()),
    perPerson: number(1, 1_000),
    status: choice({ ON: 'done', OFF: 'idle' }),
    sort: number(0, 9_999),
    picture: files('image', 1),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'coins', 'cashFen', 'quota'],
  list: {
    columns: ['name', 'status', 'coins', 'cashFen', 'quota', 'sold', 'perPerson', 'baseProductId', 'sort', 'createdAt'],
    filters: ['status', 'baseProductId'],
    sort: ['coins', 'sold', 'sort'],
    usual: 'sort:asc',
    tabs: 'status',
    search: ['name', 'baseProductId'],
    gallery: { picture: 'picture', price: 'coins', facts: ['cashFen', 'quota', 'sold'] },
  },
  create: ['name', 'baseProductId', 'coins', 'cashFen', 'quota', 'perPerson', 'sort', 'picture'],
  edit: ['name', 'coins', 'cashFen', 'quota', 'perPerson', 'sort', 'picture'],
  actions: ['list', 'detail', 'create', 'update', 'export'],
  scope: 'shared',
  internal: ['sort'],
})
export type CoinGoods = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['OFF'],
  steps: {
    putOn: { from: ['OFF'], to: 'ON', back: 'undo' },
    takeOff: { from: ['ON'], to: 'OFF', aside: true, danger: true, back: 'undo' },
  },
})

/** What can still be had: within the mall's quota, and no more than lies unpromised on the shelf. */
export const leftOf = ({ quota, sold }: Pick<CoinGoods, 'quota' | 'sold'>, available: number): number =>
  Math.max(0, Math.min(quota - sold, available))

export const reference = defineReference({
  name: 'coin-goods',
  table: 'coin_goods',
  label: { name: 'name', note: null, tone: 'status' },
  search: ['name'],
  scope: 'shared',
})
