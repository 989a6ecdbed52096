import { describe, expect, test } from 'vitest'
import type { KnownFacts } from './fact.model.ts'
import { scriptUse, usesOfChains } from './fact-use.model.ts'
import { judge } from './judge.model.ts'
import { parse } from './parser.model.ts'
import { factsAnswered, factsRead, strangeFacts } from './script-facts.model.ts'

const PARAMETERS = new Map([
  ['over', { fact: 'whole-fact', than: 'whole' }],
  ['overFact', { fact: 'whole-fact', than: 'whole-fact' }],
  ['isText', { fact: 'text-fact', text: 'text' }],
  ['each', { fact: 'list-fact' }],
] as const)
const NODES = new Map([
  ['over', 'boolean'],
  ['overFact', 'boolean'],
  ['isText', 'boolean'],
  ['each', 'iterator'],
  ['hold', 'common'],
  ['score', 'common'],
  ['isRisky', 'boolean'],
  ['found', 'iterator'],
] as const)
const TOLD: KnownFacts['told'] = {
  amountFen: 'whole',
  reason: 'text',
  lines: { amountFen: 'whole', name: 'text' },
}
const SCRIPTS = new Map([
  ['score', scriptUse('script', 'return { risk: facts.amountFen > 5 ? 2 : 1 }')],
  ['isRisky', scriptUse('boolean_script', 'return facts.risk > 1')],
  ['hold', { reads: [], answers: [] }],
])
const wrong = (source: string, uses: KnownFacts['uses'] = SCRIPTS) =>
  judge(source, {
    nodes: NODES,
    chains: new Set(['inner']),
    parameters: PARAMETERS,
    facts: { told: TOLD, uses },
  }).faults.map(({ code, start, params, fix }) => [code, start, params?.names, fix?.text])
const asking = (condition: string) => `THEN(IF(${condition}, hold))`
const overEach = (condition: string) => `ITERATOR(each.bind("fact", "lines")).DO(IF(${condition}, hold))`

describe('a chain that asks for a fact', () => {
  test.each([
    ['the event hands in', asking('over.bind("fact", "amountFen").bind("than", 1)'), []],
    [
      'nobody knows is told so, with what there is and what may have been meant',
      asking('over.bind("fact", "amuontFen").bind("than", 1)'),
      [['fact-unknown', 26, 'amountFen', '"amountFen"']],
    ],
    [
      'of another kind is told which there are of that kind',
      asking('over.bind("fact", "reason").bind("than", 1)'),
      [['fact-kind', 26, 'amountFen', undefined]],
    ],
    ['a script in it finds', `THEN(score, ${asking('over.bind("fact", "risk").bind("than", 1)')})`, []],
    ['around the node', 'THEN(IF(over.bind("than", 1), hold)).bind("fact", "amount")', 'fact-unknown'],
    ['of the item it has come to', overEach('over.bind("fact", "item.amountFen").bind("than", 1)'), []],
    [
      'the items do not have',
      overEach('over.bind("fact", "item.amuontFen").bind("than", 1)'),
      [['fact-unknown', 61, 'item.amountFen', '"item.amountFen"']],
    ],
    [
      'of an item outside of any list',
      asking('over.bind("fact", "item.amountFen").bind("than", 1)'),
      [['fact-outside', 26, undefined, undefined]],
    ],
    [
      'of an item of a list a script found, of which nobody knows what it holds',
      'ITERATOR(found).DO(IF(over.bind("fact", "item.any").bind("than", 1), hold))',
      [],
    ],
    [
      'of an item of a list that stands under another name, twice',
      `x = each.bind("fact", "lines"); y = ITERATOR(x).DO(IF(over.bind("fact", "item.amountFen").bind("than", 1), hold)); THEN(y, y, ITERATOR(x).DO(IF(over.bind("fact", "item.amountFen").bind("than", 2), hold)));`,
      [],
    ],
    ['that is no list, to go through it', 'ITERATOR(each.bind("fact", "reason")).DO(hold)', 'fact-kind'],
    [
      'of an item, of the outer list within a count',
      overEach('over.bind("fact", "item.amountFen").bind("than", 1)').replace('DO(IF', 'DO(FOR(2).DO(IF').concat(')'),
      [],
    ],
    [
      'in a script it asks, which nobody hands in',
      asking('isRisky'),
      [['fact-unread', 8, 'amountFen, reason, lines', undefined]],
    ],
    ['in a script it asks, which another finds', `THEN(score, ${asking('isRisky')})`, []],
  ])('%s', (_, source, expected) => {
    const found = wrong(source)
    expect(typeof expected === 'string' ? found[0]?.[0] : found).toEqual(expected)
  })

  test('of a chain it asks is judged with it', () => {
    const chains = new Map([['inner', parse(asking('isRisky')).tree]])
    const uses = new Map([...SCRIPTS, ...usesOfChains(chains, SCRIPTS, PARAMETERS)])
    expect(wrong('THEN(inner)', uses).map(([code, at]) => [code, at])).toEqual([['fact-unread', 5]])
    expect(wrong('THEN(score, inner)', uses)).toEqual([])
  })

  test('is not judged where it is for no event', () => {
    const source = asking('over.bind("fact", "anything").bind("than", 1)')
    expect(judge(source, { nodes: NODES, chains: new Set(), parameters: PARAMETERS }).faults).toEqual([])
  })
})

