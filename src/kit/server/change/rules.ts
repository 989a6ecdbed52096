import type { Actor } from '#kit/model/actor.ts'
import type { Language } from '#kit/model/language.ts'
import type { Refusal } from '#kit/model/refusal.ts'
import type { Resource, Shape } from '#kit/model/resource.ts'
import type { Entered, Inputs, Workflow } from '#kit/model/workflow.ts'
import type { App } from '../app.ts'
import type { Row, Tx } from '../database/database.ts'
import type { ListEngine } from '../list/list.ts'
import type { Constraints, Operation } from './operation.ts'

/** Any query, inside a transaction or outside. */
export type Queries = Tx | App['db']['query']

type TreeRules<Fields> = {
  /** What stands beside a record's name in the tree, by id. */
  beside?(app: App, language: Language): Promise<ReadonlyMap<string, string>>
  /** What follows elsewhere when a record moves to stand below another: told before it does. */
  follows?(app: App, row: Fields, parentId: string | null, language: Language): Promise<readonly Refusal[]>
  /** What has to be done once a record stands elsewhere. */
  moved?(op: Operation): Promise<void>
}

/** What differs from "store what was sent": everything here runs in the operation's transaction. */
export type Rules<Fields, Facts = unknown, Asked extends Inputs = Inputs> = {
  /** Completes and stores what was sent, new or (with `before`) changed; `write` takes fields by name and gives the id. */
  store?(
    op: Operation,
    input: Fields,
    before: Fields | undefined,
    write: (fields: Row) => Promise<string>,
  ): Promise<string>
  /** Why records must stay, by id: told to whoever could delete them, and asked again under their locks. */
  kept?(db: Queries, rows: readonly Fields[]): Promise<ReadonlyMap<string, Refusal>>
  /** What else must be so, or be done, for each record that is deleted, under its lock. */
  remove?(op: Operation, row: Fields): Promise<void>
  /** Of records that stand below one another. */
  tree?: TreeRules<Fields>
  /** What fields of a record say in the caller's language, where what is stored is said in one of them, or in none. */
  named?(app: App, row: Fields, language: Language): Readonly<Partial<Record<keyof Fields, string | undefined>>>
  /** The fields only the detail knows (`inDetail`), as whoever looks is told them. */
  detail?(app: App, row: Fields, language: Language, actor: Actor): Promise<Partial<Fields>>
  /** What a violated constraint of the database means to people. */
  constraints?: Constraints
  workflow?: Workflow<Fields, string, Facts, Asked>
  /** What other records know of these rows, by id, for the guards; `now` is the time they are judged by, and written with. */
  facts?(db: Reading, rows: readonly Fields[], now: Date): Promise<ReadonlyMap<string, Facts>>
  /** Locks what must be locked before the record of a step (docs/architecture.md: lock order); which step, where it is one. */
  lock?(op: Operation, id: string, step?: string): Promise<void>
  /** What a step does besides changing the state; fields it gives are stored with the state. */
  effects?: {
    readonly [Name in keyof Asked]?: (
      op: Operation,
      row: Fields,
      input: Entered<Asked[Name]>,
    ) => Promise<Effect<Fields>>
  }
  /**
   * What taking a step back does besides putting its fields back as they were; `before` has those, `at` when it was taken.
   * Refuses what cannot be had back.
   */
  undo?: {
    readonly [Name in keyof Asked]?: (
      op: Operation,
      row: Fields,
      before: Partial<Fields>,
      at: Date,
    ) => Promise<Effect<Fields>>
  }
  /** Refuses what was entered with a step when no record could take it: asked for one, and once before all that match. */
  entered?: { readonly [Name in keyof Asked]?: (op: Operation, input: Entered<Asked[Name]>) => unknown }
  /** What follows once a step is stored: what is told by the sums of several records. */
  after?(op: Operation, row: Fields, step: string): Promise<void>
}

/** What any step is taken with, where its name is known only at run time. */
export type StepInput = Entered<Shape>

// biome-ignore lint/suspicious/noConfusingVoidType: most effects store nothing more and say nothing
type Effect<Fields> = Partial<Fields> | void

/** Typed queries, inside a transaction or outside. */
export type Reading = Pick<Tx, 'selectFrom'>

/** A resource with its rules, as the makers of its routes get it. */
export type Served = { app: App; resource: Resource; rules: Rules<Row>; list: ListEngine }
export const access = (resource: Resource, action: string) => ({ page: resource.screen.key, action })
export const base = (resource: Resource) => ({ path: `/${resource.screen.name}`, texts: resource.screen.name })
