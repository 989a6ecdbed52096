import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NodeType } from './form.model.ts'
import { perform } from './perform.server.ts'
import { RuleError } from './rule-error.server.ts'
import {
  type Library,
  type Limits,
  type Outcome,
  orAborted,
  type RuleNode,
  type Run,
  type Scope,
  type Step,
  type Variable,
  type Variables,
} from './scope.server.ts'
import { MAX_INPUT } from './script.server.ts'
import { bodyOf, type Tree } from './tree.model.ts'

export const LIMITS: Limits = { steps: 2_000, rounds: 1_000, chains: 16, ms: 10_000 }

/** Steps after which others get their turn: answers that are at hand would otherwise hold the whole console. */
const STEPS_A_TURN = 50

/** Runs a chain to its end. Whatever goes wrong in it is its outcome; it never throws, and it ends within its limits. */
export async function runChain(
  library: Library,
  chainId: string,
  {
    facts = {},
    limits = LIMITS,
    signal,
  }: { facts?: Readonly<Record<string, unknown>>; limits?: Limits; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(new RuleError('limit', `${limits.ms} ms`)), limits.ms)
  const whole = signal ? AbortSignal.any([ended.signal, signal]) : ended.signal
  const run: Run = {
    library,
    limits,
    steps: [],
    facts: new Map(Object.entries(facts)),
    startedMs: performance.now(),
    signal: whole,
    acts: 0,
    size: 0,
    asked: 0,
    waiting: new Set(),
  }
  const scope: Scope = {
    run,
    chains: [],
    variables: new Map(),
    tag: undefined,
    data: undefined,
    bound: {},
    loops: [],
    signal: whole,
  }
  try {
    await runSub(scope, chainId)
    return { isDone: true, steps: run.steps, facts: run.facts }
  } catch (error) {
    return { isDone: false, error: told(error), steps: run.steps, facts: run.facts }
  } finally {
    clearTimeout(timer)
    ended.abort(new RuleError('aborted', chainId))
  }
}

/** A chain within a chain. One that comes back to itself would never end. */
async function runSub(scope: Scope, chainId: string): Promise<void> {
  const tree = scope.run.library.chains.get(chainId)
  const body = tree && bodyOf(tree)
  if (!tree || !body) throw new RuleError('unknown', chainId)
  if (scope.chains.includes(chainId) || scope.chains.length >= scope.run.limits.chains)
    throw new RuleError('limit', [...scope.chains, chainId].join(' → '))
  await perform(
    { ...scope, chains: [...scope.chains, chainId], variables: variablesOf(tree), tag: undefined },
    body,
    runSub,
    ask,
  )
}

function variablesOf(tree: Tree): Variables {
  let variables: Variables = new Map<string, Variable>()
  for (const { target, value } of tree.statements)
    if (target) variables = new Map([...variables, [target.name, { value, before: variables }]])
  return variables
}

/** Scripts of all people wait in one line: a run that would ask hundreds of them at once comes with a few at a time. */
const MOST_AT_ONCE = 8

async function inTurn<T>({ run, signal }: Scope, act: () => Promise<T>): Promise<T> {
  while (run.asked >= MOST_AT_ONCE) await waitIn(run, signal)
  run.asked += 1
  try {
    return await act()
  } finally {
    run.asked -= 1
    callNext(run)
  }
}

async function waitIn(run: Run, signal: AbortSignal): Promise<void> {
  let call: () => void = () => undefined
  const called = new Promise<void>(resolve => (call = resolve))
  run.waiting.add(call)
  try {
    await orAborted(called, signal)
  } catch (error) {
    // It may have been called just before: its turn is the next one's.
    run.waiting.delete(call)
    callNext(run)
    throw error
  }
}

function callNext({ waiting }: Run): void {
  const [next] = waiting
  if (!next) return
  waiting.delete(next)
  next()
}

/** Asks one node, and writes down what it was asked with, what it answered and how long it took. */
const ask = (scope: Scope, nodeId: string, node: RuleNode, place: number): Promise<unknown> =>
  inTurn(scope, () => askNow(scope, nodeId, node, place))

async function askNow(scope: Scope, nodeId: string, node: RuleNode, place: number): Promise<unknown> {
  const { run, signal, tag, data, loops } = scope
  signal.throwIfAborted()
  if (run.steps.length >= run.limits.steps) throw new RuleError('limit', `${run.limits.steps} steps`)
  const chainId = scope.chains.at(-1) as string
  const bound = Object.fromEntries(Object.entries(scope.bound).map(([key, { value }]) => [key, value]))
  const began = performance.now()
  const input = { ...(data !== undefined && { data }), ...(Object.keys(bound).length > 0 && { bound }), ...loops[0] }
  const step: Step = { nodeId, chainId, place, ...(tag !== undefined && { tag }), atMs: began - run.startedMs, input }
  run.steps.push(step)
  try {
    if (run.steps.length % STEPS_A_TURN === 0) await nextTurn()
    signal.throwIfAborted()
    const answer = node.run({ nodeId, chainId, tag, data, bound, loops, facts: run.facts, signal })
    const output = checked(node.type, nodeId, await orAborted(answer, signal))
    run.size += JSON.stringify(output)?.length ?? 0
    if (run.size > MAX_INPUT) throw new RuleError('limit', 'facts')
    if (output !== undefined) step.output = output
    if (node.type === 'common' && output) for (const [key, value] of Object.entries(output)) run.facts.set(key, value)
    return output
  } catch (error) {
    step.error = told(error)
    throw error
  } finally {
    step.ms = performance.now() - began
  }
}

/** An answer of another kind than the type promises is a mistake of the node, not of the chain. */
function checked(type: NodeType, id: string, answer: unknown): unknown {
  const isRight = {
    common: answer === undefined || answer === null || (typeof answer === 'object' && !Array.isArray(answer)),
    boolean: typeof answer === 'boolean',
    switch: typeof answer === 'string',
    for: Number.isSafeInteger(answer) && (answer as number) >= 0,
    iterator: Array.isArray(answer),
  }[type]
  if (!isRight) throw new RuleError('answer', `${id}: ${type}`)
  return answer ?? undefined
}

const told = (error: unknown): NonNullable<Step['error']> =>
  error instanceof RuleError
    ? { code: error.code, message: error.message }
    : { code: 'node', message: error instanceof Error ? error.message.slice(0, MAX_MESSAGE) : 'unknown' }
const MAX_MESSAGE = 500
