import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { dictionary, flag, id, instant, kept, number, optional, reference, text } from '#kit/model/field.ts'
import type { RecordOf } from '#kit/model/resource.ts'
import { resource } from '../model.ts'
import { passedOver } from '../rules.model.ts'

const MOST_MINUTES = 1_000_000

/** The leads somebody was given by the rules, and why nobody else. */
export const child = defineChild({
  of: resource,
  name: 'decisions',
  by: 'consultantId',
  table: 'allocation_decision',
  record: z.strictObject({
    id: id(),
    consultantId: optional(id()),
    createdAt: instant(),
    ruleName: optional(text(50)),
    isFallback: flag(),
    source: dictionary('MEMBER_SOURCE'),
    channel: dictionary('CHANNEL'),
    productId: optional(reference('product')),
    waited: number(0, MOST_MINUTES),
    passed: kept(z.array(passedOver)),
  }),
  title: 'ruleName',
  list: {
    columns: ['createdAt', 'ruleName', 'passed', 'source', 'channel', 'productId', 'waited', 'isFallback'],
    filters: ['createdAt'],
    sort: [],
    search: [],
  },
})
export type Decided = RecordOf<typeof child.resource>
