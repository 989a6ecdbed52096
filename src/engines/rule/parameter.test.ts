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

test('a node or chain that is nothing for the event is told wherever it stands', () => {
  const source = 'x = setTag.bind("tag", "QUIET"); THEN(x, inner);'
  expect(faultsOf(source, ['setTag', 'inner']).map(({ start, code }) => [start, code])).toEqual([
    [4, 'withheld'],
    [41, 'withheld'],
  ])
})
