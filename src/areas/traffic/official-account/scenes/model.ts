import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, code, dictionary, id, inDetail, instant, number, optional, reference, text } from '#kit/model/field.ts'
import type { RecordOf } from '#kit/model/resource.ts'
import { resource } from '../model.ts'

const MOST = 2_147_483_647

/** The codes people follow an account by, each with what it brought. */
export const child = defineChild({
  of: resource,
  name: 'scenes',
  by: 'accountId',
  table: 'account_scene',
  record: z.strictObject({
    id: id(),
    accountId: id(),
    name: text(50),
    stateCode: code(30),
    status: choice({ WAITING: 'busy', OPEN: 'done', FAILED: 'failed', CLOSED: 'idle', EXPIRED: 'idle' }),
    channel: dictionary('CHANNEL'),
    keeperId: optional(reference('staff')),
    validUntil: optional(instant()),
    link: optional(text(200)),
    /** The link as a code: rows of dark and light. */
    squares: inDetail(z.array(z.string())),
    error: optional(text(200)),
    followed: number(0, MOST),
    followers: number(0, MOST),
    scans: number(0, MOST),
    leads: number(0, MOST),
    createdAt: instant(),
  }),
  title: 'name',
  list: {
    columns: [
      'name',
      'stateCode',
      'status',
      'followed',
      'followers',
      'scans',
      'leads',
      'channel',
      'keeperId',
      'validUntil',
      'createdAt',
    ],
    filters: ['channel', 'keeperId'],
    sort: ['followed'],
    tabs: 'status',
    search: [],
  },
})
export type Scene = RecordOf<typeof child.resource>