describe('what a script asks for', () => {
  test.each([
    ['return facts.a > facts?.b', ['a', 'b']],
    ['return facts["a"] + _meta.requestData.b', ['a', 'b']],
    ["return defaultContext.getData('a') && defaultContext.hasData('b')", ['a', 'b?']],
    ['const { a, b: c, d = 1, ...rest } = facts', ['a', 'b', 'd?']],
    ['return (facts.a ?? 0) + ("b" in facts ? 1 : 0)', ['a?', 'b?']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a script is text.
    ['// facts.a\n/* facts.b */ return "facts.c" + `facts.d ${facts.e} {` + facts.f', ['e', 'f']],
    ['return /[\'"]/.test(facts.a) && facts.b / facts.c / 2', ['a', 'b', 'c']],
    ['return own.facts.a + myfacts.b + facts[name]', []],
    ['facts.a = 1; return facts.a == 1', ['a']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a script is text.
    ['return `${`${facts.a}`}` + facts.b', ['a', 'b']],
  ])('%s', (source, expected) => {
    expect(factsRead(source).map(({ name, isOptional }) => (isOptional ? `${name}?` : name))).toEqual(expected)
  })

  test('never stops anybody, whatever is written', () => {
    for (const source of [
      '`',
      '${',
      '`${',
      '/',
      '"',
      "'",
      '/*',
      '{',
      'facts.',
      'facts[',
      'const {',
      'return {',
      'return { a: [',
      '\\',
    ])
      expect([source, Array.isArray(factsRead(source)), factsAnswered(source) !== undefined]).toEqual([
        source,
        true,
        true,
      ])
  })

  test('that no event hands in is told where it stands, with what may have been meant', () => {
    const source = 'const own = 1\nreturn { risk: facts.amuontFen + facts.risk + (facts.maybe ?? 0) }'
    expect(strangeFacts(source, ['amountFen']).map(({ name, start, meant }) => [name, start, meant])).toEqual([
      ['amuontFen', 35, 'amountFen'],
    ])
  })
})

describe('what a script adds', () => {
  test.each([
    ['return { a: f({ x: 1 }), b, "c": [1, 2], d() { } }', ['a', 'b', 'c', 'd']],
    ["defaultContext.setData('a', 1); if (facts.b) return; return null", ['a']],
    ['return { ...facts }', null],
    ['return { [name]: 1 }', null],
    ['return answer', null],
    ['defaultContext.setData(name, 1)', null],
    ['', []],
  ])('%s', (source, expected) => {
    expect(factsAnswered(source)).toEqual(expected)
  })
})
