import type { Workflow } from '#kit/model/workflow.ts'
import type { Shows } from './detail/detail-types.ts'
import type { Inputs, IsShown } from './form/inputs.ts'
import type { Row } from './list/list-state.ts'

/** A workflow of any slice: the page shows its steps and never asks its guards, the server does. */
export type AnyWorkflow = Workflow<never, never>
export type StepResult = {
  id: string
  result: 'done' | 'refused'
  msg: string | null
  /** The address where it can be asked for. */
  instead?: string
}

/** Words for what has become of a record by a step, told as it stood before. */
export type Outcome = (step: string, row: Row) => Promise<string | undefined>

export type StepOptions = {
  done(results?: StepResult[]): void
  refused(): void
  /** Inputs of its own, by field. */
  inputs: Inputs
  isShown: IsShown
  /** What the page shows in its own way, by field: a question says it in the same words. */
  shows?: Shows
  /** What a question shows in its own way, by field. */
  tells?: Shows
  /** What came of a step for one record, where the name of what was done does not say it. */
  outcome?: Outcome
}
