import * as z from 'zod'
import {
  anyReference,
  choice,
  code,
  id,
  inDetail,
  instant,
  keyed,
  longText,
  number,
  optional,
  text,
  version,
} from '#kit/model/field.ts'
import { defineResource, type RecordOf, type RowOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

/** One field before and after, in the reader's words; neither where the value was only looked at. */
const change = z.strictObject({
  id: z.string(),
  name: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type ShownChange = z.infer<typeof change>

/** A day of a clock, more than which no call takes. */
const MAX_DURATION_MS = 86_400_000

/** Whoever did something, when, to what, and what came of it: written with what it tells, and never changed. */
export const resource = defineResource({
  screen: area.screens['operation-log'],
  table: 'operation_log',
  record: z.strictObject({
    id: id(),
    at: instant(),
    /** Nobody: the console itself, or somebody at its command line. */
    actorId: optional(anyReference('staff')),
    actorName: longText(100),
    page: keyed(100),
    action: text(100),
    kind: choice({
      CREATE: 'idle',
      UPDATE: 'idle',
      DELETE: 'attention',
      STEP: 'idle',
      TAKE_BACK: 'attention',
      IMPORT: 'special',
      EXPORT: 'special',
      REVEAL: 'special',
    }),
    recordId: optional(id()),
    recordNo: optional(code(64)),
    result: choice({ DONE: 'done', REFUSED: 'failed' }),
    /** Why it was refused. */
    why: optional(inDetail(text())),
    reason: optional(longText(2_000)),
    changes: inDetail(z.array(change)),
    address: longText(100),
    durationMs: number(0, MAX_DURATION_MS),
    requestId: code(200),
    version: version(),
  }),
  title: 'action',
  brief: ['actorId', 'at', 'result'],
  evidence: ['why', 'reason', 'changes'],
  list: {
    columns: ['at', 'actorId', 'page', 'action', 'recordId', 'result', 'address', 'durationMs', 'requestId'],
    filters: ['at', 'actorId', 'page', 'kind', 'result', 'recordId'],
    sort: ['at'],
    search: ['recordNo'],
  },
  actions: ['list', 'detail', 'export'],
  scope: 'shared',
  // Page and record stand above the facts; the kind is what lines are found by.
  internal: ['actorName', 'recordNo', 'page', 'kind'],
})
export type LogLine = RecordOf<typeof resource>
export type LogRow = RowOf<typeof resource>

/** The list begins with these days: years of lines are asked for, not met with. */
export const BEGINS_WITH_DAYS = 30
