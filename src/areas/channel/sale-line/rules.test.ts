import { describe, expect, test } from 'vitest'
import { MAX_RULES, type Rule, type RuleSet, ruleFor } from '#engines/allocation/rule.model.ts'
import { ownRuleOf, sharesOf, takersOf, whyNotMore, withLine } from './model.ts'

const TODAY = '2026-11-18'
const rule = (key: string, more: Partial<Rule> = {}): Rule => ({
  ...{ key, name: key, sources: [], channels: [], products: [], validFrom: null, validUntil: null },
  lines: [{ staffId: '1', weight: null, isFallback: false }],
  ...more,
})
const set = (...rules: Rule[]): RuleSet => ({ rules, holidays: ['2026-10-01'], warnMinutes: 15 })
const SCHOOL = { id: '7', code: 'SCHOOL', name: '公益课学校' }
const LINE = { lines: [{ staffId: '2', weight: 3, isFallback: false }], validFrom: null, validUntil: null }
const WHOLE = rule('all')
const BY_SOURCE = rule('red', { sources: ['XIAOHONGSHU'] })

describe('a line of its own', () => {
  test('is asked before every rule that would take the channel’s leads, and changes nothing else', () => {
    const other = rule('store', { channels: ['STORE'] })
    const next = withLine(set(other, BY_SOURCE, WHOLE), SCHOOL, LINE)
    expect(next.rules.map(({ key }) => key)).toEqual(['store', 'line-7', 'red', 'all'])
    expect(next).toMatchObject({ holidays: ['2026-10-01'], warnMinutes: 15 })
    for (const source of ['XIAOHONGSHU', 'APP']) {
      expect(ruleFor(next, { source, channel: 'SCHOOL', productId: null }, TODAY)?.key).toBe('line-7')
      expect(ruleFor(next, { source, channel: 'STORE', productId: '5' }, TODAY)?.key).toBe('store')
    }
  })

  test('that stands is written anew under its old name and key, so that turns go on', () => {
    const own = rule('mine', { name: '学校组', channels: ['SCHOOL'] })
    const next = withLine(set(WHOLE, own), SCHOOL, { ...LINE, validUntil: '2026-12-31' })
    expect(next.rules.map(({ key }) => key)).toEqual(['mine', 'all'])
    expect(next.rules[0]).toMatchObject({ name: '学校组', validUntil: '2026-12-31', lines: LINE.lines })
  })

  test('is taken away where nobody is named, and no other rule with it', () => {
    const shared = rule('two', { channels: ['SCHOOL', 'STORE'] })
    const before = set(rule('mine', { channels: ['SCHOOL'] }), shared, WHOLE)
    expect(withLine(before, SCHOOL, { ...LINE, lines: [] }).rules.map(({ key }) => key)).toEqual(['two', 'all'])
    expect(ownRuleOf(set(shared, BY_SOURCE), 'SCHOOL')).toBeUndefined()
  })

  test('has a name of its own', () => {
    const next = withLine(set(rule('x', { name: SCHOOL.name, channels: ['STORE'] })), SCHOOL, LINE)
    expect(new Set(next.rules.map(({ name }) => name)).size).toBe(2)
    const long = withLine(set(), { ...SCHOOL, name: '很'.repeat(100) }, LINE)
    expect(long.rules[0]?.name).toHaveLength(50)
  })

  test('is refused where there are as many rules as there can be', () => {
    const many = set(...Array.from({ length: MAX_RULES }, (_, nth) => rule(`r${nth}`, { channels: ['STORE'] })))
    expect(whyNotMore(many)).toBeUndefined()
    expect(whyNotMore(withLine(many, SCHOOL, LINE))).toMatchObject({ code: 'too-many' })
  })
})

describe('the rules a channel’s leads may go by', () => {
  test('end with the first that takes whatever comes', () => {
    expect(takersOf(set(BY_SOURCE, WHOLE, rule('never')), 'SCHOOL', TODAY).map(({ key }) => key)).toEqual([
      'red',
      'all',
    ])
  })

  test('leave out those that are over, and go on behind those that are to come or to end', () => {
    const over = rule('over', { validUntil: '2026-11-17' })
    const ending = rule('ending', { validUntil: '2026-11-18' })
    const coming = rule('coming', { validFrom: '2026-12-01' })
    expect(takersOf(set(over, ending, coming, WHOLE), 'SCHOOL', TODAY).map(({ key }) => key)).toEqual([
      'ending',
      'coming',
      'all',
    ])
  })
})

test('shares are those of the weights, among whoever may get one and is not asked last', () => {
  const one = (id: string, weight: number, more = {}) => ({
    ...{ id, name: id, weight, isFallback: false, isOn: true, given: 0 },
    ...more,
  })
  const shares = sharesOf([one('a', 1), one('b', 3), one('c', 9, { isOn: false }), one('d', 9, { isFallback: true })])
  expect([...shares]).toEqual([
    ['a', 25],
    ['b', 75],
  ])
  expect([...sharesOf([one('d', 9, { isFallback: true })])]).toEqual([])
})
