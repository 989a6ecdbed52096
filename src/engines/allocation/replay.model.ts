import { type Decision, decideAll, type Person, type State, type Waiting, type WhyNot } from './model.ts'
import type { RuleSet } from './rule.model.ts'
import type { Turn } from './turn.model.ts'

/** One time at which leads were given, or could have been: what was known of people then, and what came of it. */
export type Round = {
  readonly at: Date
  /** What was in force. */
  readonly set: RuleSet
  /** Of whom something else is known than in the round before. */
  readonly people: readonly Person[]
  readonly came: readonly Waiting[]
  readonly given: readonly { readonly id: string; readonly staffId: string }[]
  /** Taken by somebody, or ended, before anybody was given it. */
  readonly gone: readonly string[]
}

export type Day = {
  readonly rounds: readonly Round[]
  /** What waited when it began. */
  readonly waiting: readonly Waiting[]
  /** Where turns stood when they were first taken. */
  readonly turns: ReadonlyMap<string, Turn>
  /** When whoever was given a lead had spoken to its person, or had it no longer. */
  readonly done: ReadonlyMap<string, Date>
  /** As far as it is known: its end, or now. */
  readonly until: Date
}

/** By which cap: that of a day, or that of leads nobody has spoken to. */
export type Full = { readonly day: number; readonly open: number }

type Given = { readonly staffId: string; readonly at: Date }
export type Replayed = {
  readonly given: ReadonlyMap<string, Given>
  /** What nobody had at its end. */
  readonly waiting: readonly Waiting[]
  /** How many leads passed somebody by who had had enough. */
  readonly full: ReadonlyMap<string, Full>
  readonly met: readonly Met[]
  readonly decisions: ReadonlyMap<string, Decision>
}

const MINUTE_MS = 60_000

/** The day as it would have gone by other rules; without any, as it went. */
export function replay(day: Day, changed?: RuleSet): Replayed {
  return new Replay(day, changed).run()
}

class Replay {
  readonly known = new Map<string, Person>()
  /** When everybody had been given one last before the day began, and since. */
  readonly last = new Map<string, number>()
  readonly turns: Map<string, Turn>
  /** As it went, as far as what is known of people tells of it. */
  readonly real = new Map<string, Given>()
  readonly given = new Map<string, Given>()
  readonly decisions = new Map<string, Decision>()
  /** Once for each lead, however often it was tried. */
  readonly met = new Map<string, Met>()
  waiting: readonly Waiting[]
  count = 0
  /** When what is known of people was known. */
  knownAt = new Date(0)
  /** When each was given in fact. */
  readonly realAt: ReadonlyMap<string, Date>
  readonly day: Day
  readonly changed: RuleSet | undefined

  constructor(day: Day, changed: RuleSet | undefined) {
    this.day = day
    this.changed = changed
    this.turns = new Map(day.turns)
    this.waiting = day.waiting
    this.realAt = new Map(day.rounds.flatMap(({ at, given }) => given.map(({ id }) => [id, at] as const)))
  }

  run(): Replayed {
    let before: Round | undefined
    for (const round of this.day.rounds) {
      if (before) this.minutes(before, round.at)
      for (const { id, staffId } of before?.given ?? []) this.real.set(id, { staffId, at: (before as Round).at })
      this.take(round)
      before = round
    }
    if (before) this.minutes(before, this.day.until)
    const { given, waiting, decisions } = this
    const met = [...this.met.values()]
    return { given, waiting, decisions, met, full: fullOf(met) }
  }

  take(round: Round): void {
    for (const person of round.people) {
      this.known.set(person.id, person)
      if (!this.last.has(person.id)) this.last.set(person.id, person.last)
    }
    this.count = Math.max(this.count, ...this.last.values())
    this.knownAt = round.at
    const gone = new Set(round.gone)
    this.waiting = [...this.waiting, ...round.came].filter(({ id }) => !gone.has(id))
    this.decide(this.changed ?? round.set, this.waiting, round.at)
  }

