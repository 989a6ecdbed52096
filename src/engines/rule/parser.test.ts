import { describe, expect, test } from 'vitest'
import { CHAINS, chainText, chanceFrom, mutated, NODES, spread } from '../../../tools/testing/chains.ts'
import { IS_LONG } from '../../../tools/testing/long.ts'
import { everywhere, expressionAt } from './address.model.ts'
import { check, checkRoute, type Known } from './checker.model.ts'
import { drawingOf, everyPart } from './drawing.model.ts'
import { mended, placeOf } from './fault.model.ts'
import type { NodeType } from './form.model.ts'
import { format } from './format.model.ts'
import { locale } from './locale.ts'
import { MAX_DEPTH, MAX_LENGTH, parse } from './parser.model.ts'
import { tokensOf } from './token.model.ts'
import type { Tree } from './tree.model.ts'

const KNOWN: Known = {
  nodes: new Map(Object.entries(NODES).flatMap(([type, ids]) => ids.map(id => [id, type as NodeType] as const))),
  chains: new Set(CHAINS),
}

/** Faults as a person reads them: where, what, and what one press would make of the text. */
function faultsOf(source: string, known: Known = KNOWN): string[] {
  const { tree, faults } = parse(source)
  return (faults.length > 0 ? faults : check(tree, known)).map(({ code, start, params, fix }) => {
    const { line, column } = placeOf(source, start)
    const about = params?.meant ?? params?.mark ?? ''
    return [`${line}:${column} ${code}`, about, fix ? `→ ${mended(source, [fix])}` : ''].filter(Boolean).join(' ')
  })
}

const tokens = (source: string) =>
  tokensOf(source)
    .tokens.filter(({ text }) => text !== ';')
    .map(({ text }) => text)
const remarks = (source: string) =>
  tokensOf(source)
    .tokens.flatMap(({ comments }) => comments.map(({ text }) => text.trimEnd()))
    .toSorted()

/** What is remarked, each with where it stands. */
const remarksAt = (tree: Tree): string[] =>
  [...everywhere(tree)].flatMap(
    ([
      at,
      {
        comments: { before, after },
      },
    ]) => [...before.map(({ text }) => `${text} before ${at}`), ...after.map(({ text }) => `${text} behind ${at}`)],
  )

/** A box shows what stands at its address, and nothing is shown twice. */
function isDrawnWrong(tree: Tree): boolean {
  const parts = everyPart(drawingOf(tree))
  return (
    new Set(parts.map(({ at }) => at)).size < parts.length ||
    parts.some(({ at, expression }) => expressionAt(tree, at) !== expression)
  )
}

const TEXTS = IS_LONG ? 25_000 : 2_500

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join('\n') === other.join('\n')

/** What of a valid text does not stay as it is; plain comparisons, because there are many thousand texts. */
function lossesOf(source: string): string[] {
  const { tree } = parse(source)
  const written = format(tree)
  const losses = {
    faults: faultsOf(source).length > 0,
    words: !isSame(tokens(written), tokens(source)),
    remarks: !isSame(remarks(written), remarks(source)),
    'writing twice': format(parse(written).tree) !== written,
    'remarks at something else': !isSame(remarksAt(parse(written).tree), remarksAt(tree)),
    drawing: isDrawnWrong(tree),
  }
  return Object.entries(losses).flatMap(([what, isLost]) => (isLost ? [`${what}: ${source}`] : []))
}

/** What must hold of any text, however wrong. */
function breaksOf(source: string): string[] {
  const { tree, faults } = parse(source)
  const written = format(tree)
  const breaks = {
    'no place': [...faults, ...check(tree, KNOWN)].some(({ start, end }) => !(start >= 0 && end <= source.length)),
    'no words': [...faults, ...check(tree, KNOWN)].some(({ code }) =>
      [`fault.${code}`, `hint.${code}`].some(key => !Object.hasOwn(locale['zh-CN'], key)),
    ),
    drawing: isDrawnWrong(tree),
    'writing twice': faults.length === 0 && format(parse(written).tree) !== written,
  }
  return Object.entries(breaks).flatMap(([what, isBroken]) => (isBroken ? [`${what}: ${source}`] : []))
}

