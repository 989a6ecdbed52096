import type { Resource } from '#kit/model/resource.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import type { App } from './app.ts'
import type { Row } from './database.ts'
import type { ListEngine } from './list.ts'
import type { Constraints, Operation } from './operation.ts'
import type { StepInput } from './step.ts'

/** What differs from "store what was sent": everything here runs in the operation's transaction. */
export type Rules<Fields> = {
  /** Completes and stores a new record: `insert` takes fields by their record names and gives the id. */
  create?(op: Operation, input: Fields, insert: (fields: Row) => Promise<string>): Promise<string>
  edit?(op: Operation, input: Fields, before: Fields, update: (fields: Row) => Promise<void>): Promise<void>
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
