import type * as z from 'zod'
import type { Actor } from './actor.ts'
import { choicesOf } from './field.ts'
import { type Refusal, refuse } from './refusal.ts'
import { type RecordOf, type Resource, type Shape, schemaIn } from './resource.ts'

/**
 * A pure question about one row: a reason, or nothing. The server asks it for the list and again under the row's lock;
 * `facts` is what other records know of the row.
 */
type Guard<Row, Facts = unknown> = (row: Row, actor: Pick<Actor, 'id'>, facts: Facts) => Refusal | undefined

/**
 * How a step is taken back (decision 036). `undo`, or a rule for it: whoever took the step may take it back, while nothing else has
 * happened to the record. `stays`: nobody can, and the question says why (`stays.<step>`). `idle`: it changes nothing anybody could want back.
 */
type WayBack<Row, Facts = unknown> = 'undo' | Guard<Row, Facts> | 'stays' | 'idle'

/** Where a step leads is told by the record: to one of these states. */
type Fork<Row, State extends string> = { readonly among: readonly State[]; readonly by: (row: Row) => State }

export type Step<Row, State extends string, Facts = unknown, Input extends Shape = Shape> = {
  readonly from: readonly State[] | 'any'
  readonly to: State | 'same' | Fork<Row, State>
  readonly guard?: Guard<Row, Facts>
  /** Refusing somebody needs a reason; it is kept in the timeline. */
  readonly reason: boolean
  readonly danger: boolean
  /** Nothing the state asks for: it stands behind the others, and is never a row's main action. */
  readonly aside: boolean
  /** Makes sense for one record at a time only. */
  readonly alone: boolean
  /** A record open to this step waits for whoever may take it, and is counted among what this person has to do. */
  readonly awaits: boolean
  /** Which of the records in those states can wait at all, where few of many do: the others are not looked through. */
  readonly only: Readonly<Record<string, readonly string[]>>
  /** The one person it waits for, a field of the record; otherwise it waits for whoever may take the step. */
  readonly of: Extract<keyof Row, string> | null
  /** What the person enters with the step; a field named as one of the record starts with the record's value. */
  readonly input: Input
  /**
   * The money at stake, a field of the record: it stands on the button, and its sum where many are asked about. Where one step
   * that moves the record names it, every one that does is about that money, unless it says otherwise.
   */
  readonly amount: Extract<keyof Row, string> | null
  /** The choice or flag that decides what follows: a question about records alike in it tells that alone (`ask.<step>.<choice>`). */
  readonly tells: Extract<keyof Row, string> | null
  /** What a question about one record shows besides its brief: what this decision is made by. */
  readonly shows: readonly Extract<keyof Row, string>[]
  readonly back: WayBack<Row, Facts>
}

/** What the steps of a workflow ask for, by the name of the step. */
export type Inputs = Readonly<Record<string, Shape>>

export type Workflow<
  Row = Record<string, unknown>,
  State extends string = string,
  Facts = unknown,
  Asked extends Inputs = Inputs,
> = {
  /** Where the state stands; none for a record people act on but that has no states. */
  readonly field: string | null
  /** States a record can be in without a step: made in it, or put there by an engine. */
  readonly arrivals: readonly State[]
  /** States in which the record waits for somebody outside: a payment provider, a carrier. */
  readonly outside?: readonly State[]
  /** The way of this record when all goes well, as `field.value`: of the state, or of another that goes on where it ends. */
  readonly path?: (row: Row) => readonly string[]
  /** The name of a step is its permission and its call; the first open one is the row's main action. */
  readonly steps: { readonly [Name in keyof Asked]: Step<Row, State, Facts, Asked[Name]> }
}

/** What a step is taken with: the fields it declares, as they were read, and what every step takes. */
export type Entered<Input extends Shape> = { readonly [Field in keyof Input]: z.output<Input[Field]> } & {
  readonly reason?: string | undefined
  readonly version?: number | undefined
}

/** As `Entered`, by the workflow and the name of its step. */
export type EnteredWith<
  W extends { readonly steps: Readonly<Record<string, { readonly input: Shape }>> },
  Name extends keyof W['steps'],
> = Entered<W['steps'][Name]['input']>

/** What each step of a workflow asks for. */
export type InputsOf<W> = W extends Workflow<infer _Row, infer _State, infer _Facts, infer Asked> ? Asked : never

type InputOf<Declared> = Declared extends { readonly input: infer Input extends Shape } ? Input : Record<never, never>

/** Whatever else is left out: nobody takes a step without knowing whether there is a way back. */
type DeclaredStep<Row, State extends string, Facts> = Partial<Step<Row, State, Facts>> &
  Pick<Step<Row, State, Facts>, 'back'>

/** States are the values of the record's choice field, so that a misspelt state does not compile. */
export const defineWorkflow = <S extends Shape>(resource: Resource<S>) => define<S, undefined>(resource)

