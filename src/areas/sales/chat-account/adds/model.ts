import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, reference } from '#kit/model/field.ts'
import { resource } from '../model.ts'

/** Whom an account has added: what its daily quota is counted by. */
export const child = defineChild({
  of: resource,
  name: 'adds',
  by: 'accountId',
  table: 'chat_account_add',
  record: z.strictObject({
    id: id(),
    accountId: reference('chat-account'),
    at: instant(),
    staffId: reference('staff'),
    how: choice({ LEAD: 'busy', CONTACT: 'done' }),
  }),
  title: 'at',
  list: {
    columns: ['at', 'staffId', 'how'],
    filters: ['at', 'how', 'staffId'],
    sort: [],
    search: [],
  },
})
