import * as z from 'zod'
import {
  choice,
  code,
  colleague,
  day,
  id,
  inDetail,
  instant,
  money,
  number,
  optional,
  reference as ref,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { type Standing, whyNotExtend } from './price.model.ts'

const MOST = 2_147_483_647

/** By which a consultant sells one product at a price that stands for some days. What comes by it carries its code as `state`. */
export const resource = defineResource({
  screen: area.screens.link,
  table: 'sales_link',
  record: z.strictObject({
    id: id(),
    code: code(8),
    status: choice({ ACTIVE: 'busy', USED: 'done', EXPIRED: 'idle', CLOSED: 'idle' }),
    ownerId: ref('staff'),
    productId: ref('product'),
    /** What it cost on the day the link was made. */
    listFen: money(1),
    priceFen: money(1),
    /** The discount somebody agreed to: good for one piece of one order. */
    discountId: optional(ref('sales-request')),
    usedOrderId: optional(ref('order')),
    /** The last day it sells at its price. */
    expiresOn: day(),
    visits: number(0, MOST),
    leads: number(0, MOST),
    orders: number(0, MOST),
    amountFen: money(),
    shortOrders: number(0, MOST),
    createdAt: instant(),
    /** Its short address, and that as a code while it is in force: rows of dark and light. */
    handedOn: inDetail(z.strictObject({ address: z.string(), squares: z.array(z.string()) })),
    version: version(),
  }),
  title: 'code',
  brief: ['code', 'productId', 'priceFen', 'ownerId', 'expiresOn'],
  list: {
    columns: [
      'code',
      'productId',
      'priceFen',
      'status',
      // What came of it stays where there is room for few.
      'amountFen',
      'orders',
      'leads',
      'visits',
      'expiresOn',
      'ownerId',
      'shortOrders',
      'listFen',
      'discountId',
      'usedOrderId',
      'createdAt',
    ],
    below: { createdAt: 'code', expiresOn: 'status', ownerId: 'productId' },
    filters: ['status', 'ownerId', 'productId', 'expiresOn', 'createdAt', 'shortOrders'],
    sort: ['expiresOn', 'visits', 'leads', 'orders', 'amountFen', 'createdAt'],
    tabs: 'status',
    search: ['code'],
  },
  create: ['productId', 'discountId', 'expiresOn'],
  asks: { forId: optional(colleague(area.screens.link, 'create')) },
  actions: ['list', 'detail', 'create', 'export'],
  scope: 'owned',
})
export type Link = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'link',
  table: 'sales_link',
  label: { name: 'code', note: null, tone: 'status' },
  search: ['code'],
  scope: 'owned',
})

export const workflow = defineWorkflowWith<Standing>()(resource)({
  field: 'status',
  // Sold and expired by what happens; a discount whose order came to nothing can be used again.
  arrivals: ['ACTIVE', 'USED', 'EXPIRED'],
  steps: {
    extend: {
      from: ['ACTIVE', 'EXPIRED'],
      to: 'ACTIVE',
      guard: whyNotExtend,
      input: { expiresOn: day() },
      aside: true,
      back: 'undo',
    },
    close: { from: ['ACTIVE'], to: 'CLOSED', aside: true, danger: true, back: 'undo' },
  },
})
