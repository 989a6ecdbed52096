import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IS_LONG } from '../../../tools/testing/long.ts'
import { type Decision, decideAll, type Person, type State, type Waiting, whyNot } from './model.ts'
import { type Day, type Round, replay } from './replay.model.ts'
import type { Rule, RuleLine, RuleSet } from './rule.model.ts'
import { next, type Turn } from './turn.model.ts'

const STEPS = IS_LONG ? 5_000 : 500
const MINUTE_MS = 60_000
const MONDAY = new Date('2026-11-16T00:30:00Z')
const PEOPLE = ['1', '2', '3', '4', '5', '6']

const line = (staffId: string, weight: number | null = null, isFallback = false): RuleLine => ({
  staffId,
  weight,
  isFallback,
})
const rule = (key: string, lines: readonly RuleLine[], products: string[] = []): Rule => ({
  ...{ key, name: key, sources: [], channels: [], products, validFrom: null, validUntil: null, lines: [...lines] },
})
const setOf = (...all: Rule[]): RuleSet => ({ rules: all, holidays: [], warnMinutes: 15 })
const rules = (...lines: RuleLine[]): RuleSet => setOf(rule('all', lines))
const somebody = (id: string, terms: Partial<Person> = {}): Person => ({
  id,
  isHere: true,
  isOn: true,
  weight: 10,
  dailyCap: null,
  openCap: null,
  days: [1, 2, 3, 4, 5, 6, 7],
  from: 0,
  to: 24,
  received: 0,
  unspoken: 0,
  last: 0,
  ...terms,
})
const stateOf = (...people: Person[]): State => ({
  people: new Map(people.map(one => [one.id, one])),
  turns: new Map(),
  given: 0,
})
const CAME = { source: 'APP', channel: 'STORE' } as const
const leads = (count: number): Waiting[] =>
  Array.from({ length: count }, (_, nth) => ({ id: String(nth + 1), ...CAME, productId: null, cameAt: MONDAY }))
const sharesOf = (decided: Iterable<Decision>) => {
  const shares = new Map<string, number>()
  for (const { staffId } of decided) if (staffId) shares.set(staffId, (shares.get(staffId) ?? 0) + 1)
  return shares
}

describe('who gets a lead', () => {
  test('1 000 leads at once are spread by weight', () => {
    const decided = decideAll(
      rules(line('1', 5), line('2', 3), line('3', 2)),
      leads(1_000),
      MONDAY,
      stateOf(somebody('1'), somebody('2'), somebody('3')),
    )
    expect(Object.fromEntries(sharesOf(decided.values()))).toEqual({ 1: 500, 2: 300, 3: 200 })
  })

  test('nobody past a cap: the rest goes to the others, then to the fallback, then it waits', () => {
    const set = rules(line('1'), line('2'), line('3', null, true))
    const state = stateOf(somebody('1', { dailyCap: 2 }), somebody('2', { openCap: 3 }), somebody('3', { dailyCap: 1 }))
    const decided = [...decideAll(set, leads(8), MONDAY, state).values()]
    expect(Object.fromEntries(sharesOf(decided))).toEqual({ 1: 2, 2: 3, 3: 1 })
    expect(decided.at(-1)).toMatchObject({
      staffId: null,
      passed: [
        { id: '1', why: 'DAY_FULL' },
        { id: '2', why: 'OPEN_FULL' },
        { id: '3', why: 'DAY_FULL' },
      ],
    })
  })

  test.each([
    ['NOT_HERE', { isHere: false }],
    ['PAUSED', { isOn: false }],
    ['OFF_HOURS', { from: 9 }],
    ['OFF_HOURS', { days: [6, 7] }],
    ['DAY_FULL', { dailyCap: 3, received: 3 }],
    ['OPEN_FULL', { openCap: 2, unspoken: 4 }],
  ] as const)('is told why somebody is passed over: %s', (why, terms) => {
    expect(whyNot(somebody('1', terms), MONDAY, [])).toBe(why)
  })

  test('a holiday is nobody’s working day, and somebody unknown works nowhere', () => {
    expect(whyNot(somebody('1'), MONDAY, ['2026-11-16'])).toBe('HOLIDAY')
    expect(whyNot(undefined, MONDAY, [])).toBe('NOT_HERE')
  })

  test('the first rule that takes what came, in its time', () => {
    const douyin = { ...rule('douyin', [line('1')]), sources: ['DOUYIN'], validUntil: '2026-11-16' }
    const set = setOf(douyin, rule('all', [line('2')]))
    const given = (source: string, at: Date) => {
      const [lead] = leads(1)
      return [
        ...decideAll(set, [{ ...lead, source } as Waiting], at, stateOf(somebody('1'), somebody('2'))).values(),
      ][0]?.staffId
    }
    expect(given('DOUYIN', MONDAY)).toBe('1')
    expect(given('APP', MONDAY)).toBe('2')
    expect(given('DOUYIN', new Date(MONDAY.getTime() + 86_400_000))).toBe('2')
  })

  test.each([
    ['names one of its products', '7', 'annual'],
    ['names another', '8', 'store'],
    ['names none', null, 'store'],
  ])('a rule of products takes a lead that %s only where it does', (_, productId, taken) => {
    const store = { ...rule('store', [line('2')]), channels: ['STORE'] }
    const set = setOf(rule('annual', [line('1')], ['6', '7']), store)
    const came = { ...(leads(1)[0] as Waiting), productId }
    const decided = decideAll(set, [came], MONDAY, stateOf(somebody('1'), somebody('2')))
    expect(decided.get(came.id)?.rule?.key).toBe(taken)
    // By the order of the rules, whatever they name: what stands first decides.
    const turned = decideAll(setOf(...set.rules.toReversed()), [came], MONDAY, stateOf(somebody('1'), somebody('2')))
    expect(turned.get(came.id)?.rule?.key).toBe('store')
  })

  test('what no rule takes waits and passes nobody over', () => {
    const set = setOf(rule('annual', [line('1')], ['7']))
    const decided = decideAll(set, leads(2), MONDAY, stateOf(somebody('1')))
    const nobody = { rule: null, staffId: null, isFallback: false, passed: [], turn: null }
    expect([...decided.values()]).toEqual([nobody, nobody])
  })
})

