import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, money, optional, reference } from '#kit/model/field.ts'
import { resource } from '../model.ts'
import { OUTCOMES } from '../price.model.ts'

/** What was ordered by a link, and how the price came about. */
export const child = defineChild({
  of: resource,
  name: 'orders',
  by: 'linkId',
  table: 'sales_link_order',
  record: z.strictObject({
    id: id(),
    linkId: reference('link'),
    orderId: reference('order'),
    outcome: choice(OUTCOMES),
    amountFen: money(),
    toldFen: optional(money()),
    paidFen: money(),
    at: instant(),
  }),
  title: 'at',
  list: {
    columns: ['orderId', 'at', 'outcome', 'amountFen', 'paidFen', 'toldFen'],
    filters: ['outcome', 'at'],
    sort: [],
    search: [],
  },
})
