import type { Actor } from './actor.ts'
import { choicesOf } from './field.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RecordOf, Resource, Shape } from './resource.ts'

/** A pure question about one row: a reason, or nothing. The server asks it for the list and again under the row's lock. */
export type Guard<Row> = (row: Row, actor: Pick<Actor, 'id'>) => Refusal | undefined

export type Step<Row, State extends string> = {
  readonly from: readonly State[]
  readonly to: State
  readonly guard?: Guard<Row>
  /** Refusing somebody needs a reason; it is kept in the timeline. */
  readonly reason: boolean
  readonly danger: boolean
}

export type Workflow<Row = Record<string, unknown>, State extends string = string> = {
  readonly field: string
  /** States a record can be in without a step: made in it, or put there by an engine. */
  readonly arrivals: readonly State[]
  /** The name of a step is its permission and its call; the first open one is the row's main action. */
  readonly steps: Readonly<Record<string, Step<Row, State>>>
}

type DeclaredStep<Row, State extends string> = Pick<Step<Row, State>, 'from' | 'to'> &
  Partial<Omit<Step<Row, State>, 'from' | 'to'>>

/** States are the values of the record's choice field, so that a misspelt state does not compile. */
export const defineWorkflow =
  <S extends Shape>(resource: Resource<S>) =>
  <
    Field extends Extract<keyof S, string>,
    const Steps extends Record<string, DeclaredStep<RecordOf<Resource<S>>, StateOf<S, Field>>>,
  >(declared: {
    field: Field
    arrivals: readonly StateOf<S, Field>[]
    steps: Steps
  }): Workflow<RecordOf<Resource<S>>, StateOf<S, Field>> & {
    readonly steps: { readonly [K in keyof Steps]: Step<RecordOf<Resource<S>>, StateOf<S, Field>> }
  } => {
    const steps = Object.fromEntries(
      Object.entries(declared.steps).map(([name, step]) => [name, { reason: false, danger: false, ...step }]),
    )
    checkStates(declared.field, declared.arrivals, steps, choicesOf(resource.record.shape[declared.field] as never))
    return { ...declared, steps: steps as never }
  }

type StateOf<S extends Shape, Field extends keyof S> = Extract<
  RecordOf<Resource<S>>[Field & keyof RecordOf<Resource<S>>],
  string
>

/** Every state can be reached: an unreachable one is a mistake in the declaration, found at start. */
function checkStates(
  field: string,
  arrivals: readonly string[],
  steps: Record<string, { from: readonly string[]; to: string }>,
  states: readonly string[],
) {
  const reached = new Set(arrivals)
  for (let before = -1; before !== reached.size; ) {
    before = reached.size
    for (const step of Object.values(steps)) if (step.from.some(state => reached.has(state))) reached.add(step.to)
  }
  const lost = states.filter(state => !reached.has(state))
  if (lost.length > 0) throw new Error(`workflow on ${field}: no step leads to ${lost.join(', ')}`)
}

/** The reason a step is closed for this row and person, or nothing. Permission is asked before, scope by the query. */
export function whyNot<Row, State extends string>(
  workflow: Workflow<Row, State>,
  name: string,
  row: Row,
  actor: Pick<Actor, 'id'>,
): Refusal | undefined {
  const step = workflow.steps[name]
  if (!step) throw new Error(`no step ${name}`)
  const state = (row as Record<string, unknown>)[workflow.field] as State
  if (!step.from.includes(state)) return refuse('kit:step-wrong-state', { state: `${workflow.field}.${state}` })
  return step.guard?.(row, actor)
}
