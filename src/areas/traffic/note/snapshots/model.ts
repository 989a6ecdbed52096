import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { day, id, instant, number, reference } from '#kit/model/field.ts'
import { MOST, resource } from '../model.ts'

const counted = () => number(0, MOST)

/** How a note stood at the end of a day: all reads until then, not those of the day. */
export const child = defineChild({
  of: resource,
  name: 'snapshots',
  by: 'noteId',
  table: 'note_snapshot',
  record: z.strictObject({
    id: id(),
    noteId: reference('note'),
    day: day(),
    reads: counted(),
    likes: counted(),
    saves: counted(),
    comments: counted(),
    messages: counted(),
    reportedAt: instant(),
  }),
  title: 'day',
  list: {
    columns: ['day', 'reads', 'likes', 'saves', 'comments', 'messages', 'reportedAt'],
    filters: ['day'],
    sort: ['day'],
    usual: 'day:desc',
    search: [],
  },
})