const upTo = (count: number, judge: (seed: number) => string[]): string[] =>
  Array.from({ length: count }, (_, seed) => seed).flatMap(judge)

describe('the text of a chain', () => {
  test('made from the grammar is understood, and survives writing it out and drawing it unchanged', () => {
    const losses = upTo(TEXTS, seed => {
      const chance = chanceFrom(seed)
      return lossesOf(spread(chance, chainText(chance)))
    })
    expect(losses).toEqual([])
  })

  test('with anything wrong in it is told with a place, words and a way on, and never stops the reader', () => {
    const breaks = upTo(TEXTS, seed => {
      const chance = chanceFrom(seed + 1_000_000)
      return breaksOf(mutated(chance, spread(chance, chainText(chance))))
    })
    expect(breaks).toEqual([])
  })

  test('of any depth and length is refused by its bounds, not by a full stack', () => {
    expect(parse('THEN('.repeat(4_000)).faults[0]?.code).toBe('too-deep')
    expect(parse('('.repeat(MAX_LENGTH)).faults.length).toBeGreaterThan(0)
    expect(parse(`${'THEN('.repeat(MAX_DEPTH)}a${')'.repeat(MAX_DEPTH)}`).faults).toEqual([])
    expect(parse('a'.repeat(MAX_LENGTH + 1)).faults.map(({ code }) => code)).toEqual(['too-long'])
    expect(parse('').faults.map(({ code }) => code)).toEqual(['empty'])
  })
})

