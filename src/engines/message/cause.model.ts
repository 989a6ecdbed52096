import type { Tone } from '#kit/model/field.ts'
import type { Fault, Judged } from './model.ts'

/** Why a message has not reached anybody: what binds us, what a provider says, or that nobody says anything. */
type Cause = Extract<Judged, { cause: string }>['cause'] | Fault | 'NO_ANSWER' | 'NOT_REACHED' | 'TOO_LATE'

export const CAUSES = {
  QUIET_HOURS: 'special',
  NO_CONSENT: 'idle',
  OPTED_OUT: 'idle',
  OTHER_NUMBER: 'attention',
  LATELY: 'idle',
  NO_ADDRESS: 'attention',
  NO_ANSWER: 'attention',
  NOT_REACHED: 'failed',
  TOO_LATE: 'failed',
  BAD_ADDRESS: 'failed',
  BLOCKED: 'failed',
  LIMITED: 'failed',
  SWITCHED_OFF: 'failed',
  TEMPLATE: 'failed',
  ACCOUNT: 'failed',
  REJECTED: 'failed',
} as const satisfies Record<Cause, Tone>
