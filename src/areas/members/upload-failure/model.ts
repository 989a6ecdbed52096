import * as z from 'zod'
import {
  choice,
  code,
  dictionary,
  id,
  instant,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** The app could not send a pupil's work: whoever knows it first can help before the family gives up. */
export const resource = defineResource({
  screen: area.screens['upload-failure'],
  table: 'upload_failure',
  record: z.strictObject({
    id: id(),
    memberId: ref('member'),
    task: text(100),
    opusId: code(64),
    error: dictionary('UPLOAD_ERROR'),
    said: text(200),
    clientVersion: text(40),
    network: choice({ WIFI: 'idle', CELLULAR: 'idle', OFFLINE: 'idle', UNKNOWN: 'idle' }),
    bytes: optional(number(0, 2_000_000_000)),
    times: number(1, 1_000_000),
    retries: number(0, 1_000_000),
    lastAt: instant(),
    status: choice({ NEW: 'attention', RETRYING: 'busy', CONTACTED: 'busy', SOLVED: 'done', IGNORED: 'idle' }),
    ownerId: optional(ref('staff')),
    teacherId: optional(ref('staff')),
    createdAt: instant(),
    version: version(),
  }),
  title: 'memberId',
  brief: ['task', 'memberId', 'error', 'times', 'lastAt'],
  list: {
    columns: [
      'memberId',
      'task',
      'status',
      'error',
      'times',
      'lastAt',
      'clientVersion',
      'network',
      'bytes',
      'retries',
      'teacherId',
      'ownerId',
      'createdAt',
    ],
    filters: [
      'error',
      'clientVersion',
      'status',
      'network',
      'lastAt',
      'memberId',
      'teacherId',
      'ownerId',
      'task',
      'times',
    ],
    sort: ['times', 'lastAt'],
    usual: 'lastAt:desc',
    tabs: 'status',
    search: ['memberId', 'task'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  carer: 'teacherId',
  clock: { since: 'lastAt' },
})
export type UploadFailure = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['NEW', 'SOLVED'],
  path: () => ['status.NEW', 'status.RETRYING', 'status.SOLVED'],
  steps: {
    retry: { from: ['NEW', 'CONTACTED'], to: 'RETRYING', awaits: true, back: 'stays' },
    contacted: { from: ['NEW', 'RETRYING'], to: 'CONTACTED', back: 'undo' },
    solved: { from: ['NEW', 'RETRYING', 'CONTACTED'], to: 'SOLVED', back: 'undo' },
    ignore: { from: ['NEW', 'RETRYING', 'CONTACTED'], to: 'IGNORED', reason: true, aside: true, back: 'undo' },
  },
})