  /** By other rules somebody may have one at a time when by those of the day nothing waited, or nobody could. */
  minutes(round: Round, until: Date): void {
    const { changed } = this
    if (!changed) return
    const settled = new Set([...this.real.keys(), ...round.given.map(({ id }) => id)])
    const isOther = JSON.stringify(changed) !== JSON.stringify(round.set)
    let ms = Math.floor(round.at.getTime() / MINUTE_MS + 1) * MINUTE_MS
    for (; ms < until.getTime() && this.waiting.length > 0; ms += MINUTE_MS) {
      const tried = isOther ? this.waiting : this.waiting.filter(({ id }) => settled.has(id))
      if (tried.length === 0) return
      this.decide(changed, tried, new Date(ms))
    }
  }

  decide(set: RuleSet, waiting: readonly Waiting[], at: Date): void {
    const state = this.stateAt(at)
    const decided = decideAll(set, waiting, at, state)
    for (const [id, decision] of decided) {
      const { staffId } = decision
      this.decisions.set(id, decision)
      this.note(id, decision)
      if (staffId !== null) this.given.set(id, { staffId, at })
    }
    this.count = state.given
    for (const [key, turn] of state.turns) this.turns.set(key, turn)
    for (const { staffId } of decided.values())
      if (staffId !== null) this.last.set(staffId, state.people.get(staffId)?.last ?? 0)
    this.waiting = this.waiting.filter(({ id }) => !this.given.has(id))
  }

  note(leadId: string, { passed }: Decision): void {
    for (const { id: staffId, why } of passed) {
      const cap = CAPS[why]
      if (cap) this.met.set(`${leadId} ${staffId} ${cap}`, { leadId, staffId, cap })
    }
  }

  /** What is known of people, as if they had been given what they are given here and not what they were. */
  stateAt(at: Date): State {
    const [was, is] = [new Map<string, Load>(), new Map<string, Load>()]
    for (const [id, { staffId, at: since }] of this.real) load(was, staffId, this.isOpen(id, since, this.knownAt))
    for (const [id, { staffId, at: since }] of this.given) load(is, staffId, this.isOpen(id, since, at))
    const people = new Map(
      [...this.known].map(([id, person]) => {
        const [before, now] = [was.get(id) ?? NONE, is.get(id) ?? NONE]
        const received = person.received - before.all + now.all
        const unspoken = Math.max(0, person.unspoken - before.open + now.open)
        return [id, { ...person, received, unspoken, last: this.last.get(id) ?? person.last }]
      }),
    )
    return { people, turns: new Map(this.turns), given: this.count }
  }

  /** Whether nobody has spoken to its person yet: it would have taken as long as it took. */
  isOpen(id: string, since: Date, at: Date): boolean {
    const [done, real] = [this.day.done.get(id), this.realAt.get(id)]
    if (!done || !real) return true
    return at.getTime() < since.getTime() + done.getTime() - real.getTime()
  }
}

type Load = { readonly all: number; readonly open: number }
const NONE: Load = { all: 0, open: 0 }
function load(of: Map<string, Load>, id: string, isOpen: boolean): void {
  const { all, open } = of.get(id) ?? NONE
  of.set(id, { all: all + 1, open: open + (isOpen ? 1 : 0) })
}

const CAPS: Readonly<Partial<Record<WhyNot, keyof Full>>> = { DAY_FULL: 'day', OPEN_FULL: 'open' }
export const NEVER_FULL: Full = { day: 0, open: 0 }

/** A lead that passed somebody by for a cap, whoever had it in the end. */
export type Met = { readonly leadId: string; readonly staffId: string; readonly cap: keyof Full }

function fullOf(met: Iterable<Met>): ReadonlyMap<string, Full> {
  const full = new Map<string, Full>()
  for (const { staffId, cap } of met) {
    const before = full.get(staffId) ?? NEVER_FULL
    full.set(staffId, { ...before, [cap]: before[cap] + 1 })
  }
  return full
}
