import type { Resource } from '#kit/model/resource.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import type { App } from './app.ts'
import type { Row } from './database.ts'
import type { ListEngine } from './list.ts'
import type { Constraints, Operation } from './operation.ts'
import type { StepInput } from './step.ts'

/** What differs from "store what was sent": everything here runs in the operation's transaction. */
export type Rules<Fields> = {
  /** Completes and stores what was sent, new or (with `before`) changed; `write` takes fields by name and gives the id. */
  store?(
    op: Operation,
    input: Fields,
    before: Fields | undefined,
    write: (fields: Row) => Promise<string>,
  ): Promise<string>
  /** The fields only the detail knows (`inDetail`). */
  detail?(app: App, row: Fields): Promise<Partial<Fields>>
  /** What a violated constraint of the database means to people. */
  constraints?: Constraints
  workflow?: Workflow<Fields, string>
  /** What a step does besides changing the state. */
  effects?: Readonly<Record<string, (op: Operation, row: Fields, input: StepInput) => Promise<void>>>
}

/** A resource with its rules, as the makers of its routes get it. */
export type Served = { app: App; resource: Resource; rules: Rules<Row>; list: ListEngine }
export const access = (resource: Resource, action: string) => ({ page: resource.screen.key, action })
export const base = (resource: Resource) => ({ path: `/${resource.screen.name}`, texts: resource.screen.name })
