import * as z from 'zod'
import {
  choice,
  colleague,
  dictionary,
  id,
  instant,
  number,
  optional,
  personal,
  reference as ref,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** How far somebody came, the furthest last. */
const STEPS = { PHONE: 'idle', CODE_SENT: 'attention', CODE_ENTERED: 'busy', PROFILE: 'special' } as const
export type RegistrationStep = keyof typeof STEPS
export const REGISTRATION_STEPS = Object.keys(STEPS) as [RegistrationStep, ...RegistrationStep[]]

/** What was told late does not lead back. */
export const further = (one: RegistrationStep, other: RegistrationStep): RegistrationStep =>
  REGISTRATION_STEPS.indexOf(one) > REGISTRATION_STEPS.indexOf(other) ? one : other

/** Somebody began to register in the app and has not come to the end; whoever registers after all is through by itself. */
export const resource = defineResource({
  screen: area.screens.registration,
  table: 'registration',
  record: z.strictObject({
    id: id(),
    phone: optional(personal('phone', 20)),
    source: dictionary('MEMBER_SOURCE'),
    channel: dictionary('CHANNEL'),
    step: choice(STEPS),
    codeSentAt: optional(instant()),
    status: choice({ WAITING: 'attention', REMINDED: 'busy', REGISTERED: 'done', INVALID: 'idle' }),
    reminders: number(0, 1_000),
    remindedAt: optional(instant()),
    lastAt: instant(),
    ownerId: optional(ref('staff')),
    becameId: optional(ref('member')),
    createdAt: instant(),
    version: version(),
  }),
  title: 'phone',
  brief: ['phone', 'step', 'source', 'ownerId', 'becameId', 'lastAt'],
  list: {
    columns: [
      'phone',
      'source',
      'step',
      'status',
      'codeSentAt',
      'lastAt',
      'ownerId',
      'becameId',
      'channel',
      'reminders',
      'remindedAt',
      'createdAt',
    ],
    below: { remindedAt: 'reminders' },
    filters: ['source', 'step', 'lastAt', 'status', 'channel', 'ownerId', 'codeSentAt', 'id'],
    sort: ['lastAt', 'codeSentAt'],
    usual: 'lastAt:desc',
    tabs: 'status',
    search: ['becameId'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  clock: { since: 'lastAt', hours: { WAITING: 24 } },
})
export type Registration = RecordOf<typeof resource>

type RegistrationFacts = { readonly nowMs: number }

/** Whoever does not answer three times does not want to. */
export const MAX_REMINDERS = 3
const HOUR_MS = 3_600_000
export const REMIND_AFTER_HOURS = 24

export function whyNotRemind(
  { phone, reminders, remindedAt }: Pick<Registration, 'phone' | 'reminders' | 'remindedAt'>,
  { nowMs }: RegistrationFacts,
): Refusal | undefined {
  if (phone === null) return refuse('number-forgotten')
  if (reminders >= MAX_REMINDERS) return refuse('reminded-enough', { max: MAX_REMINDERS })
  if (remindedAt !== null && nowMs - Date.parse(remindedAt) < REMIND_AFTER_HOURS * HOUR_MS)
    return refuse('reminded-lately', { hours: REMIND_AFTER_HOURS })
}

export const workflow = defineWorkflowWith<RegistrationFacts>()(resource)({
  field: 'status',
  arrivals: ['WAITING', 'REGISTERED', 'INVALID'],
  path: () => ['status.WAITING', 'status.REMINDED', 'status.REGISTERED'],
  steps: {
    remind: {
      from: ['WAITING', 'REMINDED'],
      to: 'REMINDED',
      guard: (row, _actor, facts) => whyNotRemind(row, facts),
      awaits: true,
      shows: ['reminders', 'remindedAt'],
      back: 'stays',
    },
    assign: {
      from: ['WAITING', 'REMINDED'],
      input: { newOwnerId: colleague(area.screens.member, 'own') },
      back: 'undo',
    },
    markInvalid: { from: ['WAITING', 'REMINDED'], to: 'INVALID', reason: true, aside: true, back: 'undo' },
  },
})
