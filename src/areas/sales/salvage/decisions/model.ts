import * as z from 'zod'
import { passedOver } from '#areas/sales/consultant/rules.model.ts'
import { defineChild } from '#kit/model/child.ts'
import { flag, id, instant, kept, number, optional, reference, text } from '#kit/model/field.ts'
import type { RecordOf } from '#kit/model/resource.ts'
import { resource } from '../model.ts'

const MOST_MINUTES = 1_000_000

/** What the rules of allocation decided about a lead: by which rule, whom they gave it to, and who was passed over and why. */
export const child = defineChild({
  of: resource,
  name: 'decisions',
  by: 'leadId',
  table: 'allocation_decision',
  record: z.strictObject({
    id: id(),
    leadId: optional(id()),
    createdAt: instant(),
    ruleName: optional(text(50)),
    /** None where nobody could have it yet. */
    staffId: optional(reference('staff')),
    passed: kept(z.array(passedOver)),
    waited: number(0, MOST_MINUTES),
    isFallback: flag(),
  }),
  title: 'ruleName',
  list: {
    columns: ['createdAt', 'ruleName', 'staffId', 'passed', 'waited', 'isFallback'],
    filters: [],
    sort: [],
    search: [],
  },
})
export type Decided = RecordOf<typeof child.resource>