/** As `defineWorkflow`, for guards that ask what other records know (`facts` of the slice's rules). */
export const defineWorkflowWith =
  <Facts>() =>
  <S extends Shape>(resource: Resource<S>) =>
    define<S, Facts>(resource)

const define =
  <S extends Shape, Facts>(resource: Resource<S>) =>
  <
    const Field extends Extract<keyof S, string> | null,
    const Steps extends Record<string, DeclaredStep<RecordOf<Resource<S>>, StateOf<S, Field>, Facts>>,
  >(declared: {
    field: Field
    arrivals: readonly StateOf<S, Field>[]
    outside?: readonly StateOf<S, Field>[]
    path?: (row: RecordOf<Resource<S>>) => readonly string[]
    steps: Steps
  }): Workflow<RecordOf<Resource<S>>, StateOf<S, Field>, Facts, { readonly [K in keyof Steps]: InputOf<Steps[K]> }> => {
    const money = Object.values(declared.steps).find(
      ({ amount, to = 'same' }) => amount != null && to !== 'same',
    )?.amount
    const steps = Object.fromEntries(
      Object.entries(declared.steps).map(([name, step]) => [
        name,
        {
          from: 'any' as const,
          to: 'same' as const,
          reason: false,
          danger: false,
          aside: false,
          alone: false,
          awaits: false,
          only: {},
          of: null,
          input: {},
          amount: (step.to ?? 'same') === 'same' ? null : (money ?? null),
          tells: null,
          shows: [],
          ...step,
        },
      ]),
    )
    const { field, arrivals } = declared
    if (field !== null) checkStates(field, arrivals, steps, choicesOf(schemaIn(resource, field)))
    return { ...declared, steps: steps as never }
  }

type StateOf<S extends Shape, Field> = Extract<RecordOf<Resource<S>>[Field & keyof RecordOf<Resource<S>>], string>

/** Every state can be reached: an unreachable one is a mistake in the declaration, found at start. */
function checkStates(
  field: string,
  arrivals: readonly string[],
  steps: Record<string, Pick<Step<never, string>, 'from' | 'to'>>,
  states: readonly string[],
) {
  const reached = new Set(arrivals)
  for (let before = -1; before !== reached.size; ) {
    before = reached.size
    for (const step of Object.values(steps))
      if (step.from === 'any' || step.from.some(state => reached.has(state)))
        for (const state of targetsOf(step)) reached.add(state)
  }
  const lost = states.filter(state => !reached.has(state))
  if (lost.length > 0) throw new Error(`workflow on ${field}: no step leads to ${lost.join(', ')}`)
}

/** The states a step may lead to; none where it changes no state. */
export const targetsOf = ({ to }: Pick<Step<never, string>, 'to'>): readonly string[] =>
  typeof to === 'object' ? to.among : to === 'same' ? [] : [to]

/** The state a step leads to from this record; nothing where it stays as it is. */
export const targetOf = <Row>({ to }: Pick<Step<Row, string>, 'to'>, row: Row): string | undefined =>
  typeof to === 'object' ? to.by(row) : to === 'same' ? undefined : to

type AnyStep = Step<never, never, never>

export const isUndoable = ({ back }: Pick<AnyStep, 'back'>): boolean => back === 'undo' || typeof back === 'function'

/** Names what is asked for below a record: a row says it, and a step that decides on it says it back. */
export const ASKED_ID = 'askedId'

/** What a person enters with a step: not what the row says by itself. */
export const enteredWith = ({ input: { [ASKED_ID]: _shown, ...entered } }: Pick<AnyStep, 'input'>): Shape => entered

/** Whether the person has to enter something with the step. */
export const asksForMore = ({ input, reason }: Pick<AnyStep, 'input' | 'reason'>): boolean =>
  reason || Object.keys(enteredWith({ input })).length > 0

/** Whether a step is asked about first. What can be taken back with one press, and costs nothing, is done at once. */
export const isAskedFirst = (step: Pick<AnyStep, 'input' | 'reason' | 'amount' | 'back'>): boolean =>
  asksForMore(step) || step.amount !== null || step.back === 'stays'

/** The code of a refusal that is no news: another state would allow the step. */
export const WRONG_STATE = 'kit:step-wrong-state'

/** The reason a step is closed for this row and person, or nothing. Permission is asked before, scope by the query. */
export function whyNot<Row, State extends string, Facts>(
  workflow: Workflow<Row, State, Facts>,
  name: string,
  row: Row,
  actor: Pick<Actor, 'id'>,
  facts: Facts,
): Refusal | undefined {
  const step = workflow.steps[name]
  if (!step) throw new Error(`no step ${name}`)
  const { field } = workflow
  if (field !== null && step.from !== 'any') {
    const state = (row as Record<string, unknown>)[field] as State
    if (!step.from.includes(state)) return refuse(WRONG_STATE, { state: `${field}.${state}` })
  }
  return step.guard?.(row, actor, facts)
}
