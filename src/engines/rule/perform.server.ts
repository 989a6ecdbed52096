import { setImmediate as nextTurn } from 'node:timers/promises'
import { formOf, type NodeType, sameMethod } from './form.model.ts'
import { afterTime, boundBy, dataOf, type Perform, runLoop, runWhen } from './repeat.server.ts'
import { isFinal, RuleError } from './rule-error.server.ts'
import type { RuleNode, Run, Scope } from './scope.server.ts'
import { type Chained, type Expression, idOf, textOf } from './tree.model.ts'

type RunSub = (scope: Scope, chainId: string) => Promise<void>
type Ask = (scope: Scope, nodeId: string, node: RuleNode, place: number) => Promise<unknown>

/** Does what an expression says, and answers what it answers. `type` is the kind of answer its place needs. */
export async function perform(scope: Scope, expression: Expression, runSub: RunSub, ask: Ask): Promise<unknown> {
  const next: Perform = (inner, item, type = 'common') => wrapped(inner, item, type)
  /** Modifiers apply in the order in which they are written: what is called last holds what was called before. */
  function wrapped(outer: Scope, item: Expression, type: NodeType, tag = tagOf(item)): Promise<unknown> {
    const tagged: Scope = { ...outer, tag }
    const core = (inner: Scope) => plain(inner, item, type)
    return item.chained.reduce<(inner: Scope) => Promise<unknown>>(modified, core)(tagged)
  }
  async function plain(inner: Scope, item: Expression, type: NodeType): Promise<unknown> {
    const turn = counted(inner.run)
    if (turn) await turn
    inner.signal.throwIfAborted()
    const id = idOf(item)
    if (id !== undefined) return named(inner, item, id, type)
    const form = formOf(item.name)
    if (!form || item.kind !== 'call') throw new RuleError('unknown', item.name)
    return (FORMS_RUN[form.name] as FormRun)(inner, item, next)
  }
  function named(inner: Scope, item: Expression, id: string, type: NodeType): Promise<unknown> {
    const { nodes, chains, fallbacks } = inner.run.library
    const variable = item.kind === 'name' ? inner.variables.get(id) : undefined
    if (variable) return wrapped({ ...inner, variables: variable.before }, variable.value, type, inner.tag)
    const node = nodes.get(id)
    if (node) return ask(inner, id, node, item.start)
    if (chains.has(id)) return runSub(inner, id)
    const fallback = fallbacks?.[type]
    if (fallback && item.kind === 'call') return ask(inner, id, fallback, item.start)
    return Promise.reject(new RuleError('unknown', id))
  }
  return wrapped(scope, expression, 'common')
}

const tagOf = (item: Expression): string | undefined => {
  const tag = item.chained.find(({ name }) => name === 'tag')?.args.items[0]
  return tag && textOf(tag)
}

/** Loops within loops that ask nothing take time all the same, and so does every try of what fails. */
const ACTS_A_STEP = 20
const ACTS_A_TURN = 100

function counted(run: Run): Promise<void> | undefined {
  run.acts += 1
  const most = run.limits.steps * ACTS_A_STEP
  if (run.acts > most) throw new RuleError('limit', `${most} acts`)
  return run.acts % ACTS_A_TURN === 0 ? nextTurn() : undefined
}

type Act = (scope: Scope) => Promise<unknown>

function modified(act: Act, { name, args: { items } }: Chained): Act {
  const [first, ...more] = items
  if (name === 'data') return scope => act({ ...scope, data: dataOf(first) })
  if (name === 'bind') return scope => act({ ...scope, bound: boundBy(scope.bound, items) })
  if (name === 'retry') return scope => retried(act, scope, Number(first?.name), more.map(textOf))
  if (name === 'maxWaitSeconds') return scope => afterTime(act, scope, Number(first?.name) * 1000)
  if (name === 'maxWaitMilliseconds') return scope => afterTime(act, scope, Number(first?.name))
  return act
}

/** Tries again as often as it says; with names of errors, only after those. */
async function retried(act: Act, scope: Scope, times: number, names: readonly string[]): Promise<unknown> {
  for (let left = times; ; left -= 1) {
    try {
      return await act(scope)
    } catch (error) {
      const isNamed = names.length === 0 || (error instanceof Error && names.includes(error.name))
      if (left <= 0 || !isNamed || isFinal(error) || scope.signal.aborted) throw error
    }
  }
}

