import type { Workflow } from '#kit/model/workflow.ts'
import type { Shows } from './detail/detail-types.ts'
import type { Inputs, IsShown } from './form/inputs.ts'

/** A workflow of any slice: the page shows its steps and never asks its guards, the server does. */
export type AnyWorkflow = Workflow<never, never>
export type StepResult = {
  id: string
  result: 'done' | 'refused'
  msg: string | null
  /** The address where it can be asked for. */
  instead?: string
}

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
}
