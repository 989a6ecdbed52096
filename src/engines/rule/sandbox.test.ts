import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from './parser.model.ts'
import { runChain } from './run.server.ts'
import { openSandbox, type Sandbox } from './sandbox.server.ts'
import { PRIORITY } from './script.server.ts'
import { scriptNode } from './script-node.server.ts'

const NOON = new Date('2026-11-16T04:00:00Z')
/** Generous: beside other work a process of low priority waits long, and its first steps cost more. */
const sandbox = openSandbox({ cpuMs: 400, wallMs: 30_000 })
/** For what only the clock ends. */
const impatient = openSandbox({ cpuMs: 400, wallMs: 1_500 })
afterAll(() => {
  sandbox.close()
  impatient.close()
})

const answerOf = async (code: string, facts = {}, where: Sandbox = sandbox): Promise<unknown> =>
  (await where.run({ code, facts, now: NOON })).answer
const refusalOf = (code: string, where: Sandbox = sandbox): Promise<unknown> =>
  answerOf(code, {}, where).then(
    answer => ({ answer }),
    ({ code: why, line }) => (line === undefined ? why : `${why}, line ${line}`),
  )

describe('a script', () => {
  test('is asked with what is known and answers', async () => {
    expect(await answerOf('return facts.amount > 1000', { amount: 1200 })).toBe(true)
    const told = await sandbox.run({
      code: 'defaultContext.setData("risk", defaultContext.getData("amount") / 10); return _meta.tag',
      facts: { amount: 50 },
      meta: { tag: 'vip' },
      now: NOON,
    })
    expect([told.answer, told.changes]).toEqual(['vip', { risk: 5 }])
  })

  test('finds the same time and the same chance whenever it runs, in Shanghai', async () => {
    const code = 'return [Date.now(), new Date().getHours(), Math.random()]'
    const first = await answerOf(code)
    expect(first).toEqual([NOON.getTime(), 12, expect.any(Number)])
    expect(await answerOf(code)).toEqual(first)
  })

  test('leaves nothing behind for the next one', async () => {
    await answerOf('globalThis.kept = 1; Object.prototype.kept = 1; Array.prototype.map = null')
    expect(await answerOf('return [typeof kept, ({}).kept, [1].map(String)]')).toEqual(['undefined', null, ['1']])
  })

  test('that is wrong says in which line', async () => {
    expect(await refusalOf('const a = 1\nconst b = ;')).toBe('script, line 2')
    expect(await refusalOf('const a = null\n\nreturn a.b')).toBe('script, line 3')
    expect(await refusalOf('throw "text"')).toBe('script')
  })

  test('that does not end is ended, and the next one has its turn', async () => {
    expect(await refusalOf('for (;;);')).toBe('time, line 1')
    expect(await refusalOf('/^(a+)+$/.test("a".repeat(50) + "!")')).toBe('time, line 1')
    expect(await answerOf('return 1')).toBe(1)
  })

  test('in which the engine itself is busy is ended with its process, and the next one has its turn', async () => {
    expect(await refusalOf('Array(1e8).join("abc")', impatient)).toBe('time')
    expect(await answerOf('return 1', {}, impatient)).toBe(1)
  })

  test('that takes too much memory, or answers too much, is refused', async () => {
    expect(await refusalOf('return new ArrayBuffer(1e9)')).toBe('memory, line 1')
    expect(await refusalOf('return "x".repeat(70000)')).toBe('too-large')
    await expect(answerOf('return 1', { text: 'x'.repeat(300_000) })).rejects.toMatchObject({ code: 'too-large' })
    await expect(answerOf(' '.repeat(20_001))).rejects.toMatchObject({ code: 'too-large' })
  })

  test('cannot put anything into the objects of the console', async () => {
    const told = await sandbox.run({
      code: 'return JSON.parse(\'{"__proto__": {"isAdmin": true}}\')',
      facts: {},
      now: NOON,
    })
    expect(Object.keys(told.answer as object)).toEqual(['__proto__'])
    expect(({ ...(told.answer as object) } as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})

describe('the process of scripts', () => {
  test.runIf(process.platform === 'linux')(
    'is another than the console’s, and lets those who wait for a list go first',
    async () => {
      const own = openSandbox()
      // A process is told among the children of the thread that began it.
      const children = () =>
        readdirSync('/proc/self/task').flatMap(thread =>
          readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
        )
      const before = children()
      expect(await answerOf('return 1', {}, own)).toBe(1)
      const begun = children().filter(pid => !before.includes(pid))
      own.close()
      expect(begun.map(pid => getPriority(Number(pid)))).toEqual([PRIORITY])
      expect(PRIORITY).toBeGreaterThan(constants.priority.PRIORITY_NORMAL)
    },
  )

  test('keeps as many waiting as will soon have their turn, and no more', async () => {
    const small = openSandbox({ waiting: 2 })
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => answerOf('return 1', {}, small)))
    small.close()
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
    await expect(answerOf('return 1', {}, small)).rejects.toMatchObject({ code: 'busy' })
  })

  test('does not begin what nobody waits for any more', async () => {
    const gone = new AbortController()
    const first = answerOf('for (;;);')
    const second = sandbox.run({ code: 'return 1', facts: {}, now: NOON, signal: gone.signal })
    gone.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    await expect(first).rejects.toMatchObject({ code: 'time' })
  })
})

describe('scripts in a chain', () => {
  const run = (chain: string, scripts: Readonly<Record<string, Parameters<typeof scriptNode>[1]>>) =>
    runChain(
      {
        nodes: new Map(Object.entries(scripts).map(([id, script]) => [id, scriptNode(sandbox, script, () => NOON)])),
        chains: new Map([['main', parse(chain).tree]]),
      },
      'main',
      { facts: { amount: 1500 } },
    )

  test('decide, choose, count and act, and what one finds the next one knows', async () => {
    const outcome = await run('THEN(score, IF(isLarge, SWITCH(where).TO(FOR(often).DO(mark).id("far"))))', {
      score: { type: 'script', code: 'return { risk: facts.amount / 100 }' },
      isLarge: { type: 'boolean_script', code: 'return facts.risk > 10' },
      where: { type: 'switch_script', code: 'return "far"' },
      often: { type: 'for_script', code: 'return 2' },
      mark: { type: 'script', code: 'defaultContext.setData("round" + _meta.loopIndex, true)' },
    })
    expect(outcome.error).toBeUndefined()
    expect(Object.fromEntries(outcome.facts)).toEqual({ amount: 1500, risk: 15, round0: true, round1: true })
    expect(outcome.steps.map(({ nodeId, output }) => [nodeId, output])).toEqual([
      ['score', { risk: 15 }],
      ['isLarge', true],
      ['where', 'far'],
      ['often', 2],
      ['mark', { round0: true }],
      ['mark', { round1: true }],
    ])
  })

  test('that answer something else than they are for stop the chain', async () => {
    const ending = async (type: 'script' | 'boolean_script' | 'for_script', code: string) =>
      (await run('CATCH(x).DO(x)', { x: { type, code } })).error ?? (await run('IF(x, x)', { x: { type, code } })).error
    expect(await ending('script', 'return 3')).toMatchObject({ code: 'answer' })
    const asked = await run('IF(x, y)', {
      x: { type: 'boolean_script', code: 'return "yes"' },
      y: { type: 'script', code: '' },
    })
    expect(asked.error).toMatchObject({ code: 'answer' })
    const writing = await run('IF(x, y)', {
      x: { type: 'boolean_script', code: 'defaultContext.setData("risk", 1); return true' },
      y: { type: 'script', code: '' },
    })
    expect(writing.error).toMatchObject({ code: 'answer', message: 'x: setData' })
  })
})