type FormRun = (scope: Scope, item: Expression, next: Perform) => Promise<unknown>

/** The brackets of a word that is called on an expression. */
const called = (item: Expression, word: string): readonly Expression[] =>
  item.chained.find(({ name }) => sameMethod(name) === word)?.args.items ?? []

const runThen: FormRun = async (scope, item, next) => {
  const meant = (each: Expression): string =>
    (each.kind === 'name' ? scope.variables.get(each.name) : undefined)?.value.name ?? each.name
  const [first, last] = ['PRE', 'FINALLY'].map(word => item.args.items.filter(each => meant(each) === word))
  const between = item.args.items.filter(each => !/^(PRE|FINALLY)$/.test(meant(each)))
  let failed: { error: unknown } | undefined
  try {
    for (const each of [...(first ?? []), ...between]) await next(scope, each)
  } catch (error) {
    failed = { error }
  }
  try {
    for (const each of last ?? []) await next(afterAll(scope), each)
  } catch (error) {
    // What went wrong first is what people have to know.
    failed ??= { error }
  }
  if (failed) throw failed.error
}

/** What ran out of its time is still tidied up after; what nobody waits for any more is not. */
function afterAll(scope: Scope): Scope {
  const { reason } = scope.signal
  return reason instanceof RuleError && reason.code === 'timeout' ? { ...scope, signal: scope.run.signal } : scope
}

const inOrder: FormRun = async (scope, item, next) => {
  for (const each of item.args.items) await next(scope, each)
}

const runIf: FormRun = async (scope, item, next) => {
  const [question, yes, no] = item.args.items
  const ways = [
    [question, yes],
    ...item.chained.filter(({ name }) => name === 'ELIF').map(({ args }) => args.items),
  ] as readonly (readonly [Expression, Expression])[]
  for (const [asked, then] of ways) if (await next(scope, asked, 'boolean')) return next(scope, then)
  const otherwise = no ?? called(item, 'ELSE')[0]
  return otherwise && next(scope, otherwise)
}

const runSwitch: FormRun = async (scope, item, next) => {
  const answer = (await next(scope, item.args.items[0] as Expression, 'switch')) as string
  const target = called(item, 'TO').find(each => isMeant(answer, each)) ?? called(item, 'DEFAULT')[0]
  if (!target) throw new RuleError('no-target', answer)
  return next(scope, target)
}

/** `id`, `id:tag`, `tag:x` and `:x`. */
function isMeant(answer: string, target: Expression): boolean {
  const ownId = called(target, 'id')[0]
  const ids = [idOf(target), ownId && textOf(ownId)]
  const colon = answer.indexOf(':')
  if (colon < 0) return ids.includes(answer)
  const [before, tag] = [answer.slice(0, colon), answer.slice(colon + 1)]
  return tagOf(target) === tag && (before === '' || before === 'tag' || ids.includes(before))
}

const runCatch: FormRun = async (scope, item, next) => {
  try {
    await next(scope, item.args.items[0] as Expression)
  } catch (error) {
    if (isFinal(error) || scope.signal.aborted) throw error
    const instead = called(item, 'DO')[0]
    if (instead) await next(scope, instead)
  }
}

/** Asks no further than it must. */
const runJoined =
  (decisive: boolean): FormRun =>
  async (scope, item, next) => {
    for (const each of item.args.items) if ((await next(scope, each, 'boolean')) === decisive) return decisive
    return !decisive
  }

const FORMS_RUN: Readonly<Record<string, FormRun>> = {
  THEN: runThen,
  PRE: inOrder,
  FINALLY: inOrder,
  WHEN: runWhen,
  IF: runIf,
  SWITCH: runSwitch,
  CATCH: runCatch,
  AND: runJoined(false),
  OR: runJoined(true),
  NOT: async (scope, item, next) => !(await next(scope, item.args.items[0] as Expression, 'boolean')),
  FOR: runLoop,
  WHILE: runLoop,
  ITERATOR: runLoop,
}
