import * as z from 'zod'
import {
  choice,
  code,
  day,
  dictionary,
  id,
  instant,
  money,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

export const MOST = 2_147_483_647
const counted = () => number(0, MOST)

/** What the platform calls a note. */
export const noteNo = () => code(64).regex(/^[0-9A-Za-z_-]+$/)
export const NOTE_TYPES = { PICTURES: 'special', VIDEO: 'busy' } as const

/** What we publish on the lifestyle platform: how it is read there, and what comes of it here. */
export const resource = defineResource({
  screen: area.screens.note,
  table: 'note',
  record: z.strictObject({
    id: id(),
    title: text(200),
    noteNo: noteNo(),
    account: dictionary('XHS_ACCOUNT'),
    noteType: choice(NOTE_TYPES),
    link: optional(text(500).regex(/^https:\/\/\S+$/)),
    operatorId: optional(ref('staff')),
    publishedAt: instant(),
    status: choice({ NORMAL: 'done', LIMITED: 'attention', VIOLATION: 'failed', DELETED: 'idle' }),
    reportedOn: optional(day()),
    reads: counted(),
    likes: counted(),
    saves: counted(),
    comments: counted(),
    messages: counted(),
    leads: counted(),
    added: counted(),
    orders: counted(),
    gmvFen: money(),
    createdAt: instant(),
    version: version(),
  }),
  title: 'title',
  brief: ['title', 'account', 'publishedAt'],
  list: {
    columns: [
      'title',
      'account',
      'publishedAt',
      'status',
      'reads',
      'likes',
      'leads',
      'orders',
      'gmvFen',
      'saves',
      'comments',
      'messages',
      'added',
      'operatorId',
      'noteType',
      'noteNo',
      'reportedOn',
    ],
    below: { noteNo: 'title', operatorId: 'publishedAt' },
    filters: ['account', 'publishedAt', 'operatorId', 'noteType', 'status'],
    sort: ['publishedAt', 'reads', 'likes', 'leads', 'gmvFen'],
    usual: 'publishedAt:desc',
    tabs: 'status',
    search: ['title', 'noteNo'],
  },
  create: ['title', 'noteNo', 'account', 'noteType', 'link', 'operatorId', 'publishedAt'],
  edit: ['title', 'account', 'noteType', 'link', 'operatorId', 'publishedAt'],
  actions: ['list', 'detail', 'create', 'update', 'export'],
  scope: 'shared',
})
export type Note = RecordOf<typeof resource>

const SEEN = ['NORMAL', 'LIMITED', 'VIOLATION'] as const

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['NORMAL'],
  steps: {
    markLimited: { from: ['NORMAL'], to: 'LIMITED', aside: true, back: 'undo' },
    markNormal: { from: ['LIMITED', 'VIOLATION', 'DELETED'], to: 'NORMAL', back: 'undo' },
    markViolation: {
      from: ['NORMAL', 'LIMITED'],
      to: 'VIOLATION',
      reason: true,
      danger: true,
      aside: true,
      back: 'undo',
    },
    markDeleted: { from: SEEN, to: 'DELETED', danger: true, aside: true, back: 'undo' },
  },
})

export const reference = defineReference({
  name: 'note',
  table: 'note',
  label: { name: 'title', note: { column: 'note_no', personal: null }, tone: 'status' },
  search: ['title', 'note_no'],
  scope: 'shared',
})
