import { describe, expect, test } from 'vitest'
import { CHAINS, type Chance, chainText, chanceFrom, NODES, spread } from '../../../tools/testing/chains.ts'
import { IS_LONG } from '../../../tools/testing/long.ts'
import { type Address, everywhere, expressionAt, slotOf } from './address.model.ts'
import { bind, bindingsOf, rebind, unbind } from './binding.model.ts'
import type { Edit } from './change.model.ts'
import { check, type Known } from './checker.model.ts'
import { begin, editedText, insert, insertInside, move, nudge, remove, rename, setWord } from './edit.model.ts'
import { NODE_TYPES, type NodeType, type Slot } from './form.model.ts'
import { format } from './format.model.ts'
import { openingsOf } from './opening.model.ts'
import { parse } from './parser.model.ts'
import { tokensOf } from './token.model.ts'
import { type Expression, idOf, type Tree } from './tree.model.ts'
import { unwrap, WRAPS, wrap } from './wrap.model.ts'
import { literal, named } from './written.model.ts'

const KNOWN: Known = {
  nodes: new Map(Object.entries(NODES).flatMap(([type, ids]) => ids.map(id => [id, type as NodeType] as const))),
  chains: new Set(CHAINS),
}
const pick = <T>(chance: Chance, from: readonly T[]): T => from[chance(from.length)] as T

/** What stands in a chain and can be chosen: nodes and forms, and the number of a FOR, but no value of a word. */
const partsOf = (tree: Tree): (readonly [Address, Expression])[] =>
  [...everywhere(tree)].filter(([at]) => [...NODE_TYPES, 'any'].includes(slotOf(tree, at) as NodeType))
const fitting = (chance: Chance, slot: Slot | 'any' | undefined): Expression =>
  named(pick(chance, NODES[(slot === 'any' ? 'common' : slot) as NodeType] ?? NODES.common))

const remarks = (source: string): string[] =>
  tokensOf(source).tokens.flatMap(({ comments }) => comments.map(({ text }) => text.trimEnd()))
/** The nodes of a chain; a value of a word is none, and goes with the form it is said about. */
const ids = (tree: Tree): string[] => partsOf(tree).flatMap(([, expression]) => idOf(expression) ?? [])

const VALUES = ['it\'s "so"\n\\', '', 7, -0.5, true, false]

/** Whether all remarks stay, and whether all nodes do. */
type Drawn = { name: string; edit: Edit; isKeeping?: true; isCarrying?: true }

function drawnEdit(chance: Chance, tree: Tree): Drawn {
  const parts = partsOf(tree)
  const [at, target] = pick(chance, parts)
  const [other] = pick(chance, parts)
  const slot = slotOf(tree, at)
  const [word, { asks }] = pick(chance, Object.entries(WRAPS))
  const opening = pick(chance, openingsOf(target))
  const bound = pick(chance, bindingsOf(target))
  return pick<() => Drawn>(chance, [
    () => ({
      name: 'insert',
      edit: insert(at, chance(2) ? 'before' : 'after', fitting(chance, slot)),
      isKeeping: true,
    }),
    () => ({
      name: 'insert inside',
      edit: insertInside(at, opening?.word ?? '', opening?.slots.map(each => fitting(chance, each)) ?? []),
      isKeeping: true,
    }),
    () => ({ name: 'remove', edit: remove(at) }),
    () => ({ name: 'move', edit: move(at, other, pick(chance, ['before', 'after', 'inside'])), isCarrying: true }),
    () => ({ name: 'nudge', edit: nudge(at, chance(2) ? 1 : -1), isCarrying: true }),
    () => ({ name: 'wrap', edit: wrap(at, word, asks && fitting(chance, asks)), isKeeping: true }),
    () => ({ name: 'unwrap', edit: unwrap(at) }),
    () => ({ name: 'rename', edit: rename(at, pick(chance, ['b', 'no name', 'WHEN'])), isKeeping: true }),
    () => ({
      name: 'set',
      edit: setWord(at, pick(chance, ['tag', 'data']), 'it\'s "so"\n\\'),
      isKeeping: true,
    }),
    () => ({ name: 'bind', edit: bind(at, 'fact', pick(chance, VALUES)), isKeeping: true }),
    () => ({
      name: 'bind otherwise',
      edit: rebind(at, bound?.word ?? -1, {
        ...(chance(2) === 1 ? { value: pick(chance, VALUES) } : { isOver: chance(2) === 1 }),
        key: pick(chance, ['fact', bound?.key ?? '']),
      }),
      isKeeping: true,
    }),
    () => ({ name: 'unbind', edit: unbind(at, bound?.word ?? target.chained.length) }),
    () => ({ name: 'say no longer', edit: setWord(at, pick(chance, ['tag', 'data']), undefined) }),
  ])()
}

