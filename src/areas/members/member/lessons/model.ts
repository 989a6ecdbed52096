import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, number, optional, reference, text } from '#kit/model/field.ts'
import { resource } from '../model.ts'

/** Lessons a pupil took part in, as the app tells them: each counts once, when the pupil is through with it. */
export const child = defineChild({
  of: resource,
  name: 'lessons',
  by: 'memberId',
  table: 'lesson_taken',
  record: z.strictObject({
    id: id(),
    memberId: reference('member'),
    title: text(100),
    kind: choice({ LIVE: 'special', RECORDED: 'idle' }),
    percent: number(0, 100),
    status: choice({ BEGUN: 'busy', COUNTED: 'done', FREE: 'idle' }),
    begunAt: instant(),
    lastAt: instant(),
    countedAt: optional(instant()),
  }),
  title: 'title',
  list: {
    columns: ['title', 'kind', 'percent', 'status', 'begunAt', 'lastAt', 'countedAt'],
    filters: ['status'],
    sort: [],
    tabs: 'status',
    search: [],
  },
})
