import type { NodeType } from './form.model.ts'
import { isFinal, RuleError } from './rule-error.server.ts'
import type { Loop, Scope } from './scope.server.ts'
import { type Expression, idOf, textOf } from './tree.model.ts'

/** Does what an expression within another says. */
export type Perform = (scope: Scope, item: Expression, type?: NodeType) => Promise<unknown>

const argument = (item: Expression, word: string): Expression | undefined =>
  item.chained.find(({ name }) => name === word)?.args.items[0]
const isOn = (item: Expression, word: string): boolean => argument(item, word)?.name === 'true'

/**
 * Everything at once. It waits for all, unless told what is enough: the first (`any`), a share (`percentage`) or those that
 * are named (`must`); what is still under way then is called off.
 */
export async function runWhen(scope: Scope, item: Expression, next: Perform): Promise<void> {
  const { items } = item.args
  const off = new AbortController()
  const inner = { ...scope, signal: AbortSignal.any([scope.signal, off.signal]) }
  const ends = new Map<number, { error?: unknown }>()
  try {
    await new Promise<void>((resolve, reject) => {
      for (const [place, each] of items.entries())
        next(inner, each)
          .then(
            () => ends.set(place, {}),
            error => (isFinal(error) ? reject(error) : ends.set(place, { error })),
          )
          .then(() => isEnough(item, ends) && resolve())
    })
  } finally {
    off.abort(new RuleError('aborted', 'WHEN'))
  }
  const failed = [...ends].toSorted(([a], [b]) => a - b).find(([, end]) => 'error' in end)
  if (failed && !isOn(item, 'ignoreError')) throw failed[1].error
}

function isEnough(item: Expression, ends: ReadonlyMap<number, unknown>): boolean {
  const { items } = item.args
  const named = item.chained.find(({ name }) => name === 'must')?.args.items.map(named => idOf(named) ?? textOf(named))
  const must = items.flatMap((each, place) => (named && namesOf(each).some(id => named.includes(id)) ? [place] : []))
  const share = argument(item, 'percentage')
  if (isOn(item, 'any')) return ends.size >= 1
  if (share) return ends.size >= Math.max(1, Math.ceil(items.length * Number(share.name)))
  if (must.length > 0) return must.every(place => ends.has(place))
  return ends.size === items.length
}

const namesOf = (item: Expression): string[] => {
  const own = argument(item, 'id')
  return [idOf(item), own && textOf(own)].filter(name => name !== undefined)
}

/** FOR, WHILE and ITERATOR. When one fails before all rounds have begun, those under way are called off. */
export async function runLoop(scope: Scope, item: Expression, next: Perform): Promise<void> {
  const off = new AbortController()
  try {
    await runRounds({ ...scope, signal: AbortSignal.any([scope.signal, off.signal]) }, item, next)
  } catch (error) {
    off.abort(new RuleError('aborted', item.name))
    throw error
  }
}

/** BREAK is asked after each round, with that round's number. */
async function runRounds(scope: Scope, item: Expression, next: Perform): Promise<void> {
  const body = argument(item, 'DO') as Expression
  const stop = argument(item, 'BREAK')
  const isParallel = isOn(item, 'parallel')
  const rounds: Promise<unknown>[] = []
  for await (const loop of roundsOf(scope, item, next)) {
    if (loop.index >= scope.run.limits.rounds) throw new RuleError('limit', `${scope.run.limits.rounds} rounds`)
    const inner = { ...scope, loops: [loop, ...scope.loops] }
    const round = next(inner, body)
    if (isParallel)
      rounds.push(
        round.then(
          () => undefined,
          error => ({ error }),
        ),
      )
    else await round
    if (stop && (await next(inner, stop, 'boolean'))) break
  }
  const failed = (await Promise.all(rounds)).find(end => end !== undefined) as { error: unknown } | undefined
  if (failed) throw failed.error
}

async function* roundsOf(scope: Scope, item: Expression, next: Perform): AsyncGenerator<Loop> {
  const head = item.args.items[0] as Expression
  if (item.name === 'WHILE') {
    const isConstant = head.name === 'true' || head.name === 'false'
    for (let index = 0; ; index += 1) {
      const inner = { ...scope, loops: [{ index }, ...scope.loops] }
      if (!(isConstant ? head.name === 'true' : await next(inner, head, 'boolean'))) return
      yield { index }
    }
  }
  if (item.name === 'ITERATOR') {
    const found = (await next(scope, head, 'iterator')) as readonly unknown[]
    for (const [index, each] of found.entries()) yield { index, item: each }
    return
  }
  const count = head.kind === 'number' ? Number(head.name) : ((await next(scope, head, 'for')) as number)
  for (let index = 0; index < count; index += 1) yield { index }
}

/** Lets something take no longer than it may; what it still does then is called off. */
export async function afterTime(act: (scope: Scope) => Promise<unknown>, scope: Scope, ms: number): Promise<unknown> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new RuleError('timeout', `${ms} ms`)), ms)
  try {
    // All that waits within hears of it at once; only what tidies up (FINALLY) is waited for.
    const answer = await act({ ...scope, signal: AbortSignal.any([scope.signal, late.signal]) })
    late.signal.throwIfAborted()
    return answer
  } finally {
    clearTimeout(timer)
  }
}

/** JSON as its value, anything else as the text it is. */
export function dataOf(item: Expression | undefined): unknown {
  const text = item ? textOf(item) : ''
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What is bound nearest to a node wins, unless something further out says that it stands over it. */
export function boundBy(bound: Scope['bound'], [key, value, over]: readonly Expression[]): Scope['bound'] {
  const name = key ? textOf(key) : ''
  if (!value || (Object.hasOwn(bound, name) && bound[name]?.isOver)) return bound
  return { ...bound, [name]: { value: literalOf(value), isOver: over?.name === 'true' } }
}

function literalOf(item: Expression): string | number | boolean {
  if (item.kind === 'text') return textOf(item)
  return item.kind === 'number' ? Number(item.name) : item.name === 'true'
}
