import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, optional, reference } from '#kit/model/field.ts'
import { resource } from '../model.ts'

/** Who had an account, from when to when, and how it came and went. */
export const child = defineChild({
  of: resource,
  name: 'holders',
  by: 'accountId',
  table: 'chat_account_holder',
  record: z.strictObject({
    id: id(),
    accountId: reference('chat-account'),
    staffId: reference('staff'),
    since: instant(),
    until: optional(instant()),
    got: choice({ HANDED_OUT: 'done', MOVED: 'busy', REQUESTED: 'special', HANDED_OVER: 'attention' }),
    byId: optional(reference('staff')),
    endKind: optional(
      choice({ MOVED: 'busy', RECLAIMED: 'attention', RETURNED: 'idle', HANDED_OVER: 'attention', LEFT: 'failed' }),
    ),
    endedById: optional(reference('staff')),
  }),
  title: 'staffId',
  list: {
    columns: ['staffId', 'since', 'until', 'got', 'byId', 'endKind', 'endedById'],
    filters: ['staffId'],
    sort: [],
    search: [],
  },
})
