import { dayOf } from '#kit/model/time.ts'
import { type Came, type Rule, type RuleSet, ruleFor } from './rule.model.ts'
import { NO_TURN, next, type Turn } from './turn.model.ts'

/** What is known of a consultant when a lead is given: the terms, and how many there are already. */
export type Person = {
  readonly id: string
  /** Works here, and may sign in. */
  readonly isHere: boolean
  readonly isOn: boolean
  readonly weight: number
  readonly dailyCap: number | null
  readonly openCap: number | null
  /** Days of the week, Monday is 1; from this hour on, and no longer from that one on. */
  readonly days: readonly number[]
  readonly from: number
  readonly to: number
  /** Given today, whatever became of them. */
  readonly received: number
  /** Those nobody has spoken to yet. */
  readonly unspoken: number
  /** When one was given last, as a running number. */
  readonly last: number
}

/** Why somebody of a rule was passed over. */
export const WHY_NOT = ['NOT_HERE', 'PAUSED', 'HOLIDAY', 'OFF_HOURS', 'DAY_FULL', 'OPEN_FULL'] as const
export type WhyNot = (typeof WHY_NOT)[number]
export type Passed = { readonly id: string; readonly why: WhyNot }

const SHANGHAI_MS = 8 * 3_600_000

/** Why this person must not have a lead now. */
export function whyNot(person: Person | undefined, at: Date, holidays: readonly string[]): WhyNot | undefined {
  if (!person?.isHere) return 'NOT_HERE'
  if (!person.isOn) return 'PAUSED'
  if (holidays.includes(dayOf(at))) return 'HOLIDAY'
  const there = new Date(at.getTime() + SHANGHAI_MS)
  const hour = there.getUTCHours()
  const isAtWork = person.days.includes(there.getUTCDay() || 7) && person.from <= hour && hour < person.to
  if (!isAtWork) return 'OFF_HOURS'
  if (person.dailyCap !== null && person.received >= person.dailyCap) return 'DAY_FULL'
  if (person.openCap !== null && person.unspoken >= person.openCap) return 'OPEN_FULL'
}

export type Decision = {
  /** None where no rule takes what came. */
  readonly rule: Pick<Rule, 'key' | 'name'> | null
  /** Nobody yet: the lead waits. */
  readonly staffId: string | null
  readonly isFallback: boolean
  readonly passed: readonly Passed[]
  /** Whose turn it was: those it was between with their weights, how many they had had, and of how many. */
  readonly turn: TakenTurn | null
}
export type TakenTurn = Turn & { readonly key: string; readonly weights: Readonly<Record<string, number>> }

/** Waits for nothing but a place: somebody was at work, and had enough. */
export const isFull = ({ staffId, passed }: Pick<Decision, 'staffId' | 'passed'>): boolean =>
  staffId === null && passed.some(({ why }) => why === 'DAY_FULL' || why === 'OPEN_FULL')

/** What one round knows and changes as it goes on: each lead given counts for the next. */
export type State = { readonly people: Map<string, Person>; readonly turns: Map<string, Turn>; given: number }

/** Who gets this lead, by the rules of this moment, and why nobody else. Marks in the state that it was given. */
export function decide(set: RuleSet, came: Came, at: Date, state: State): Decision {
  const rule = ruleFor(set, came, dayOf(at))
  if (!rule) return { rule: null, staffId: null, isFallback: false, passed: [], turn: null }
  const named = { key: rule.key, name: rule.name }
  const passed: Passed[] = []
  for (const isFallback of [false, true]) {
    const group = rule.lines.filter(line => line.isFallback === isFallback)
    const eligible = group.flatMap(({ staffId, weight }) => {
      const person = state.people.get(staffId)
      const why = whyNot(person, at, set.holidays)
      if (why) passed.push({ id: staffId, why })
      return person && !why ? [{ id: staffId, weight: weight ?? person.weight, last: person.last }] : []
    })
    if (eligible.length === 0) continue
    const turn = take(state, `${rule.key}${isFallback ? '!' : ''}`, eligible)
    return { rule: named, staffId: turn.taken, isFallback, passed, turn: turn.before }
  }
  return { rule: named, staffId: null, isFallback: false, passed, turn: null }
}

/** A lead that waits to be given. */
export type Waiting = Came & { readonly id: string; readonly cameAt: Date }

/** So many leads are given in one round at most, and so many are tried in it for the first time: what is behind them has its turn in the next. */
export const AT_ONCE = 1_000

/**
 * Who gets each of these, one after the other. Where a rule had nobody, what comes behind waits for the same reasons, and takes no
 * place from what others may have.
 */
export function decideAll(
  set: RuleSet,
  waiting: readonly Waiting[],
  at: Date,
  state: State,
): ReadonlyMap<string, Decision> {
  const blocked = new Map<string, Decision>()
  const decided = new Map<string, Decision>()
  let given = 0
  for (const lead of waiting) {
    if (given === AT_ONCE) break
    const key = ruleFor(set, lead, dayOf(at))?.key ?? ''
    const decision = blocked.get(key) ?? decide(set, lead, at, state)
    if (decision.staffId === null) blocked.set(key, decision)
    else given += 1
    decided.set(lead.id, decision)
  }
  return decided
}

type Eligible = { readonly id: string; readonly weight: number; readonly last: number }

/** The turn of exactly these people with these weights goes on where it was, whoever was there in between. */
function take(state: State, group: string, eligible: readonly Eligible[]): { taken: string; before: TakenTurn } {
  const sorted = eligible.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const weights = Object.fromEntries(sorted.map(({ id, weight }) => [id, weight]))
  const key = `${group} ${sorted.map(({ id, weight }) => `${id}:${weight}`).join(' ')}`
  const before = state.turns.get(key) ?? NO_TURN
  const { taken, after } = next(before, sorted)
  state.turns.set(key, after)
  state.given += 1
  const person = state.people.get(taken) as Person
  state.people.set(taken, {
    ...person,
    received: person.received + 1,
    unspoken: person.unspoken + 1,
    last: state.given,
  })
  return { taken, before: { key, weights, ...before } }
}
