import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, code, id, instant, longText, number, optional, reference } from '#kit/model/field.ts'
import type { RecordOf } from '#kit/model/resource.ts'
import { resource } from '../model.ts'

const MOST = 2_147_483_647

/** What became of each due time of a job, and of each run somebody asked for. */
export const child = defineChild({
  of: resource,
  name: 'runs',
  by: 'jobId',
  table: 'schedule_run',
  record: z.strictObject({
    id: id(),
    jobId: reference('schedule-job'),
    status: choice({
      WAITING: 'attention',
      RUNNING: 'busy',
      SUCCEEDED: 'done',
      FAILED: 'failed',
      STOPPED: 'attention',
      LOST: 'failed',
      SKIPPED: 'idle',
    }),
    cause: choice({ SCHEDULE: 'idle', MAKE_UP: 'special', BY_HAND: 'busy', CLOCK: 'idle' }),
    dueAt: optional(instant()),
    askedAt: instant(),
    startedAt: optional(instant()),
    endedAt: optional(instant()),
    durationMs: optional(number(0, MOST)),
    done: optional(number(0, MOST)),
    total: optional(number(0, MOST)),
    missed: number(0, MOST),
    missedFrom: optional(instant()),
    reason: optional(
      choice({
        BUSY: 'idle',
        AWAY: 'idle',
        CLOCK_BACK: 'idle',
        INSTANCE_DIED: 'failed',
        INSTANCE_STOPPED: 'attention',
        STOP_ASKED: 'attention',
      }),
    ),
    error: optional(longText(4_000)),
    askedBy: optional(reference('staff')),
    stopAskedAt: optional(instant()),
    stopBy: optional(reference('staff')),
    instance: optional(code(100)),
  }),
  title: 'askedAt',
  list: {
    columns: [
      'status',
      'cause',
      'startedAt',
      'durationMs',
      'done',
      'reason',
      'dueAt',
      'endedAt',
      'askedBy',
      'instance',
    ],
    filters: ['status', 'cause', 'askedAt'],
    sort: ['durationMs'],
    tabs: 'status',
    search: [],
  },
})
export type JobRun = RecordOf<typeof child.resource>