describe('what is wrong is told where it is', () => {
  const told: readonly (readonly [string, readonly string[]])[] = [
    ['THEN(a, bb)', ['1:9 id-unknown b → THEN(a, b)']],
    ['THEN(a,\n  sendCupon)', ['2:3 id-unknown sendCoupon → THEN(a,\n  sendCoupon)']],
    ['then(a)', ['1:1 keyword-case THEN → THEN(a)']],
    ['TEHN(a)', ['1:1 keyword-unknown THEN → THEN(a)']],
    ['THEN(a', ['1:7 expected-mark ) → THEN(a)']],
    ['THEN(a b)', ['1:8 expected-mark , → THEN(a, b)']],
    ['THEN(a,)', ['1:7 expected-expression → THEN(a)']],
    ['THEN(a，b)', ['1:7 wide-mark , → THEN(a,b)']],
    ['THEN(a).tag("x)', ['1:13 text-open → THEN(a).tag("x)"', '1:16 expected-mark ) → THEN(a).tag("x))']],
    ['THEN(a) /* x', ['1:9 comment-open → THEN(a) /* x */']],
    ['THEN(a) # b', ['1:9 character-unknown → THEN(a)  b', '1:11 expected-mark ; → THEN(a); # b']],
    ['THEN()', ['1:1 empty']],
    ['THEN(isNew)', ['1:6 type']],
    ['IF(a, b)', ['1:4 type']],
    ['IF(isNew)', ['1:1 size']],
    ['IF(isNew, a, b).ELSE(c)', ['1:17 caller']],
    ['IF(isNew, a).ELSE(b).ELIF(isNew, c)', ['1:22 order']],
    ['SWITCH(byCity)', ['1:1 missing']],
    ['SWITCH(a).TO(b)', ['1:8 type']],
    ['SWITCH(byCity).TO(PRE(a))', ['1:19 place']],
    ['WHEN(a).percentage(1.5)', ['1:20 range']],
    ['WHEN(a).percentage("x")', ['1:20 literal']],
    ['WHEN(a).ani(true)', ['1:9 keyword-unknown any → WHEN(a).any(true)']],
    ['THEN(a).any(true)', ['1:9 caller']],
    ['THEN(a).tag("x").tag("y")', ['1:18 repeated']],
    ['a.id("x")', ['1:3 caller']],
    ['THEN(a, FINALLY(b).maxWaitSeconds(3))', ['1:20 caller']],
    ['FOR(-1).DO(a)', ['1:5 range']],
    ['FOR(1.5).DO(a)', ['1:5 type']],
    ['WHILE(1).DO(a)', ['1:7 type']],
    ['IF(true, a)', ['1:4 id-unknown']],
    ['AND(isNew)', ['1:1 size']],
    ['THEN({{0}})', ['1:6 placeholder-open']],
    ['x = THEN(a)', ['1:1 missing']],
    ['THEN = WHEN(a); THEN(b)', ['1:1 name-taken']],
    ['WHEN(PRE(a), b)', ['1:6 place']],
    ['x = PRE(a); THEN(b, x)', []],
    ['x = PRE(a); WHEN(b, x)', ['1:21 place']],
    ['THEN(node("welcom"))', ['1:11 id-unknown "welcome" → THEN(node("welcome"))']],
    ['THEN', ['1:1 expected-mark ( → THEN(']],
    ['THEN(__proto__, constructor)', ['1:6 id-unknown', '1:17 id-unknown']],
    ['toString(a)', ['1:1 keyword-unknown']],
  ]
  test.each(told)('%s', (source, expected) => {
    expect(faultsOf(source)).toEqual(expected)
  })

  test('one mistake hides no other', () => {
    expect(faultsOf('THEN(a b, c,)\n;WHEN(a')).toEqual([
      '1:8 expected-mark , → THEN(a, b, c,)\n;WHEN(a',
      '1:12 expected-expression → THEN(a b, c)\n;WHEN(a',
      '2:8 expected-mark ) → THEN(a b, c,)\n;WHEN(a)',
    ])
  })

  test('a route is a question and nothing that is done', () => {
    const route = (source: string) => checkRoute(parse(source).tree, KNOWN).map(({ code }) => code)
    expect(route('AND(isNew, NOT(hasDebt))')).toEqual([])
    expect(route('THEN(a)')).toEqual(['type'])
    expect(route('a')).toEqual(['type'])
  })

  test('what others complete may leave places open, and an id nobody knows may have somebody who stands in', () => {
    expect(faultsOf('THEN(a, {{0}}, {{name}})', { ...KNOWN, isAbstract: true })).toEqual([])
    expect(faultsOf('THEN(node("88-ab"))', { ...KNOWN, fallbacks: new Set(['common']) })).toEqual([])
  })
})

describe('a chain as everybody writes it', () => {
  test('what fits stands on one line, what does not gets a line for each', () => {
    expect(format(parse('THEN( a,b , WHEN(a,b).any( true ) ) ;').tree)).toBe('THEN(a, b, WHEN(a, b).any(true))')
    expect(
      format(
        parse(
          'FOR(3).DO(THEN(sendCoupon, sendCoupon, sendCoupon, sendCoupon, sendCoupon, sendCoupon, sendCoupon)).BREAK(isNew)',
        ).tree,
      ),
    ).toBe(
      [
        'FOR(3).DO(',
        '  THEN(',
        '    sendCoupon,',
        '    sendCoupon,',
        '    sendCoupon,',
        '    sendCoupon,',
        '    sendCoupon,',
        '    sendCoupon,',
        '    sendCoupon',
        '  )',
        ').BREAK(isNew)',
      ].join('\n'),
    )
  })

  test('remarks stay at what they speak of', () => {
    const text = [
      '// who is asked first',
      'x = IF(isNew, a);',
      'THEN(',
      '  // the cheap one',
      '  x, // before all others',
      '  b',
      '  // more to come',
      ')',
      '  // only for large ones',
      '  .tag("large");',
    ].join('\n')
    expect(format(parse(text).tree)).toBe(text)
  })
})

test('of the mistakes of a chain no more are told than people read', () => {
  const many = Array.from({ length: 500 }, (_, place) => `nobody${place}`)
  expect(faultsOf(`THEN(${many.join(', ')})`)).toHaveLength(50)
})
