import * as z from 'zod'
import { STATUS_TONES } from '#engines/contact/model.ts'
import { defineChild } from '#kit/model/child.ts'
import { choice, code, dictionary, id, instant, number, optional, personal, reference } from '#kit/model/field.ts'
import { resource } from '../model.ts'

const MAX_CODE = 999_999

/** With whom somebody chats on the platform, and into whose hands each of them goes. */
export const child = defineChild({
  of: resource,
  name: 'contacts',
  by: 'staffId',
  table: 'chat_contact',
  record: z.strictObject({
    id: id(),
    staffId: reference('staff'),
    name: optional(personal('chat', 100)),
    memberId: optional(reference('member')),
    addWay: dictionary('CONTACT_ADD_WAY'),
    channel: optional(code(64)),
    since: instant(),
    status: choice(STATUS_TONES),
    successorId: optional(reference('staff')),
    askedAt: optional(instant()),
    effectiveAt: optional(instant()),
    errcode: optional(number(-MAX_CODE, MAX_CODE)),
    lostAt: optional(instant()),
  }),
  title: 'name',
  list: {
    columns: [
      'name',
      'memberId',
      'status',
      'successorId',
      'askedAt',
      'effectiveAt',
      'errcode',
      'addWay',
      'channel',
      'since',
      'lostAt',
    ],
    filters: ['status'],
    sort: [],
    tabs: 'status',
    search: [],
  },
})
