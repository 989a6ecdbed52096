import { dayOf } from '#kit/model/time.ts'

/** What a guardian is asked about, each by itself: pictures, voice and films of the child, showing its works, advertising. */
export const PURPOSES = ['PICTURE', 'VOICE', 'VIDEO', 'DISPLAY', 'MARKETING'] as const
export type Purpose = (typeof PURPOSES)[number]

export type Act = 'GIVEN' | 'WITHDRAWN'

/** Who agrees: the guardian, or from fourteen on the pupil too. */
export const SPEAKERS = ['GUARDIAN', 'PUPIL'] as const
export type Speaker = (typeof SPEAKERS)[number]

/** From this age on pupils agree for themselves (PIPL, article 31). */
const OWN_WORD_AGE = 14

/** What somebody said about purposes, and what shows that it was said. */
export type Said = {
  readonly memberId: string
  /** The number advertising would go to. */
  readonly phone: string
  readonly purposes: readonly Purpose[]
  readonly act: Act
  /** How it was said: a value of CONSENT_WAY. */
  readonly way: string
  readonly saidAs: Speaker
  readonly saidBy: string
  readonly textVersion: string | null
  readonly evidence: string | null
  /** Pictures of it, which stand with the member. */
  readonly proof?: readonly string[]
  readonly happenedAt: Date
}

type Moment = { readonly act: Act; readonly happenedAt: Date }
export type Word = Moment & { readonly saidAs: Speaker }

/** Of two words on one purpose the later one counts, in whatever order they arrive; of two of the same moment the no. */
export function outweighs(word: Moment, standing: Moment | undefined): boolean {
  if (!standing) return true
  const later = word.happenedAt.getTime() - standing.happenedAt.getTime()
  return later > 0 || (later === 0 && (word.act === 'WITHDRAWN' || standing.act === 'GIVEN'))
}

/** "2012-05" however people write it: "2012年5月", "2012/5", "201205". Gives nothing for what is no month, or lies ahead. */
export function readBirthMonth(typed: string, today: string): string | undefined {
  const [, year, month = ''] =
    /^((?:19|20)\d\d)(?:[-/.年 ]*)(0?[1-9]|1[0-2])月?$/.exec(typed.normalize('NFKC').trim()) ?? []
  const read = `${year}-${month.padStart(2, '0')}`
  return year !== undefined && read <= today.slice(0, 7) ? read : undefined
}

/**
 * The first day on which somebody born in this month is surely fourteen, however birthdays are counted: the first of the
 * month after.
 */
export function ownWordFrom(birthMonth: string): string {
  const [year = 0, month = 0] = birthMonth.split('-').map(Number)
  const isDecember = month === 12
  return `${year + OWN_WORD_AGE + (isDecember ? 1 : 0)}-${String(isDecember ? 1 : month + 1).padStart(2, '0')}-01`
}

export const AGE_GROUPS = ['UNDER_14', 'FROM_14', 'UNKNOWN'] as const
type AgeGroup = (typeof AGE_GROUPS)[number]

/** Whoever was born nobody knows when counts as under fourteen wherever it matters. */
export function ageGroupOf(birthMonth: string | null, day: string): AgeGroup {
  if (birthMonth === null) return 'UNKNOWN'
  return day >= ownWordFrom(birthMonth) ? 'FROM_14' : 'UNDER_14'
}

type Lack = 'NEVER_ASKED' | 'WITHDRAWN' | 'TOO_YOUNG'

/**
 * Why nothing may rest on the word that stands of a purpose; nothing where something may. A guardian's yes counts at any
 * age, a pupil's own where the pupil was fourteen on the day it was said.
 */
export function whyNotAgreed(word: Word | undefined, birthMonth: string | null): Lack | undefined {
  if (!word) return 'NEVER_ASKED'
  if (word.act === 'WITHDRAWN') return 'WITHDRAWN'
  const isOwn = word.saidAs === 'PUPIL'
  return isOwn && ageGroupOf(birthMonth, dayOf(word.happenedAt)) !== 'FROM_14' ? 'TOO_YOUNG' : undefined
}

/** What operators let people answer to advertising; in Chinese characters too, and however it is typed. */
const REFUSALS = /^(r|t|td|n|0000|退订|拒收|拒收请回复r)$/

/** Whether an answer to a text message says that its sender wants no more of them. */
export const isOptOut = (answered: string): boolean =>
  REFUSALS.test(
    answered
      .normalize('NFKC')
      .replace(/[\s.。!！]/g, '')
      .toLowerCase(),
  )
