import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { day, id, number, reference } from '#kit/model/field.ts'
import { resource } from '../model.ts'

/** How many came by a link on each day, everybody once. */
export const child = defineChild({
  of: resource,
  name: 'days',
  by: 'linkId',
  table: 'sales_link_day',
  record: z.strictObject({
    id: id(),
    linkId: reference('link'),
    day: day(),
    visits: number(1, 2_147_483_647),
  }),
  title: 'day',
  list: { columns: ['day', 'visits'], filters: ['day'], sort: [], search: [] },
})
