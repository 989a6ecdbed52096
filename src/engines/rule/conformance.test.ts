import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { check, type Known } from './checker.model.ts'
import { parse } from './parser.model.ts'
import { runChain } from './run.server.ts'
import type { Asked, Library, RuleNode, Step } from './scope.server.ts'

const failing = (name: string): RuleNode => ({
  type: 'common',
  run: () => {
    throw Object.assign(new Error(name), { name })
  },
})
const common = (run: RuleNode['run'] = () => undefined): RuleNode => ({ type: 'common', run })
const turns = (count: number) =>
  common(async () => {
    for (let left = count; left > 0; left -= 1) await nextTurn()
  })
const failedOnce = new Map<string, number>()

/** Nodes that do what their name says; `data` says how far. */
const nodes = new Map<string, RuleNode>([
  ...['a', 'b', 'c', 'd', 'e', 'show'].map(id => [id, common()] as const),
  ['bad', failing('Error')],
  ['late', failing('LateError')],
  ['soon', turns(3)],
  ['later', turns(30)],
  ['never', common(() => new Promise(() => undefined))],
  ['flaky', common(flaky)],
  ['set', common(({ data }) => data)],
  ['yes', { type: 'boolean', run: () => true }],
  ['no', { type: 'boolean', run: () => false }],
  ['maybe', { type: 'boolean', run: () => 'maybe' }],
  ['has', { type: 'boolean', run: ({ facts, data }) => Boolean(facts.get(String(data))) }],
  ['at', { type: 'boolean', run: ({ loops, data }) => loops[0]?.index === data }],
  ['under', { type: 'boolean', run: ({ loops, data }) => (loops[0]?.index ?? 0) < Number(data) }],
  ['choose', { type: 'switch', run: ({ data }) => data }],
  ['times', { type: 'for', run: ({ data }) => data }],
  ['list', { type: 'iterator', run: ({ data }) => data }],
])
function flaky({ data, facts }: Asked): void {
  const run = String(facts.get('run'))
  const failed = failedOnce.get(run) ?? 0
  failedOnce.set(run, failed + 1)
  if (failed < Number(data)) throw new Error('not yet')
}
const chains = new Map(
  Object.entries({
    sub: 'THEN(a, b)',
    subBad: 'THEN(a, bad, b)',
    nested: 'THEN(sub, WHEN(c, sub))',
    self: 'THEN(a, self)',
    ping: 'THEN(a, pong)',
    pong: 'THEN(b, ping)',
    d: 'THEN(a)',
    private: 'own = THEN(c, c); own',
  }).map(([id, text]) => [id, parse(text).tree] as const),
)
const library: Library = {
  nodes,
  chains,
  fallbacks: { common: common(), boolean: { type: 'boolean', run: () => false } },
}
const known: Known = {
  nodes: new Map([...nodes].map(([id, { type }]) => [id, type])),
  chains: new Set([...chains.keys(), 'main']),
  fallbacks: new Set(['common', 'boolean']),
}

const stepText = ({ nodeId, tag, input, error }: Step): string => {
  const loop = 'index' in input ? `#${input.index}${'item' in input ? `=${input.item}` : ''}` : ''
  const { index: _, item: __, ...told } = input
  const shown = nodeId === 'show' && Object.keys(told).length > 0 ? JSON.stringify(told).replaceAll(' ', '') : ''
  return `${nodeId}${tag ? `:${tag}` : ''}${shown}${loop}${error ? '!' : ''}`
}

let runs = 0
async function traceOf(text: string): Promise<string> {
  const { tree, faults } = parse(text)
  const wrong = [...faults, ...check(tree, known)]
  if (wrong.length > 0) return `refused: ${wrong.map(({ code }) => code).join(', ')}`
  runs += 1
  const limits = { steps: 60, rounds: 20, chains: 5, ms: 5_000 }
  const outcome = await runChain({ ...library, chains: new Map([...chains, ['main', tree]]) }, 'main', {
    facts: { run: runs },
    limits,
  })
  return [...outcome.steps.map(stepText), ...(outcome.isDone ? [] : [`✗ ${outcome.error?.code}`])].join(' ')
}

