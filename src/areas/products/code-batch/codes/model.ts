import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, inDetail, instant, optional, reference, text } from '#kit/model/field.ts'
import { label, type RecordOf } from '#kit/model/resource.ts'
import { CODE_STATES, resource } from '../model.ts'

/** The codes of a batch, by their last four characters. Whose a code is, is told to those who may see that redemption. */
export const child = defineChild({
  of: resource,
  name: 'codes',
  by: 'batchId',
  table: 'redemption_code',
  record: z.strictObject({
    id: id(),
    batchId: reference('code-batch'),
    last4: text(4),
    status: choice(CODE_STATES),
    member: optional(inDetail(label)),
    redeemedAt: optional(inDetail(instant())),
  }),
  title: 'last4',
  list: { columns: ['last4', 'status'], filters: ['status'], sort: [], usual: 'id:asc', tabs: 'status', search: [] },
})
export type Code = RecordOf<typeof child.resource>