/** How far the share of one of them is from the weight's. */
function furthestOff(shares: ReadonlyMap<string, number>, weights: Readonly<Record<string, number>>): number {
  const all = [...shares.values()].reduce((sum, count) => sum + count, 0)
  const of = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
  return Math.max(
    ...Object.entries(weights).map(([id, weight]) => Math.abs((shares.get(id) ?? 0) - (all * weight) / of)),
  )
}

describe('turns by weight', () => {
  type Taker = (shares: ReadonlyMap<string, number>, weights: Readonly<Record<string, number>>, nth: number) => string
  /** How far anybody was ever off while so many were given. */
  const worst = (weights: Readonly<Record<string, number>>, count: number, take: Taker): number => {
    const shares = new Map<string, number>()
    let most = 0
    for (let nth = 0; nth < count; nth += 1) {
      const id = take(shares, weights, nth)
      shares.set(id, (shares.get(id) ?? 0) + 1)
      most = Math.max(most, furthestOff(shares, weights))
    }
    return most
  }
  const ours = (): Taker => {
    let turn: Turn = { n: 0, counts: {} }
    return (_shares, weights) => {
      const { taken, after } = next(
        turn,
        Object.entries(weights).map(([id, weight]) => ({ id, weight, last: 0 })),
      )
      turn = after
      return taken
    }
  }
  const weightsOf = (values: readonly number[]) =>
    Object.fromEntries(values.map((weight, at) => [String(at + 1), weight]))

  test('leave everybody less than one away from the weight’s share after any number of leads', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 }), values => {
        expect(worst(weightsOf(values), 300, ours())).toBeLessThan(1)
      }),
      { numRuns: IS_LONG ? 500 : 50, seed: 80 },
    )
  })

  test.each<[string, readonly number[], () => Taker]>([
    ['goes round in a circle', [5, 1], () => (_shares, weights, nth) => Object.keys(weights).sort()[nth % 2] as string],
    [
      'gives to whoever has fewest',
      [5, 1],
      () => (shares, weights) =>
        Object.keys(weights).sort((a, b) => (shares.get(a) ?? 0) - (shares.get(b) ?? 0))[0] as string,
    ],
    [
      'gives everybody the whole weight one after the other',
      [5, 3, 2],
      () => (_shares, weights, nth) =>
        Object.entries(weights).flatMap(([id, weight]) => Array<string>(weight).fill(id))[nth % 10] as string,
    ],
  ])('a build that %s is further off', (_what, values, taker) => {
    expect(worst(weightsOf(values), 60, taker())).toBeGreaterThan(1)
    expect(worst(weightsOf(values), 60, ours())).toBeLessThan(1)
  })
})

