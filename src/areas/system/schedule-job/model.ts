import * as z from 'zod'
import { MAX_CRON } from '#kit/model/cron.ts'
import { choice, code, id, inDetail, instant, lines, number, optional, text, version } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { UNITS } from '#kit/model/setting.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const MOST = 2_147_483_647
export const NEXT_RUNS = 5

const parameter = z.strictObject({ name: text(60), value: number(-MOST, MOST) })
export type Parameter = z.infer<typeof parameter>

/** What the code says of a parameter. */
const declared = z.strictObject({
  name: text(60),
  label: text(100),
  unit: z.enum(UNITS),
  min: z.int(),
  max: z.int(),
  default: z.int(),
})
export type DeclaredParameter = z.infer<typeof declared>

/** What the console repeats by the calendar: one for each job the code declares. */
export const resource = defineResource({
  screen: area.screens['schedule-job'],
  table: 'schedule_job',
  record: z.strictObject({
    id: id(),
    name: text(100),
    handler: code(100),
    about: inDetail(text(300)),
    status: choice({ ENABLED: 'done', DISABLED: 'failed', RETIRED: 'idle' }),
    cron: text(MAX_CRON),
    nextDueAt: optional(instant()),
    runningSince: optional(instant()),
    runDone: optional(number(0, MOST)),
    runTotal: optional(number(0, MOST)),
    lastStatus: optional(choice({ SUCCEEDED: 'done', FAILED: 'failed', STOPPED: 'attention', LOST: 'failed' })),
    lastEndedAt: optional(instant()),
    misfire: choice({ SKIP: 'idle', RUN_ONCE: 'busy' }),
    parameters: lines(parameter, 20),
    declaredCron: text(MAX_CRON),
    nextRuns: inDetail(z.array(instant())),
    declared: inDetail(z.array(declared)),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'cron', 'lastStatus'],
  list: {
    columns: ['name', 'status', 'cron', 'nextDueAt', 'lastStatus', 'lastEndedAt', 'runningSince', 'misfire', 'handler'],
    filters: ['lastStatus', 'misfire', 'lastEndedAt', 'status', 'nextDueAt'],
    sort: ['nextDueAt', 'lastEndedAt'],
    usual: 'id:asc',
    tabs: 'status',
    search: ['name', 'handler'],
  },
  edit: ['cron', 'misfire', 'parameters'],
  actions: ['list', 'detail', 'update', 'export'],
  scope: 'shared',
  internal: ['runDone', 'runTotal', 'declared'],
})
export type ScheduleJob = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['ENABLED', 'RETIRED'],
  steps: {
    stop: { from: 'any', to: 'same', guard: underWay, danger: true, alone: true, back: 'stays' },
    runNow: { from: ['ENABLED', 'DISABLED'], to: 'same', guard: notUnderWay, alone: true, back: 'stays' },
    enable: { from: ['DISABLED'], to: 'ENABLED', back: 'undo' },
    disable: { from: ['ENABLED'], to: 'DISABLED', aside: true, danger: true, reason: true, back: 'undo' },
  },
})

type Standing = Pick<ScheduleJob, 'runningSince'>

function underWay({ runningSince }: Standing): Refusal | undefined {
  if (runningSince === null) return refuse('not-running')
}

function notUnderWay({ runningSince }: Standing): Refusal | undefined {
  if (runningSince !== null) return refuse('is-running')
}

/** What a schedule means, before it is saved. */
export const preview = z.strictObject({ reading: z.string().nullable(), nextRuns: z.array(instant()) })
export type Preview = z.infer<typeof preview>

export const reference = defineReference({
  name: 'schedule-job',
  table: 'schedule_job',
  label: { name: 'name', note: { column: 'handler', personal: null }, tone: null },
  search: ['name'],
  scope: 'shared',
})
