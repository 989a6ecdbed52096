import type { NodeType } from './form.model.ts'
import type { RuleErrorCode } from './rule-error.server.ts'
import type { Expression, Tree } from './tree.model.ts'

/** What a node is asked with. */
export type Asked = {
  readonly nodeId: string
  readonly chainId: string
  readonly tag: string | undefined
  /** What `data('…')` around it says: JSON as its value, anything else as text. */
  readonly data: unknown
  readonly bound: Readonly<Record<string, string | number | boolean>>
  /** The loops around it, the nearest first. */
  readonly loops: readonly Loop[]
  /** What is known of the record, and what nodes before found. Never changed by a node: it answers what it found. */
  readonly facts: ReadonlyMap<string, unknown>
  /** Told when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}
export type Loop = { readonly index: number; readonly item?: unknown }

/**
 * Something a chain can ask. `common` answers facts to be added, or nothing; `boolean` yes or no; `switch` where to go on (`id`,
 * `tag:…`, `:…`, `id:tag`); `for` a number; `iterator` a list.
 */
export type RuleNode = { readonly type: NodeType; readonly run: (asked: Asked) => unknown }

export type Library = {
  readonly nodes: ReadonlyMap<string, RuleNode>
  readonly chains: ReadonlyMap<string, Tree>
  /** Who stands in for `node("…")` of an id nobody knows. */
  readonly fallbacks?: Partial<Readonly<Record<NodeType, RuleNode>>>
}

/** One node asked once, in the order in which they began. */
export type Step = {
  readonly nodeId: string
  readonly chainId: string
  /** Where in the text of that chain it stands. */
  readonly place: number
  readonly tag?: string
  /** Milliseconds from the beginning of the run. */
  readonly atMs: number
  ms?: number
  readonly input: Readonly<Record<string, unknown>>
  output?: unknown
  error?: { readonly code: RuleErrorCode | 'node'; readonly message: string }
}

export type Outcome = {
  readonly isDone: boolean
  readonly error?: NonNullable<Step['error']>
  readonly steps: readonly Step[]
  readonly facts: ReadonlyMap<string, unknown>
}

/** How much one run may take. A chain that reaches one of these is stopped, and nothing in it can catch that. */
export type Limits = { readonly steps: number; readonly rounds: number; readonly chains: number; readonly ms: number }

export type Run = {
  readonly library: Library
  readonly limits: Limits
  readonly steps: Step[]
  readonly facts: Map<string, unknown>
  readonly startedMs: number
  /** Told when the whole run is over: what must still be done after a part of it ran out of time goes by this. */
  readonly signal: AbortSignal
  /** Expressions done so far, whether or not a node was asked. */
  acts: number
  /** Characters its nodes answered so far. */
  size: number
  /** Nodes that are being asked, and those that wait until fewer are. */
  asked: number
  readonly waiting: Set<() => void>
}

/** What a name stands for, with the variables that stood before it: an assignment sees nothing that comes after it. */
export type Variable = { readonly value: Expression; readonly before: Variables }
export type Variables = ReadonlyMap<string, Variable>

/** Where a run stands; handed down and never changed. */
export type Scope = {
  readonly run: Run
  /** The chains it is in, the outermost first. */
  readonly chains: readonly string[]
  readonly variables: Variables
  readonly tag: string | undefined
  readonly data: unknown
  readonly bound: Readonly<Record<string, { readonly value: string | number | boolean; readonly isOver: boolean }>>
  readonly loops: readonly Loop[]
  readonly signal: AbortSignal
}

/** What is answered, or the reason why nobody waits any more, whichever comes first. */
export function orAborted<T>(answer: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nobody hears an answer that fails now, and a failure nobody hears would end the process.
    Promise.resolve(answer).catch(() => undefined)
    return Promise.reject(signal.reason)
  }
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    Promise.resolve(answer)
      .finally(() => signal.removeEventListener('abort', stop))
      .then(resolve, reject)
  })
}