type Step =
  | { readonly do: 'lead'; readonly product: string | null }
  | { readonly do: 'pause' | 'resume' | 'leave' | 'speak'; readonly who: string }
  | { readonly do: 'terms'; readonly who: string; readonly cap: number | null; readonly open: number | null }
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: 'rules'; readonly set: RuleSet }

const who = fc.constantFrom(...PEOPLE)
const cap = fc.option(fc.integer({ min: 1, max: 12 }), { nil: null })
const anyLine = fc.record({
  staffId: who,
  weight: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
  isFallback: fc.boolean(),
})
const someLines = fc.uniqueArray(anyLine, { minLength: 1, maxLength: 6, selector: ({ staffId }) => staffId })
/** One rule for everything, behind one for a product, or that one alone: then some leads are nobody's. Now and then on a holiday. */
const anySet = fc
  .tuple(someLines, fc.option(someLines, { nil: null }), fc.constantFrom([], [], [], ['2026-11-16']))
  .map(([some, all, holidays]) => ({
    ...setOf(rule('some', some, ['7']), ...(all ? [rule('all', all)] : [])),
    holidays: [...holidays],
  }))
const product = fc.constantFrom(null, null, '7', '8')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('lead' as const), product }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('speak' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('terms' as const), who, cap, open: cap }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), who: fc.constantFrom('5', '6') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rules' as const), set: anySet }) },
)

/** A day of a business in memory: what the server keeps in tables, and the rounds it would have written. */
class Business {
  at = MONDAY
  set = rules(...PEOPLE.slice(0, 4).map(id => line(id)))
  people = new Map(PEOPLE.map((id, nth) => [id, somebody(id, { weight: nth + 1, from: nth % 2 === 0 ? 0 : 9 })]))
  waiting: Waiting[] = []
  readonly turns = new Map<string, Turn>()
  readonly firstTurns = new Map<string, Turn>()
  readonly rounds: Round[] = []
  readonly held = new Map<string, string[]>()
  readonly done = new Map<string, Date>()
  readonly shares = new Map<string, Map<string, number>>()
  given = 0
  came = 0
  told = new Map<string, string>()

  change(id: string, terms: Partial<Person>): void {
    this.people.set(id, { ...(this.people.get(id) as Person), ...terms })
  }

  take(one: Step): void {
    if (one.do === 'pause') this.change(one.who, { isOn: false })
    else if (one.do === 'resume') this.change(one.who, { isOn: true })
    else if (one.do === 'leave') this.change(one.who, { isHere: false })
    else if (one.do === 'terms') this.change(one.who, { dailyCap: one.cap, openCap: one.open })
    else if (one.do === 'rules') this.set = one.set
    else if (one.do === 'wait') this.at = new Date(Math.min(this.at.getTime() + one.minutes * MINUTE_MS, LAST))
    else if (one.do === 'speak') this.speak(one.who)
    this.round(one.do === 'lead' ? [this.lead(one.product)] : [])
  }

  lead(productId: string | null): Waiting {
    this.came += 1
    return { id: String(this.came), ...CAME, productId, cameAt: this.at }
  }

  speak(id: string): void {
    const lead = this.held.get(id)?.shift()
    if (lead === undefined) return
    this.done.set(lead, this.at)
    this.change(id, { unspoken: (this.people.get(id) as Person).unspoken - 1 })
  }

  round(came: readonly Waiting[]): void {
    const news = [...this.people.values()].filter(one => this.told.get(one.id) !== JSON.stringify(one))
    for (const one of news) this.told.set(one.id, JSON.stringify(one))
    this.waiting.push(...came)
    const before = new Map(this.people)
    const state: State = { people: new Map(this.people), turns: new Map(this.turns), given: this.given }
    const decided = decideAll(this.set, this.waiting, this.at, state)
    const given: { id: string; staffId: string }[] = []
    for (const [id, decision] of decided) {
      this.judge(this.waiting.find(lead => lead.id === id) as Waiting, decision, before)
      const { staffId, turn } = decision
      if (staffId === null) continue
      if (turn && !this.firstTurns.has(turn.key)) this.firstTurns.set(turn.key, { n: turn.n, counts: turn.counts })
      before.set(staffId, this.hand(before.get(staffId) as Person))
      this.held.set(staffId, [...(this.held.get(staffId) ?? []), id])
      given.push({ id, staffId })
    }
    this.people = state.people
    for (const [key, turn] of state.turns) this.turns.set(key, turn)
    this.given = state.given
    this.waiting = this.waiting.filter(({ id }) => !given.some(one => one.id === id))
    this.rounds.push({ at: this.at, set: this.set, people: news, came, given, gone: [] })
  }

