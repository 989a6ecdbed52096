import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSandbox } from '#engines/rule/sandbox.server.ts'
import { openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { watchSlowness, watchStalls } from './slowness.ts'

const SCRIPTS = IS_LONG ? 1_000 : 100
const NOON = new Date('2026-11-16T04:00:00Z')

/** Each tries to get hold of something or to hold somebody up, a little differently by its number. Whatever it got it answers. */
const HOSTILE: readonly ((n: number) => string)[] = [
  n => `let i = ${n}; for (;;) i += 1`,
  () => 'while (true) { try { for (;;); } catch {} finally { continue } }',
  n => `return /^(a+)+$/.test('a'.repeat(${30 + (n % 30)}) + '!')`,
  n => `return /(x+x+)+y/.exec('x'.repeat(${30 + (n % 30)}))`,
  () => 'return "ab".repeat(40).replace(/(.*)*c/g, "")',
  () => 'const all = []; for (;;) all.push(new Array(1000).fill(all))',
  n => `return new ArrayBuffer(${2 ** 28 + n})`,
  () => 'let text = "x"; for (;;) text += text',
  n => `return 'x'.repeat(${2 ** 24 + n})`,
  () => '(function deeper() { deeper() })()',
  () => 'let deep = {}; for (let i = 0; i < 1e5; i += 1) deep = { deep }; return JSON.stringify(deep)',
  () => 'return JSON.parse("[".repeat(1e5))',
  () => 'return [3, 2, 1].sort(() => { for (;;); })',
  () => 'return { toJSON() { for (;;); } }',
  () => 'throw { get message() { for (;;); } }',
  () => 'return new Proxy({}, { ownKeys() { for (;;); } })',
  () => 'function* endless() { for (;;) yield 1 } return [...endless()]',
  () => 'return this?.constructor?.constructor("return process")()',
  () =>
    'return (async () => {}).constructor("return process")().then(String) && typeof process !== "undefined" && "process"',
  () => 'return Function("return process")().env',
  () => 'return require("node:fs").readFileSync("/etc/passwd", "utf8")',
  () => 'return import("node:fs") && typeof require !== "undefined" && "require"',
  () => 'return fetch("http://127.0.0.1")',
  () => 'return new XMLHttpRequest()',
  () => 'return new WebSocket("ws://127.0.0.1")',
  () => 'return Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)',
  () => 'return typeof Atomics !== "undefined" && "Atomics"',
  () => 'return new WebAssembly.Memory({ initial: 1 })',
  () => 'return new Worker("data:,1")',
  () => 'return setTimeout(() => {}, 1e9)',
  () =>
    'return globalThis.process || globalThis.global || globalThis.Buffer || globalThis.module || globalThis.std || globalThis.os',
  () => 'Object.prototype.isAdmin = true; Array.prototype.push = () => { throw 1 }; JSON.stringify = () => "{"',
  () => 'Function.prototype.call = Function.prototype.apply = () => { for (;;); }',
  () => '}); for (;;); (function () {',
  () => 'return eval("typeof process") !== "undefined" && "process"',
  () => 'return Error.prepareStackTrace || new Error().stack.includes("node:") && "stack"',
  () =>
    'return Reflect.ownKeys(globalThis).filter(key => /process|require|fetch|std|print|load|gc$/.test(String(key))).join() || undefined',
  () => 'return arguments.callee.caller',
  n => `return 9n ** ${1000 + n}n ** 3n`,
  () => 'Promise.resolve().then(function again() { return Promise.resolve().then(again) })',
]

describe('scripts that mean harm', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance()
  })
  const sandbox = openSandbox({ cpuMs: 20, wallMs: 1_000, waiting: SCRIPTS })
  afterAll(() => sandbox.close())

  const outcomeOf = (code: string): Promise<unknown> =>
    sandbox.run({ code, facts: {}, now: NOON }).then(
      ({ answer }) => answer,
      ({ name }: Error) => name,
    )
  /** Refused, or nothing got hold of. */
  const isHarmless = (outcome: unknown) => [undefined, null, false, 'ScriptError'].includes(outcome as string)

  test('get hold of nothing, and hold nobody up who waits for a list', async () => {
    const reader = await person(instance, { superAdmin: true })
    const slowness = await watchSlowness(instance.url)
    const stalls = await watchStalls()
    const delay = monitorEventLoopDelay({ resolution: 10 })
    await outcomeOf('return 1')
    delay.enable()
    const hostile = Promise.all(
      Array.from({ length: SCRIPTS }, (_, n) => {
        const code = (HOSTILE[n % HOSTILE.length] as (n: number) => string)(n)
        return outcomeOf(code).then(outcome => (isHarmless(outcome) ? [] : [`${code}: ${JSON.stringify(outcome)}`]))
      }),
    )
    let isRunning = true
    void hostile.finally(() => {
      isRunning = false
    })
    const answers: number[] = []
    while (isRunning) {
      const asked = performance.now()
      expect(await reader.get('/orders/order')).toMatchObject({ code: 0 })
      answers.push(performance.now() - asked)
      await setTimeout(20)
    }
    delay.disable()
    const [slow, stalled] = [await slowness(), await stalls()]
    const slowest = answers.toSorted((a, b) => b - a)

    expect((await hostile).flat()).toEqual([])
    expect(await outcomeOf('return 1')).toBe(1)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect((delay.percentile(99) / 1e6 - stalled.p99) / slow).toBeLessThan(50)
    expect((delay.max / 1e6 - stalled.max) / slow).toBeLessThanOrEqual(250)
    expect((slowest[Math.floor(slowest.length / 20)] as number) / slow).toBeLessThan(300)
  })
})