/** A chain, and the nodes it asks in the order in which they begin: `:tag`, `#round=item`, `!` fails; `✗` how a run ends that does not end well. */
const CONFORMANCE = `
THEN(a) ⇒ a
THEN(a, b, c) ⇒ a b c
SER(a, b) ⇒ a b
a ⇒ a
a; ⇒ a
THEN(a, THEN(b, c), d) ⇒ a b c d
THEN(a, a, a) ⇒ a a a
THEN(a, bad, b) ⇒ a bad! ✗ node
THEN(soon, a) ⇒ soon a
// a remark \\n THEN(a /* and one more */, b) ⇒ a b
node("a") ⇒ a
THEN(node("a"), NODE("b")) ⇒ a b
THEN(node("nobody"), a) ⇒ nobody a
IF(node("nobody"), a, b) ⇒ nobody b
x = THEN(a, b); THEN(x, c) ⇒ a b c
x = THEN(a); y = WHEN(x, b); THEN(y, x) ⇒ a b a
x = yes; IF(x, a) ⇒ yes a
a = THEN(b, c); THEN(a) ⇒ b c
a = THEN(a, b); THEN(a) ⇒ a b
THEN(a); THEN(b) ⇒ b
WHEN(a, b) ⇒ a b
PAR(a, b, c) ⇒ a b c
WHEN(soon, a) ⇒ soon a
THEN(WHEN(later, soon, a), b) ⇒ later soon a b
WHEN(THEN(later, a), THEN(soon, b)) ⇒ later soon b a
WHEN(THEN(soon, a), THEN(later, b)) ⇒ soon later a b
WHEN(bad, a) ⇒ bad! a ✗ node
THEN(WHEN(bad, later), a) ⇒ bad! later ✗ node
WHEN(a, bad).ignoreError(true) ⇒ a bad!
THEN(WHEN(a, bad).ignoreError(true), b) ⇒ a bad! b
THEN(WHEN(a, bad).ignoreError(false), b) ⇒ a bad! ✗ node
THEN(WHEN(soon, never).any(true), b) ⇒ soon never! b
THEN(WHEN(soon, THEN(later, a)).any(true), b) ⇒ soon later! b
THEN(WHEN(soon, THEN(later, a)).any(false), b) ⇒ soon later a b
THEN(WHEN(bad, never).any(true), b) ⇒ bad! never! ✗ node
THEN(WHEN(bad, never).any(true).ignoreError(true), b) ⇒ bad! never! b
THEN(WHEN(never, soon, later).must(soon), b) ⇒ never! soon later! b
THEN(WHEN(never, soon, later).must(soon, "later"), b) ⇒ never! soon later b
THEN(WHEN(never, THEN(soon).id("p")).must("p"), b) ⇒ never! soon b
THEN(WHEN(soon, later).must("nobody"), b) ⇒ soon later b
THEN(WHEN(soon, soon, never, never).percentage(0.5), b) ⇒ soon soon never! never! b
THEN(WHEN(soon, never, never).percentage(0), b) ⇒ soon never! never! b
THEN(WHEN(soon, later).percentage(1), b) ⇒ soon later b
THEN(WHEN(soon, never, later).percentage(0.6), b) ⇒ soon never! later b
WHEN(a, b).threadPool("own") ⇒ a b
WHEN(WHEN(a, b), c) ⇒ a b c
SWITCH(choose.data('b')).TO(a, b) ⇒ choose b
SWITCH(choose.data('b')).to(a, b) ⇒ choose b
SWITCH(choose.data('a')).TO(a, b) ⇒ choose a
SWITCH(choose.data('x')).TO(a, b) ⇒ choose ✗ no-target
SWITCH(choose.data('x')).TO(a).DEFAULT(c) ⇒ choose c
SWITCH(choose.data('a')).TO(a).DEFAULT(c) ⇒ choose a
SWITCH(choose.data('sub')).TO(a, sub) ⇒ choose a b
SWITCH(choose.data('part')).TO(a, THEN(b, c).id("part")) ⇒ choose b c
SWITCH(choose.data('tag:two')).TO(a.tag("one"), b.tag("two")) ⇒ choose b:two
SWITCH(choose.data(':two')).TO(a.tag("one"), b.tag("two")) ⇒ choose b:two
SWITCH(choose.data('a:two')).TO(a.tag("one"), a.tag("two")) ⇒ choose a:two
SWITCH(choose.data('b:two')).TO(a.tag("two"), b.tag("two")) ⇒ choose b:two
SWITCH(choose.data('tag:two')).TO(a, THEN(b, c).tag("two")) ⇒ choose b c
SWITCH(choose.data('12')).TO(a) ⇒ choose! ✗ answer
SWITCH(choose.data('b')).TO(a, b, b) ⇒ choose b
THEN(SWITCH(choose.data('b')).TO(a, b), c) ⇒ choose b c
IF(yes, a) ⇒ yes a
IF(no, a) ⇒ no
IF(yes, a, b) ⇒ yes a
IF(no, a, b) ⇒ no b
IF(no, a).ELSE(b) ⇒ no b
IF(yes, a).ELSE(b) ⇒ yes a
IF(no, a).ELIF(yes, b).ELSE(c) ⇒ no yes b
IF(no, a).ELIF(no, b).ELSE(c) ⇒ no no c
IF(no, a).ELIF(no, b) ⇒ no no
IF(no, a).ELIF(no, b).ELIF(yes, c).ELSE(d) ⇒ no no yes c
IF(yes, a).ELIF(yes, b) ⇒ yes a
IF(maybe, a) ⇒ maybe! ✗ answer
IF(yes, IF(no, a, b), c) ⇒ yes no b
IF(AND(yes, yes), a) ⇒ yes yes a
IF(AND(yes, no), a, b) ⇒ yes no b
IF(AND(no, yes), a, b) ⇒ no b
IF(OR(no, yes), a, b) ⇒ no yes a
IF(OR(yes, no), a, b) ⇒ yes a
IF(OR(no, no), a, b) ⇒ no no b
IF(NOT(no), a) ⇒ no a
IF(NOT(yes), a, b) ⇒ yes b
IF(AND(OR(no, yes), NOT(no)), a, b) ⇒ no yes no a
IF(NOT(AND(yes, NOT(no))), a, b) ⇒ yes no b
IF(AND(yes, no, yes), a, b) ⇒ yes no b
IF(OR(no, no, yes), a, b) ⇒ no no yes a
FOR(3).DO(a) ⇒ a#0 a#1 a#2
FOR(0).DO(a) ⇒
FOR(2).DO(THEN(a, b)) ⇒ a#0 b#0 a#1 b#1
FOR(times.data('2')).DO(a) ⇒ times a#0 a#1
FOR(times.data('-2')).DO(a) ⇒ times! ✗ answer
FOR(times.data('1.5')).DO(a) ⇒ times! ✗ answer
FOR(5).DO(a).BREAK(at.data('1')) ⇒ a#0 at#0 a#1 at#1
FOR(2).DO(a).BREAK(no) ⇒ a#0 no#0 a#1 no#1
FOR(3).DO(a).BREAK(yes) ⇒ a#0 yes#0
FOR(2).DO(FOR(2).DO(a)) ⇒ a#0 a#1 a#0 a#1
FOR(3).DO(bad) ⇒ bad#0! ✗ node
FOR(3).parallel(true).DO(soon) ⇒ soon#0 soon#1 soon#2
FOR(2).parallel(true).DO(THEN(soon, a)) ⇒ soon#0 soon#1 a#0 a#1
FOR(2).parallel(false).DO(THEN(soon, a)) ⇒ soon#0 a#0 soon#1 a#1
FOR(3).parallel(true).DO(bad) ⇒ bad#0! bad#1! bad#2! ✗ node
FOR(99).DO(a).BREAK(at.data('2')) ⇒ a#0 at#0 a#1 at#1 a#2 at#2
WHILE(under.data('2')).DO(a) ⇒ under#0 a#0 under#1 a#1 under#2
WHILE(no).DO(a) ⇒ no#0
WHILE(false).DO(a) ⇒
WHILE(true).DO(a).BREAK(at.data('1')) ⇒ a#0 at#0 a#1 at#1
WHILE(AND(yes, under.data('1'))).DO(a) ⇒ yes#0 under#0 a#0 yes#1 under#1
ITERATOR(list.data('["x","y"]')).DO(a) ⇒ list a#0=x a#1=y
ITERATOR(list.data('[]')).DO(a) ⇒ list
ITERATOR(list.data('["x","y","z"]')).DO(a).BREAK(at.data('1')) ⇒ list a#0=x at#0=x a#1=y at#1=y
ITERATOR(list.data('["x","y"]')).parallel(true).DO(THEN(soon, a)) ⇒ list soon#0=x soon#1=y a#0=x a#1=y
ITERATOR(list.data('7')).DO(a) ⇒ list! ✗ answer
CATCH(a) ⇒ a
CATCH(bad) ⇒ bad!
CATCH(bad).DO(a) ⇒ bad! a
CATCH(a).DO(b) ⇒ a
CATCH(THEN(a, bad, b)).DO(c) ⇒ a bad! c
CATCH(bad).DO(bad) ⇒ bad! bad! ✗ node
THEN(CATCH(bad), a) ⇒ bad! a
CATCH(CATCH(bad).DO(late)).DO(a) ⇒ bad! late! a
CATCH(WHEN(a, bad)).DO(b) ⇒ a bad! b
CATCH(SWITCH(choose.data('x')).TO(a)).DO(b) ⇒ choose b
CATCH(FOR(3).DO(bad)).DO(a) ⇒ bad#0! a
THEN(a, PRE(b)) ⇒ b a
THEN(a, PRE(b, c), d) ⇒ b c a d
THEN(PRE(a), b, PRE(c)) ⇒ a c b
THEN(FINALLY(c), a, b) ⇒ a b c
THEN(a, bad, FINALLY(b)) ⇒ a bad! b ✗ node
THEN(PRE(bad), a, FINALLY(b)) ⇒ bad! b ✗ node
THEN(a, FINALLY(bad)) ⇒ a bad! ✗ node
THEN(late, FINALLY(bad)) ⇒ late! bad! ✗ node
THEN(a, THEN(b, FINALLY(c)), d, FINALLY(e)) ⇒ a b c d e
CATCH(THEN(bad, FINALLY(a))).DO(b) ⇒ bad! a b
x = FINALLY(a); THEN(x, b) ⇒ b a
a.tag("vip") ⇒ a:vip
THEN(a.tag("one"), a.tag("two"), a) ⇒ a:one a:two a
THEN(a, b).tag("x") ⇒ a b
show.data('{"n":1}') ⇒ show{"data":{"n":1}}
show.data('plain') ⇒ show{"data":"plain"}
THEN(show, a, show).data('1') ⇒ show{"data":1} a show{"data":1}
THEN(show.data('2'), show).data('1') ⇒ show{"data":2} show{"data":1}
THEN(THEN(show).data('2'), show).data('1') ⇒ show{"data":2} show{"data":1}
show.bind("k", "v") ⇒ show{"bound":{"k":"v"}}
show.bind("k", 3).bind("m", true) ⇒ show{"bound":{"m":true,"k":3}}
THEN(show.bind("k", 2), show).bind("k", 1) ⇒ show{"bound":{"k":2}} show{"bound":{"k":1}}
THEN(show.bind("k", 2), show).bind("k", 1, true) ⇒ show{"bound":{"k":1}} show{"bound":{"k":1}}
THEN(sub, show).bind("k", 1) ⇒ a b show{"bound":{"k":1}}
flaky.data('2').retry(2) ⇒ flaky! flaky! flaky
flaky.data('2').retry(1) ⇒ flaky! flaky! ✗ node
bad.retry(0) ⇒ bad! ✗ node
bad.retry(2) ⇒ bad! bad! bad! ✗ node
THEN(a, bad).retry(1) ⇒ a bad! a bad! ✗ node
late.retry(1, "LateError") ⇒ late! late! ✗ node
late.retry(1, "OtherError") ⇒ late! ✗ node
late.retry(1, "OtherError", "LateError") ⇒ late! late! ✗ node
WHEN(bad.retry(1), a) ⇒ bad! a bad! ✗ node
CATCH(bad.retry(1)).DO(a) ⇒ bad! bad! a
never.maxWaitMilliseconds(5) ⇒ never! ✗ timeout
THEN(never, a).maxWaitMilliseconds(5) ⇒ never! ✗ timeout
CATCH(never.maxWaitMilliseconds(5)).DO(a) ⇒ never! a
never.maxWaitMilliseconds(5).retry(1) ⇒ never! never! ✗ timeout
never.retry(1).maxWaitMilliseconds(5) ⇒ never! ✗ timeout
WHEN(a, never).maxWaitMilliseconds(5) ⇒ a never! ✗ timeout
WHEN(a, never.maxWaitMilliseconds(5)).ignoreError(true) ⇒ a never!
FOR(2).DO(never).maxWaitMilliseconds(5) ⇒ never#0! ✗ timeout
a.maxWaitSeconds(3) ⇒ a
IF(yes, never.maxWaitMilliseconds(5)) ⇒ yes never! ✗ timeout
sub ⇒ a b
THEN(sub, c) ⇒ a b c
WHEN(sub, c) ⇒ a c b
nested ⇒ a b c a b
THEN(subBad, c) ⇒ a bad! ✗ node
CATCH(subBad).DO(c) ⇒ a bad! c
IF(yes, sub, c) ⇒ yes a b
FOR(2).DO(sub) ⇒ a#0 b#0 a#1 b#1
THEN(private, a) ⇒ c c a
own = THEN(b); THEN(private, own) ⇒ c c b
d ⇒ d
sub.retry(1) ⇒ a b
self ⇒ a ✗ limit
CATCH(self).DO(b) ⇒ a ✗ limit
ping ⇒ a b ✗ limit
main ⇒ ✗ limit
WHILE(true).DO(set) ⇒ ${Array.from({ length: 20 }, (_, round) => `set#${round}`).join(' ')} ✗ limit
CATCH(FOR(21).DO(set)).DO(a) ⇒ ${Array.from({ length: 20 }, (_, round) => `set#${round}`).join(' ')} ✗ limit
THEN(set.data('{"risk":1}'), IF(has.data('risk'), a, b)) ⇒ set has a
THEN(set.data('{"risk":0}'), IF(has.data('risk'), a, b)) ⇒ set has b
THEN(set.data('[1]'), a) ⇒ set! ✗ answer
THEN(set.data('"text"'), a) ⇒ set! ✗ answer
THEN(WHEN(set.data('{"x":1}'), set.data('{"y":1}')), IF(AND(has.data('x'), has.data('y')), a)) ⇒ set set has has a
x = THEN(a); y = THEN(x); x = THEN(b); THEN(y) ⇒ a
x = THEN(a); x = THEN(x, b); THEN(x) ⇒ a b
x = a; x.tag("t") ⇒ a:t
x = a.tag("s"); THEN(x, x.tag("t")) ⇒ a:s a:t
THEN(never, FINALLY(a)).maxWaitMilliseconds(5) ⇒ never! a ✗ timeout
CATCH(THEN(never, FINALLY(a, b)).maxWaitMilliseconds(5)).DO(c) ⇒ never! a b c
THEN(WHEN(never).ignoreError(true)).maxWaitMilliseconds(5) ⇒ never! ✗ timeout
THEN(nobody) ⇒ refused: id-unknown
THEN(yes) ⇒ refused: type
SWITCH(choose).TO(FINALLY(a)) ⇒ refused: place
IF(yes, a, b).ELSE(c) ⇒ refused: caller
`
  .split('\n')
  .filter(Boolean)
  .map(line => line.split(' ⇒').map(part => part.trim().replaceAll('\\n', '\n')) as [string, string])

describe('a chain runs as the words of its text mean', () => {
  test('there are at least 120 of them', () => expect(CONFORMANCE.length).toBeGreaterThanOrEqual(120))

  test.each(CONFORMANCE)('%s', async (text, trace) => {
    expect(await traceOf(text)).toBe(trace)
  })
})

describe('a run ends within its limits', () => {
  const run = (text: string, limits: Parameters<typeof runChain>[2]) =>
    runChain({ ...library, chains: new Map([...chains, ['main', parse(text).tree]]) }, 'main', limits)

  test('after so many steps', async () => {
    const outcome = await run('FOR(900).DO(THEN(a, a, a))', {})
    expect([outcome.steps.length, outcome.error?.code]).toEqual([2_000, 'limit'])
  })

  test('after so much time, whatever its nodes wait for, and nothing in it can catch that', async () => {
    const outcome = await run('CATCH(never).DO(a)', { limits: { steps: 9, rounds: 9, chains: 9, ms: 10 } })
    expect([outcome.steps.length, outcome.error?.code]).toEqual([1, 'limit'])
  })

  test('after so many loops within loops, though none of them asks anything', async () => {
    const outcome = await run('FOR(1000).DO(FOR(1000).DO(FOR(0).DO(a)))', {})
    expect([outcome.steps.length, outcome.error?.code]).toEqual([0, 'limit'])
  })

  test('after so many tries', async () => {
    const outcome = await runChain(
      {
        nodes,
        chains: new Map([
          ['main', parse('hollow.retry(100000)').tree],
          ['hollow', parse('x = THEN(a)').tree],
        ]),
      },
      'main',
    )
    expect(outcome.error?.code).toBe('limit')
  })

  test('and asks no more than eight things at once, however many there are to ask', async () => {
    let [atOnce, most] = [0, 0]
    const slow = common(async () => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await nextTurn()
      atOnce -= 1
    })
    const outcome = await runChain(
      { nodes: new Map([['slow', slow]]), chains: new Map([['main', parse('FOR(300).parallel(true).DO(slow)').tree]]) },
      'main',
    )
    expect([outcome.isDone, outcome.steps.length, most]).toEqual([true, 300, 8])
  })

  test('and a loop in parallel whose BREAK fails calls its rounds off', async () => {
    const outcome = await run('CATCH(FOR(3).parallel(true).DO(never).BREAK(maybe)).DO(soon)', {})
    expect([outcome.isDone, outcome.steps.map(({ nodeId, error }) => [nodeId, error?.code])]).toEqual([
      true,
      [
        ['never', 'aborted'],
        ['maybe', 'answer'],
        ['soon', undefined],
      ],
    ])
  })

  test('once more has been found than a script may be told', async () => {
    const found = common(({ loops }) => ({ [`fact${loops[0]?.index}`]: 'x'.repeat(10_000) }))
    const outcome = await runChain(
      { nodes: new Map([['found', found]]), chains: new Map([['main', parse('FOR(100).DO(found)').tree]]) },
      'main',
    )
    expect([outcome.steps.length, outcome.error]).toEqual([27, { code: 'limit', message: 'facts' }])
  })

  test('and an answer nobody waits for any more, which fails, ends nothing else', async () => {
    const unheard: unknown[] = []
    const hear = (error: unknown) => unheard.push(error)
    process.on('unhandledRejection', hear)
    const gone = new AbortController()
    const fails = common(() => {
      gone.abort(new Error('gone'))
      return Promise.reject(new Error('fails'))
    })
    const outcome = await runChain(
      { nodes: new Map([['fails', fails]]), chains: new Map([['main', parse('THEN(fails)').tree]]) },
      'main',
      { signal: gone.signal },
    )
    await nextTurn()
    await nextTurn()
    process.off('unhandledRejection', hear)
    expect([outcome.error?.message, unheard]).toEqual(['gone', []])
  })

  test('when whoever asked for it goes away', async () => {
    const gone = new AbortController()
    const running = run('THEN(never, a)', { signal: gone.signal })
    gone.abort(new Error('gone'))
    expect((await running).error?.message).toBe('gone')
  })

  test('what a node answers after its time changes nothing any more', async () => {
    let answer: (facts: object) => void = () => undefined
    const slow: RuleNode = common(() => new Promise(resolve => (answer = resolve)))
    const outcome = await runChain(
      {
        nodes: new Map([...nodes, ['slow', slow]]),
        chains: new Map([['main', parse('CATCH(slow.maxWaitMilliseconds(5))').tree]]),
      },
      'main',
    )
    answer({ risk: 9 })
    await nextTurn()
    expect([outcome.isDone, outcome.facts.get('risk')]).toEqual([true, undefined])
  })

  test('a long run of quick answers lets others have their turn', async () => {
    let turnsOfOthers = 0
    const other = setInterval(() => {
      turnsOfOthers += 1
    }, 0)
    await run('FOR(900).DO(a)', {})
    clearInterval(other)
    expect(turnsOfOthers).toBeGreaterThan(3)
  })
})
