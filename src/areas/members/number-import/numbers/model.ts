import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, number, optional, personal, reference } from '#kit/model/field.ts'
import { resource } from '../model.ts'

const LAST_ROW = 2_147_483_647

/** The numbers of a list that were new, and how far each has come. */
export const child = defineChild({
  of: resource,
  name: 'numbers',
  by: 'batchId',
  table: 'number_row',
  record: z.strictObject({
    id: id(),
    batchId: reference('number-import'),
    rowNo: number(1, LAST_ROW),
    phone: optional(personal('phone', 20)),
    reached: choice({
      IMPORTED: 'attention',
      ALLOCATED: 'special',
      CONTACTED: 'busy',
      ADDED: 'busy',
      REGISTERED: 'busy',
      PAID: 'done',
    }),
    result: choice({ OPEN: 'busy', REGISTERED: 'attention', PAID: 'done', INVALID: 'idle' }),
    heldBy: optional(reference('staff')),
    contactedAt: optional(instant()),
    addedAt: optional(instant()),
    ownerId: optional(reference('staff')),
  }),
  title: 'rowNo',
  list: {
    columns: ['rowNo', 'phone', 'reached', 'heldBy', 'contactedAt', 'addedAt', 'result', 'ownerId'],
    filters: ['result', 'reached', 'heldBy', 'ownerId', 'id'],
    sort: [],
    usual: 'id:asc',
    tabs: 'result',
    search: [],
  },
})