/** What of an edit is not as it must be. */
function faultsOf(seed: number): string[] {
  const chance = chanceFrom(seed)
  const before = spread(chance, chainText(chance))
  const { tree } = parse(before)
  const { name, edit, isKeeping, isCarrying } = drawnEdit(chance, tree)
  const edited = edit(tree)
  if (!edited) return []
  const source = format(edited.tree)
  const read = parse(source)
  const isEmpty = edited.tree.statements.length === 0
  const offered = editedText(tree, KNOWN, edit)
  const wrong = {
    reading: !isEmpty && read.faults.length > 0,
    'writing twice': format(read.tree) !== source,
    place: edited.at !== undefined && format(one(read.tree, edited.at)) !== format(one(edited.tree, edited.at)),
    remarks: isKeeping && !isSame(remarks(source), remarks(before)),
    nodes: isCarrying && !isSame(ids(edited.tree), ids(tree)),
    'a mistake on offer': offered !== undefined && !isEmpty && check(parse(offered.source).tree, KNOWN).length > 0,
  }
  return Object.entries(wrong).flatMap(([what, isWrong]) =>
    isWrong ? [`${name}, ${what}: ${before} → ${source}`] : [],
  )
}
const one = (tree: Tree, at: Address): Tree => ({
  statements: [{ value: expressionAt(tree, at) as Expression, start: 0, end: 0 }],
  tail: [],
})
/** The same in any order, each as often. */
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join('\n') === other.toSorted().join('\n')

const TEXTS = IS_LONG ? 20_000 : 400

describe('any edit of any chain', () => {
  test('gives a text that is read again as it was meant, with its remarks, and brings no mistake in', () => {
    const wrong = Array.from({ length: TEXTS }, (_, seed) => seed).flatMap(faultsOf)
    expect(wrong.slice(0, 5)).toEqual([])
  })
})

const edited = (source: string, edit: Edit): string | undefined => editedText(parse(source).tree, KNOWN, edit)?.source

