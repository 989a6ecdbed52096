import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { day, id, instant, money, optional, reference } from '#kit/model/field.ts'
import { resource } from '../model.ts'

/** What somebody is to sell in a month, named by its first day. */
export const child = defineChild({
  of: resource,
  name: 'targets',
  by: 'consultantId',
  table: 'consultant_target',
  record: z.strictObject({
    id: id(),
    consultantId: id(),
    month: day(),
    targetFen: money(),
    staffId: optional(reference('staff')),
    createdAt: instant(),
  }),
  title: 'month',
  list: {
    columns: ['month', 'targetFen', 'staffId', 'createdAt'],
    filters: [],
    sort: [],
    search: [],
  },
})
