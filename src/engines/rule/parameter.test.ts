import { describe, expect, test } from 'vitest'
import { judge } from './judge.model.ts'

const KNOWN = {
  nodes: new Map([['setTag', 'common' as const]]),
  chains: new Set(['inner']),
  parameters: new Map([['setTag', { tag: 'text' as const }]]),
  offers: new Map([['setTag', { tag: ['QUIET', 'RENEWAL'] }]]),
}
const faultsOf = (source: string, withheld: readonly string[] = []) =>
  judge(source, { ...KNOWN, withheld: new Set(withheld) }).faults

describe('what is bound to a node that takes only what there is', () => {
  test('is told at its place, with what there is, where it is something else', () => {
    expect(faultsOf('THEN(setTag.bind("tag", "NONE"))')).toEqual([
      {
        start: 24,
        end: 30,
        code: 'parameter-value',
        params: { name: 'tag', found: 'NONE', names: 'QUIET, RENEWAL' },
      },
    ])
    expect(faultsOf('THEN(setTag.bind("tag", "QUIET"))')).toEqual([])
  })

  test('names no more than people read', () => {
    const tags = Array.from({ length: 30 }, (_, at) => `T${at}`)
    const [fault] = judge('THEN(setTag.bind("tag", "NONE"))', {
      ...KNOWN,
      offers: new Map([['setTag', { tag: tags }]]),
    }).faults
    expect(String(fault?.params?.names)).toMatch(/^T0, .*, T19, …$/)
  })
})

describe('what is bound around a node', () => {
  test.each([
    ['around the whole', 'THEN(setTag).bind("tag", "NONE")', [[25, 'parameter-value']]],
    ['around several, told once', 'THEN(setTag, setTag).bind("tag", "NONE")', [[33, 'parameter-value']]],
    ['of another kind', 'THEN(setTag).bind("tag", 5)', [[25, 'literal']]],
    ['where a variable is used', 'x = setTag; THEN(x.bind("tag", "NONE"));', [[31, 'parameter-value']]],
    ['around a variable', 'x = THEN(setTag); THEN(x).bind("tag", "NONE");', [[38, 'parameter-value']]],
    ['and something else nearer', 'THEN(setTag.bind("tag", "QUIET")).bind("tag", "NONE")', []],
    [
      'and stands over what is nearer',
      'THEN(setTag.bind("tag", "QUIET")).bind("tag", "NONE", true)',
      [[46, 'parameter-value']],
    ],
    ['for others', 'THEN(setTag.bind("tag", "QUIET"), inner).bind("of", "NONE")', []],
    ['and is there', 'THEN(setTag).bind("tag", "RENEWAL")', []],
  ])('%s is judged as what is bound to it', (_, source, expected) => {
    expect(faultsOf(source).map(({ start, code }) => [start, code])).toEqual(expected)
  })

  test('is judged in good time, however often a variable is used', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `x${at + 1} = THEN(x${at}, x${at});`)
    const source = `x0 = setTag.bind("tag", "NONE"); ${lines.join(' ')} THEN(x60);`
    expect(faultsOf(source).map(({ code }) => code)).toEqual(['parameter-value'])
  })
})

test.each(['""', '"  "'])('a text of %s says nothing, and is told', text => {
  const known = { ...KNOWN, offers: new Map() }
  expect(judge(`THEN(setTag.bind("tag", ${text}))`, known).faults).toMatchObject([
    { start: 24, code: 'parameter-empty', params: { name: 'tag' } },
  ])
})

test('a node or chain that is nothing for the event is told wherever it stands', () => {
  const source = 'x = setTag.bind("tag", "QUIET"); THEN(x, inner);'
  expect(faultsOf(source, ['setTag', 'inner']).map(({ start, code }) => [start, code])).toEqual([
    [4, 'withheld'],
    [41, 'withheld'],
  ])
})