describe('an edit of a chain', () => {
  const done: readonly (readonly [string, string, Edit, string | undefined])[] = [
    ['binds a parameter', 'THEN(a.tag("x"))', bind('0/0.0', 'fact', 'sum'), 'THEN(a.tag("x").bind("fact", "sum"))'],
    [
      'binds something else, and keeps what is remarked and what it stands over',
      'THEN(a.bind("fact", /* why */ "sum", true))',
      rebind('0/0.0', 0, { value: 12 }),
      'THEN(\n  a.bind(\n    "fact",\n    /* why */\n    12,\n    true\n  )\n)',
    ],
    [
      'lets what is bound stand over what is nearer',
      'THEN(a).bind("than", 5)',
      rebind('0', 0, { isOver: true }),
      'THEN(a).bind("than", 5, true)',
    ],
    [
      'unbinds one of several',
      'THEN(a.bind("fact", "sum").tag("x").bind("than", 5))',
      unbind('0/0.0', 0),
      'THEN(a.tag("x").bind("than", 5))',
    ],
    ['begins a chain', '', begin(named('a')), 'THEN(a)'],
    ['puts a node behind another', 'THEN(a)', insert('0/0.0', 'after', named('b')), 'THEN(a, b)'],
    ['puts a node before another', 'WHEN(a)', insert('0/0.0', 'before', named('b')), 'WHEN(b, a)'],
    ['makes a row where one had room', 'IF(isNew, a)', insert('0/0.1', 'after', named('b')), 'IF(isNew, THEN(a, b))'],
    ['asks both questions', 'IF(isNew, a)', insert('0/0.0', 'after', named('isLarge')), 'IF(AND(isNew, isLarge), a)'],
    ['goes on with a row that is there', 'THEN(a)', insert('0', 'after', named('b')), 'THEN(a, b)'],
    ['puts no question where something is done', 'THEN(a)', insert('0/0.0', 'after', named('isNew')), undefined],
    [
      'adds what is done otherwise',
      'IF(isNew, a).tag("x")',
      insertInside('0', 'ELSE', [named('b')]),
      'IF(isNew, a).ELSE(b).tag("x")',
    ],
    [
      'adds a case before the last',
      'IF(isNew, a).ELSE(b)',
      insertInside('0', 'ELIF', [named('isLarge'), named('c')]),
      'IF(isNew, a).ELIF(isLarge, c).ELSE(b)',
    ],
    [
      'adds a branch to a choice',
      'SWITCH(byCity).to(a)',
      insertInside('0', 'TO', [named('b')]),
      'SWITCH(byCity).to(a, b)',
    ],
    ['takes a node away', 'THEN(a, b)', remove('0/0.0'), 'THEN(b)'],
    ['takes an empty row along', 'THEN(WHEN(a), b)', remove('0/0.0/0.0'), 'THEN(b)'],
    ['takes a branch away with what was in it', 'IF(isNew, a).ELSE(b)', remove('0/1.0'), 'IF(isNew, a)'],
    ['leaves the other of two questions', 'IF(AND(isNew, isLarge), a)', remove('0/0.0/0.0'), 'IF(isLarge, a)'],
    ['takes nothing away that is needed', 'IF(isNew, a)', remove('0/0.0'), undefined],
    ['takes no branch away that is needed', 'SWITCH(byCity).TO(a)', remove('0/1.0'), undefined],
    ['takes all of it away', 'THEN(a)', remove('0/0.0'), ''],
    ['changes places', 'THEN(a, b)', nudge('0/0.0', 1), 'THEN(b, a)'],
    ['leads out of a row at its end', 'THEN(WHEN(a, b), c)', nudge('0/0.0/0.1', 1), 'THEN(WHEN(a), b, c)'],
    ['carries a node into a form', 'THEN(a, WHEN(b))', move('0/0.0', '0/0.1', 'inside'), 'THEN(WHEN(b, a))'],
    ['carries nothing into itself', 'THEN(WHEN(a), b)', move('0/0.0', '0/0.0/0.0', 'after'), undefined],
    [
      'carries nothing away from the question it answers',
      'IF(isNew, a).ELIF(isLarge, b)',
      move('0/1.1', '0', 'after'),
      undefined,
    ],
    [
      'carries no question away from what is done on its answer',
      'IF(AND(isNew, hasDebt), a).ELIF(isLarge, b)',
      move('0/1.0', '0/0.0/0.0', 'after'),
      undefined,
    ],
    ['puts a question before it', 'THEN(a)', wrap('0/0.0', 'IF', named('isNew')), 'THEN(IF(isNew, a))'],
    ['repeats it', 'THEN(a)', wrap('0/0.0', 'FOR', literal(3)), 'THEN(FOR(3).DO(a))'],
    [
      'keeps the remark with the whole',
      'THEN(\n  // why\n  a\n)',
      wrap('0/0.0', 'CATCH'),
      'THEN(\n  // why\n  CATCH(a)\n)',
    ],
    ['frees what is in a form', 'THEN(WHEN(a, b), c)', unwrap('0/0.0'), 'THEN(a, b, c)'],
    ['frees nothing where that says something else', 'IF(isNew, a).ELSE(b)', unwrap('0'), undefined],
    ['asks another node', 'THEN(a.tag("x"))', rename('0/0.0', 'b'), 'THEN(b.tag("x"))'],
    ['does at once what was done in turn', 'THEN(a, b)', rename('0', 'WHEN'), 'WHEN(a, b)'],
    ['says something about a node', 'THEN(a)', setWord('0/0.0', 'retry', 2), 'THEN(a.retry(2))'],
    [
      'says something else about it',
      'THEN(a.retry(2, "Timeout"))',
      setWord('0/0.0', 'retry', 3),
      'THEN(a.retry(3, "Timeout"))',
    ],
    ['says it no longer', 'THEN(a.retry(2).tag("x"))', setWord('0/0.0', 'retry', undefined), 'THEN(a.tag("x"))'],
    [
      'puts JSON between quotes that it has none of',
      'THEN(a)',
      setWord('0/0.0', 'data', '{"n": 1}'),
      `THEN(a.data('{"n": 1}'))`,
    ],
  ]
  test.each(done)('%s', (_, source, edit, after) => {
    expect(edited(source, edit)).toBe(after)
  })

  const remarked: readonly (readonly [string, string, Edit, string])[] = [
    [
      'beside the id of a node that becomes another',
      'THEN(\n  node(\n    // why\n    "a"\n  )\n)',
      rename('0/0.0', 'b'),
      'THEN(\n  node(\n    // why\n    "b"\n  )\n)',
    ],
    [
      'beside what is said about a node and is said otherwise now',
      'THEN(\n  a.tag(\n    // why\n    "x"\n  )\n)',
      setWord('0/0.0', 'tag', 'y'),
      'THEN(\n  a.tag(\n    // why\n    "y"\n  )\n)',
    ],
    [
      'before a node that another is put before',
      'THEN(\n  a // one\n  // two\n  , b)',
      insert('0/0.1', 'before', named('c')),
      'THEN(\n  a, // one\n  c,\n  // two\n  b\n)',
    ],
    [
      'behind a question and behind the two it was one of',
      'IF(\n  AND(\n    isNew, // one\n    isLarge\n  ), // two\n  a\n)',
      remove('0/0.0/0.1'),
      'IF(\n  // two\n  isNew, // one\n  a\n)',
    ],
    [
      'behind a form that frees what is in it',
      'THEN(\n  WHEN(a, b), // why\n  c\n)',
      unwrap('0/0.0'),
      'THEN(\n  a,\n  b, // why\n  c\n)',
    ],
    [
      'before what had a name of its own and is carried to where it is done',
      '// why\nx = WHEN(a, b);\nTHEN(c);',
      move('0', '1/0.0', 'after'),
      'THEN(\n  c,\n  // why\n  WHEN(a, b)\n)',
    ],
  ]
  test.each(remarked)('keeps the remark %s', (_, source, edit, after) => {
    expect(edited(source, edit)).toBe(after)
  })

  test('asks a node how often, by an id that is no name, where a number stood', () => {
    const known = { ...KNOWN, nodes: new Map([...KNOWN.nodes, ['how often', 'for'] as const]) }
    const asked = editedText(parse('FOR(3).DO(a)').tree, known, rename('0/0.0', 'how often'))
    expect(asked?.source).toBe('FOR(node("how often")).DO(a)')
  })

  test('says where the thing is now', () => {
    expect(editedText(parse('THEN(a, b)').tree, KNOWN, nudge('0/0.0', 1))?.at).toBe('0/0.1')
    expect(editedText(parse('IF(isNew, a)').tree, KNOWN, insert('0/0.1', 'before', named('b')))?.at).toBe('0/0.1/0.0')
  })

  test('deeper than anybody reads is none', () => {
    const deep = `${'THEN('.repeat(64)}a${')'.repeat(64)}`
    expect(edited(deep, wrap(`0${'/0.0'.repeat(64)}`, 'CATCH'))).toBeUndefined()
  })
})
