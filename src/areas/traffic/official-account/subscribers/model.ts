import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, dictionary, flag, id, instant, number, optional, reference } from '#kit/model/field.ts'
import { resource } from '../model.ts'

/** Who follows an account, or did; who it is only the platform knows. */
export const child = defineChild({
  of: resource,
  name: 'subscribers',
  by: 'accountId',
  table: 'account_follower',
  record: z.strictObject({
    id: id(),
    accountId: id(),
    status: choice({ FOLLOWING: 'done', LEFT: 'idle', NEVER: 'attention' }),
    sceneId: optional(reference('account-scene')),
    cameBy: optional(dictionary('FOLLOWED_BY')),
    firstAt: instant(),
    leftAt: optional(instant()),
    times: number(0, 1_000_000),
    isLead: flag(),
    isMember: flag(),
  }),
  title: 'firstAt',
  list: {
    columns: ['firstAt', 'status', 'sceneId', 'cameBy', 'times', 'isLead', 'isMember', 'leftAt'],
    filters: ['firstAt', 'sceneId', 'cameBy', 'isLead', 'isMember'],
    sort: ['firstAt'],
    usual: 'firstAt:desc',
    tabs: 'status',
    search: [],
  },
})
