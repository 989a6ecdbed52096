import type { Tone } from '#kit/model/field.ts'

/** What the platform takes in one call. */
const MOST_A_CALL = 100
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What was accepted holds after so long, unless the customer refuses. */
export const EFFECT_MS = DAY_MS
/** A customer who was handed on so often between colleagues at work stays where they are for so long. */
const MOST_HANDED_ON = 2
const PROTECTED_MS = 90 * DAY_MS
/** Before that, "no record" may only mean that the platform has not written it down yet. */
const RECORD_MS = HOUR_MS

/** How a contact stands: with its colleague, gone, or as its last transfer does. */
export const STATUS_TONES = {
  HELD: 'done',
  ASKED: 'busy',
  UNKNOWN: 'attention',
  WAITING: 'busy',
  DONE: 'done',
  REFUSED: 'failed',
  FULL: 'failed',
  NO_RECORD: 'failed',
  PROTECTED: 'attention',
  REJECTED: 'failed',
  LOST: 'idle',
} as const satisfies Readonly<Record<string, Tone>>
type ContactStatus = keyof typeof STATUS_TONES
export type TransferStatus = Exclude<ContactStatus, 'HELD' | 'LOST'>

/** Under way: not sent yet, sent without an answer, accepted. */
export const OPEN = ['ASKED', 'UNKNOWN', 'WAITING'] as const satisfies readonly TransferStatus[]
/** What is the colleague's and goes along with a hand-over; what did not arrive last time is asked for again. */
export const GOES_ALONG = ['HELD', 'FULL', 'NO_RECORD', 'REJECTED'] as const satisfies readonly ContactStatus[]
/** A customer who said no is not asked again; who is protected may go when the colleague leaves. */
export const STAYS = ['REFUSED', 'PROTECTED'] as const satisfies readonly ContactStatus[]

/** The platform's states of a transfer. */
const PLATFORM_STATES = {
  1: 'DONE',
  2: 'WAITING',
  3: 'REFUSED',
  4: 'FULL',
  5: 'NO_RECORD',
} as const satisfies Readonly<Record<number, TransferStatus>>
export type PlatformState = keyof typeof PLATFORM_STATES

/** Why a transfer came to nothing, where the platform tells so by itself. */
export const REASONS = {
  customer_refused: 'REFUSED',
  customer_limit_exceed: 'FULL',
} as const satisfies Readonly<Record<string, TransferStatus>>

/** What a code or link of ours sends along; anything else a customer came by is not of our making. */
export const STATE_FORM = /^[ -~]{1,64}$/

/** How they met, as long as nobody has asked. */
export const NOT_SAID = '0'

/** What the platform says of one contact when it is asked to move it. */
const ANSWERS: Readonly<Record<number, TransferStatus>> = {
  0: 'WAITING',
  // On its way already.
  40100: 'WAITING',
  40129: 'WAITING',
  40099: 'FULL',
  40128: 'PROTECTED',
}
export const answeredAs = (errcode: number): TransferStatus => ANSWERS[errcode] ?? 'REJECTED'

/** Contacts in calls as large as the platform takes them. */
export const inCalls = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / MOST_A_CALL) }, (_, nth) =>
    all.slice(nth * MOST_A_CALL, (nth + 1) * MOST_A_CALL),
  )

/** Until when a customer who was handed on at these times stays where they are; nothing where they may go. */
export function protectedUntil(handedOn: readonly Date[], now: Date): Date | undefined {
  const lately = handedOn.map(at => at.getTime()).filter(at => at > now.getTime() - PROTECTED_MS)
  return lately.length < MOST_HANDED_ON ? undefined : new Date(Math.max(...lately) + PROTECTED_MS)
}

/** Where the platform refuses without saying until when, the longest it can be. */
export const longestProtection = (now: Date): Date => new Date(now.getTime() + PROTECTED_MS)

/** What follows from a state the platform tells of an open transfer; nothing where it stays as it is. */
export function follows(
  state: PlatformState,
  { status, calledAt }: { readonly status: TransferStatus; readonly calledAt: Date },
  now: Date,
): TransferStatus | undefined {
  const told = PLATFORM_STATES[state]
  if (told === status) return undefined
  const isTooEarly = told === 'NO_RECORD' && now.getTime() - calledAt.getTime() < RECORD_MS
  return isTooEarly ? undefined : told
}
