import type * as z from 'zod'
import type { App, Change, Listener } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { DeedWord } from './deed.model.ts'
import {
  type BoundOf,
  type Facts,
  factNamed,
  type ParameterKind,
  type PlainKind,
  type Takes,
  type ValuesOf,
} from './fact.model.ts'
import type { NodeType } from './form.model.ts'
import type { Asked, RuleNode } from './scope.server.ts'

/** What is known of a record when its event runs: what people call it, which version of it was read, and the facts. */
export type About<F extends Facts = Facts> = {
  readonly no: string
  readonly version: number
  readonly facts: ValuesOf<F>
}

export type Decided<Result> = {
  readonly outcome: Result
  /** Of the record it was decided about. */
  readonly version: number
  /** Of the chain it comes from; none where it comes from the one that was shipped. */
  readonly edition: number
}

/**
 * Something that happened to a record, and about which a chain decides. `outcome` picks what it may decide from what its nodes
 * answered; anything else they answered decides nothing. Nothing is decided while a lock is held: `read` runs outside of any
 * transaction, the chain after it, and `settle` in one of its own, where it has to look whether the record still waits for it.
 */
export type RuleEvent<F extends Facts = Facts, Result = unknown> = {
  /** Also the key of its name, `rule-event.<name>`, and of its facts', `rule-fact.<fact>`, in the texts of its slice. */
  readonly name: string
  readonly texts: string
  readonly facts: F
  readonly outcome: z.ZodType<Result>
  /** Does what the console did before anybody wrote a chain; runs where the chain in force fails. */
  readonly shipped: string
  readonly ms: number
  read(app: App, recordId: string): Promise<About<F> | undefined>
  settle(change: Change, recordId: string, decided: Decided<Result>): Promise<void>
  /** Whom a record is about. Without it chains of this event have nothing done besides what they decide: so do those about money. */
  concerns?(tx: Tx, recordId: string): Promise<Concerned | undefined>
}

/** The member a record is about, and the colleague who looks after it. */
export type Concerned = { readonly memberId: string | null; readonly staffId: string | null }

/** A node of code. It answers and changes nothing: what follows from its answer, the event does. */
export type BuiltInNode<P extends Takes = Takes> = {
  /** Also the key of its name, `rule-node.<name>`, and of what it is for, `rule-node.<name>.help`. */
  readonly name: string
  readonly texts: string
  readonly type: NodeType
  /** What has to be bound to it: `name.bind("parameter", …)`. */
  readonly parameters: P
  /** The facts it adds. */
  readonly answers?: readonly string[]
  run(asked: Asked, bound: BoundOf<P>): unknown
  readonly deed?: Deed<P>
}

/** What is done once the chain has decided, in a transaction of its own, once for a record and what is bound: never by a dry run. */
export type Deed<P extends Takes = Takes> = {
  /** What may be bound, by parameter, where not everything may. */
  offers(app: App): Promise<{ readonly [Name in keyof P]?: readonly string[] }>
  /** Does it, or says why not. */
  act(change: Change, about: DeedAbout, bound: BoundOf<P>): Promise<DeedWord>
}
/** `key` tells this deed for this record from all others. */
type DeedAbout = Concerned & { readonly no: string; readonly key: string }

export const defineRuleEvent = <const F extends Facts, Result>(event: RuleEvent<F, Result>): RuleEvent =>
  event as unknown as RuleEvent
export const defineNode = <const P extends Takes>(node: BuiltInNode<P>): BuiltInNode => node as unknown as BuiltInNode

/** A node that has something done. Asked, it answers nothing: that it was asked is the wish. */
export const defineDeed = <const P extends Takes>({
  offers,
  act,
  ...node
}: Pick<BuiltInNode<P>, 'name' | 'texts' | 'parameters'> & Deed<P>): BuiltInNode =>
  defineNode<P>({ ...node, type: 'common', run: () => undefined, deed: { offers, act } })

type Declaration = { readonly events?: readonly RuleEvent[]; readonly nodes?: readonly BuiltInNode[] }
type Declaring = Listener & { readonly declaration: Declaration }
const DECLARED = 'rules-declared'

/** A slice lists among its `listeners` the events it runs through chains, and the nodes it offers them. */
export const rules = (declaration: Declaration): Declaring => ({ to: DECLARED, hear: async () => {}, declaration })

export type DeclaredRules = {
  readonly events: ReadonlyMap<string, RuleEvent>
  readonly nodes: ReadonlyMap<string, BuiltInNode>
}

/** Everything the slices declare, by name. */
export function declaredRules({ listeners }: Pick<App, 'listeners'>): DeclaredRules {
  const [events, nodes] = [new Map<string, RuleEvent>(), new Map<string, BuiltInNode>()]
  for (const listener of listeners) {
    if (listener.to !== DECLARED) continue
    const { declaration } = listener as Declaring
    for (const event of declaration.events ?? []) add(events, event)
    for (const node of declaration.nodes ?? []) add(nodes, node)
  }
  return { events, nodes }
}

/** The event of this name. */
export function requireEvent(app: Pick<App, 'listeners'>, name: string): RuleEvent {
  const event = declaredRules(app).events.get(name)
  if (!event) throw new Error(`no slice declares the event ${name}`)
  return event
}

function add<T extends { readonly name: string }>(known: Map<string, T>, one: T): void {
  if (known.has(one.name)) throw new Error(`two slices declare ${one.name} for chains`)
  known.set(one.name, one)
}

/** As a chain asks it: a node without what it needs fails, and with it the chain. */
export const nodeOf = ({ name, type, parameters, run }: BuiltInNode): RuleNode => ({
  type,
  run: asked => {
    for (const [parameter, kind] of Object.entries(parameters))
      if (typeof asked.bound[parameter] !== typeFor(kind)) throw new Error(`${name}: ${parameter}`)
    return run(asked, asked.bound as never)
  },
})
const TYPES = { whole: 'number', truth: 'boolean', text: 'string' } as const
const typeFor = (kind: ParameterKind) => (factNamed(kind) ? 'string' : TYPES[kind as PlainKind])