  hand = (one: Person): Person => ({ ...one, received: one.received + 1, unspoken: one.unspoken + 1 })

  /**
   * By the rule for its product, else by the one for all; never to who must not have one; the share of each within one of the
   * weight's; everybody of the rule is accounted for.
   */
  judge(
    { productId }: Waiting,
    { rule: taken, staffId, passed, turn, isFallback }: Decision,
    people: ReadonlyMap<string, Person>,
  ): void {
    const meant = this.set.rules.find(({ key }) => key === 'all' || productId === '7')
    expect(taken?.key).toBe(meant?.key)
    const lines = meant?.lines ?? []
    const asked = lines.filter(one => one.isFallback === false || isFallback || staffId === null)
    const between = Object.keys(turn?.weights ?? {})
    expect([...passed.map(({ id }) => id), ...between].sort()).toEqual(asked.map(one => one.staffId).sort())
    const { holidays } = this.set
    for (const { id, why } of passed) expect(whyNot(people.get(id), this.at, holidays)).toBe(why)
    if (staffId === null || !turn) return
    expect(whyNot(people.get(staffId), this.at, holidays)).toBeUndefined()
    // Told by the test itself, not by the decision: between whom it was, and with which weights.
    const meantFor = lines
      .filter(one => one.isFallback === isFallback && whyNot(people.get(one.staffId), this.at, holidays) === undefined)
      .map(one => [one.staffId, one.weight ?? (people.get(one.staffId) as Person).weight] as const)
    const weights = Object.fromEntries(meantFor)
    expect(turn.weights).toEqual(weights)
    const group = JSON.stringify([meant?.key, isFallback, Object.entries(weights).sort()])
    const shares = this.shares.get(group) ?? new Map<string, number>()
    shares.set(staffId, (shares.get(staffId) ?? 0) + 1)
    this.shares.set(group, shares)
    expect(furthestOff(shares, weights)).toBeLessThan(1)
  }

  day(): Day {
    return { rounds: this.rounds, waiting: [], turns: this.firstTurns, done: this.done, until: this.at }
  }
}
const LAST = MONDAY.getTime() + 900 * MINUTE_MS

const givenIn = ({ rounds }: Day) =>
  rounds.flatMap(({ at, given }) => given.map(({ id, staffId }) => [id, staffId, at.getTime()] as const))
const givenBy = (day: Day, set?: RuleSet) =>
  [...replay(day, set).given].map(([id, { staffId, at }]) => [id, staffId, at.getTime()] as const)

describe('a day of leads, pauses, caps, leavers, hours and changing rules', () => {
  test('gives none to who must not have one, keeps shares and reasons, and is reproduced exactly', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: STEPS / 5, maxLength: STEPS / 5 }), steps => {
        const business = new Business()
        for (const one of steps) business.take(one)
        const day = business.day()
        expect(givenBy(day)).toEqual(givenIn(day))
      }),
      { numRuns: 5, seed: 78 },
    )
  })

  test('by the same rules put to the test the day goes as it went', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: STEPS / 5, maxLength: STEPS / 5 }), steps => {
        const business = new Business()
        for (const one of steps) if (one.do !== 'rules') business.take(one)
        const day = business.day()
        expect(givenBy(day, business.set)).toEqual(givenIn(day))
      }),
      { numRuns: 5, seed: 79 },
    )
  })

  test('by other rules leads go to those they name, within their caps, and what nobody could have is told', () => {
    const business = new Business()
    business.set = rules(line('1'))
    for (let nth = 0; nth < 6; nth += 1) business.take({ do: 'lead', product: null })
    business.take({ do: 'terms', who: '3', cap: 2, open: null })
    for (let nth = 0; nth < 4; nth += 1) business.take({ do: 'lead', product: null })
    const would = replay(business.day(), rules(line('1', 1), line('3', 1)))
    const shares = sharesOf([...would.given.values()].map(({ staffId }) => ({ staffId }) as Decision))
    // Three of the first six; of the others none, because the cap was two from then on.
    expect(Object.fromEntries(shares)).toEqual({ 1: 7, 3: 3 })
    expect(would.full.get('3')).toEqual({ day: 4, open: 0 })
    expect(replay(business.day(), rules(line('5'))).waiting).toHaveLength(0)
    expect(replay(business.day(), rules(line('2'))).given.size).toBe(0)
  })
})
