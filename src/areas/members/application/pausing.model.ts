import { type Pause, pausedDays } from '#engines/entitlement/model.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { addDays } from '#kit/model/time.ts'

export const MAX_PAUSE_DAYS = 180
/** So far ahead a pause may be asked for. */
const MOST_AHEAD = 90
/** What was paused in so many days before the first day counts against the bound of a year. */
const YEAR_DAYS = 365

export type Wanted = { readonly from: string; readonly days: number }

/** What is known of the member when a pause is asked for, and again when it is agreed to. */
export type Standing = {
  readonly today: string
  readonly membershipEndsOn: string | null
  readonly pauses: readonly Pause[]
  readonly openRefunds: number
  readonly isClosing: boolean
  readonly daysAYear: number
}

type Field = 'memberId' | 'pauseFrom' | 'pauseDays'
type Why = { readonly field: Field; readonly refusal: Refusal }
const because = (field: Field, code: string, params: Refusal['params'] = {}): Why => ({
  field,
  refusal: refuse(code, params),
})

/** Why a membership cannot be paused so, and which field says it; nothing when it can. */
export function whyNotPause({ from, days }: Wanted, standing: Standing): Why | undefined {
  const { today, pauses, daysAYear } = standing
  const latest = addDays(today, MOST_AHEAD)
  if (from < today) return because('pauseFrom', 'pause-past')
  if (from > latest) return because('pauseFrom', 'pause-too-far', { latest })
  const inTheWay = whyNotMember(from, standing)
  if (inTheWay) return inTheWay
  const left = Math.max(0, daysAYear - pausedDays(pauses, addDays(from, -YEAR_DAYS), addDays(from, -1)))
  return days > left ? because('pauseDays', 'pause-too-long', { max: daysAYear, left }) : undefined
}

function whyNotMember(from: string, standing: Standing): Why | undefined {
  const { today, membershipEndsOn, pauses, openRefunds, isClosing } = standing
  if (isClosing) return because('memberId', 'pause-closing')
  if (openRefunds > 0) return because('memberId', 'pause-refund')
  if (membershipEndsOn === null || membershipEndsOn < today) return because('memberId', 'pause-no-days')
  if (membershipEndsOn < from) return because('pauseFrom', 'pause-after-end', { day: membershipEndsOn })
  const other = pauses.find(({ endsOn }) => endsOn >= today)
  return other && because('memberId', 'pause-twice', { from: other.startsOn, until: other.endsOn })
}

/** The days it is about: agreed to late, it begins on that day, and lasts as long as was asked for. */
export function pauseOf({ from, days }: Wanted, today: string): Pause {
  const startsOn = from > today ? from : today
  return { startsOn, endsOn: addDays(startsOn, days - 1) }
}
