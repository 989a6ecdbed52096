import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, day, id, instant, optional, reference } from '#kit/model/field.ts'
import type { RecordOf } from '#kit/model/resource.ts'
import { HELD_TONES, resource } from '../model.ts'

/** Who holds a coupon, and what became of each one: only members this person may see. */
export const child = defineChild({
  of: resource,
  name: 'holders',
  by: 'couponId',
  within: 'memberId',
  table: 'member_coupon',
  record: z.strictObject({
    id: id(),
    couponId: reference('coupon'),
    memberId: reference('member'),
    status: choice(HELD_TONES),
    takenAt: instant(),
    validFrom: day(),
    validTo: day(),
    orderId: optional(reference('order')),
    usedAt: optional(instant()),
    issuedBy: optional(reference('staff')),
  }),
  title: 'memberId',
  list: {
    columns: ['memberId', 'status', 'takenAt', 'validFrom', 'validTo', 'orderId', 'usedAt', 'issuedBy'],
    filters: ['status'],
    sort: [],
    tabs: 'status',
    search: [],
  },
})
export type Holder = RecordOf<typeof child.resource>
