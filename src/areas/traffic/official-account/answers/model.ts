import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, longText, optional, text } from '#kit/model/field.ts'
import { resource } from '../model.ts'

/** What an account has answered by itself, and whether it arrived. What was typed is not kept. */
export const child = defineChild({
  of: resource,
  name: 'answers',
  by: 'accountId',
  table: 'account_answer',
  record: z.strictObject({
    id: id(),
    accountId: id(),
    kind: choice({ WELCOME: 'special', KEYWORD: 'busy' }),
    keyword: optional(text(50)),
    reply: longText(600),
    state: choice({ WAITING: 'busy', SENT: 'done', REFUSED: 'failed', UNKNOWN: 'attention', DROPPED: 'idle' }),
    error: optional(text(200)),
    createdAt: instant(),
  }),
  title: 'reply',
  list: {
    columns: ['createdAt', 'kind', 'keyword', 'reply', 'state', 'error'],
    filters: ['createdAt', 'kind'],
    sort: [],
    tabs: 'state',
    search: [],
  },
})
