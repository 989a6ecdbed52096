import * as z from 'zod'
import { choice, code, id, instant, number, optional, reference as ref, text, version } from '#kit/model/field.ts'
import { byAnother, onlyBy } from '#kit/model/four-eyes.ts'
import { formatCount, formatFen } from '#kit/model/money.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { UNITS, type Unit } from '#kit/model/setting.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Wider than any setting: which of them a key takes is said by its declaration. */
const MAX_VALUE = 2_000_000_000

const figure = () => number(0, MAX_VALUE)

/** One change of a business setting: in force at once, or proposed until a second person says yes. None is ever taken out. */
export const resource = defineResource({
  screen: area.screens.config,
  table: 'setting_change',
  record: z.strictObject({
    id: id(),
    key: code(100),
    /** As the house calls it, for whoever lists or searches; each reads it in his own language. */
    name: text(100),
    before: figure(),
    value: figure(),
    unit: choice({
      days: 'idle',
      percent: 'idle',
      fen: 'idle',
      coins: 'idle',
      coupons: 'idle',
      hour: 'idle',
      switch: 'idle',
    }),
    status: choice({
      PROPOSED: 'attention',
      IN_FORCE: 'done',
      REPLACED: 'idle',
      REFUSED: 'failed',
      WITHDRAWN: 'idle',
    }),
    reason: text(200),
    applicantId: optional(ref('staff')),
    decidedBy: optional(ref('staff')),
    /** The change whoever entered this one saw in force; none: the default. */
    basedOn: optional(id()),
    createdAt: instant(),
    inForceAt: optional(instant()),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'before', 'value', 'reason', 'applicantId'],
  list: {
    columns: [
      'name',
      'before',
      'value',
      'status',
      'reason',
      'applicantId',
      'decidedBy',
      'createdAt',
      'inForceAt',
      'unit',
      'key',
    ],
    filters: ['status', 'key', 'applicantId', 'createdAt'],
    sort: ['createdAt'],
    tabs: 'status',
    search: ['name', 'key'],
  },
  create: ['key', 'value', 'reason', 'basedOn'],
  actions: ['list', 'detail', 'create', 'export'],
  isKeptLong: true,
  scope: 'shared',
  clock: { since: 'createdAt', hours: { PROPOSED: 24 } },
  asked: { steps: ['create'], answers: ['confirm', 'refuse'] },
  // Each figure comes with what it counts, and its name says which it is.
  internal: ['unit', 'key'],
})
export type SettingChange = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['PROPOSED', 'IN_FORCE', 'REPLACED'],
  steps: {
    confirm: {
      from: ['PROPOSED'],
      to: 'IN_FORCE',
      guard: byAnother('applicantId', 'own-proposal'),
      awaits: true,
      back: 'stays',
    },
    refuse: {
      from: ['PROPOSED'],
      to: 'REFUSED',
      guard: byAnother('applicantId', 'own-withdraw'),
      reason: true,
      danger: true,
      back: 'undo',
    },
    withdraw: {
      from: ['PROPOSED'],
      to: 'WITHDRAWN',
      guard: onlyBy('applicantId', 'not-yours'),
      aside: true,
      back: 'undo',
    },
  },
})

/** How the page asks for what is in force: groups with their settings, in the words of whoever looks. */
const shownSetting = z.strictObject({
  key: z.string(),
  name: z.string(),
  help: z.string(),
  unit: z.enum(UNITS),
  min: z.int(),
  max: z.int(),
  default: z.int(),
  money: z.boolean(),
  value: z.int(),
  /** The change in force; none: the default is. */
  change: z
    .strictObject({
      id: z.string(),
      by: z.string().nullable(),
      decidedBy: z.string().nullable(),
      at: z.string(),
      reason: z.string(),
    })
    .nullable(),
  proposal: z
    .strictObject({
      id: z.string(),
      value: z.int(),
      by: z.string().nullable(),
      at: z.string(),
      /** Whether whoever looks may say yes to it. */
      mayConfirm: z.boolean(),
    })
    .nullable(),
})
export type ShownSetting = z.infer<typeof shownSetting>
export const shownGroup = z.strictObject({ group: z.string(), title: z.string(), settings: z.array(shownSetting) })
export type ShownGroup = z.infer<typeof shownGroup>

type Counted = Exclude<Unit, 'fen'>
type Say = (key: `in.${Counted}` | `in.${Counted}.one`, params: { count: string }) => string

/** "¥1,000.00", "7 days", "1 day", "On": a figure with what it counts. */
export function inUnit(say: Say, unit: Unit, value: number): string {
  if (unit === 'fen') return formatFen(value)
  return say(value === 1 ? `in.${unit}.one` : `in.${unit}`, { count: formatCount(value) })
}
