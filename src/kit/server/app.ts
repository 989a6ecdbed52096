import type { FastifyBaseLogger } from 'fastify'
import type { Actor } from '#kit/model/actor.ts'
import type { Language } from '#kit/model/language.ts'
import type { Clock } from '#kit/model/time.ts'
import type { ToDo } from '#kit/model/to-do.ts'
import type { Sessions } from './access/session.ts'
import type { Doer } from './call.ts'
import type { Database, Row, Tx } from './database/database.ts'
import type { Signals } from './database/signal.ts'
import type { Declared } from './declared.ts'
import type { Counts } from './list/count.ts'
import type { Env } from './process/env.ts'
import type { SettingsInForce } from './setting/in-force.ts'
import type { Files } from './storage/file.ts'
import type { Texts } from './text/texts.ts'
import type { Handlers } from './work/handler.ts'
import type { Slots } from './work/slots.ts'
import type { Runner, Tasks } from './work/task.ts'
import type { Turns } from './work/turns.ts'

/** What the parts of one instance share. Everything in it is a cache or a connection: the state is in the database. */
export type App = {
  readonly env: Env
  readonly db: Database
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly texts: Texts
  readonly catalogue: Declared
  /** Of all slices, in the order of the menu. */
  readonly listeners: readonly Listener[]
  readonly answers: readonly Answer[]
  readonly sessions: Sessions
  readonly signals: Signals
  /** Numbers of the business as people have set them (`settingsOf`). */
  readonly settings: SettingsInForce
  readonly counts: Counts
  readonly files: Files
  readonly tasks: Tasks
  /** What the code repeats by the calendar, by name. */
  readonly jobs: Handlers
  /** For what holds whole files in memory. */
  readonly turns: Turns
  /** Places for exports under way on this instance. */
  readonly exports: Slots
  /** By screen, what waits there; filled as the calls of each resource are made. */
  readonly toDos: Map<string, ToDos>
  /** By screen, what fields of a record say in a language, where what is stored is said in one (`rules.named`); filled likewise. */
  readonly namings: Map<string, (row: Row, language: Language) => Readonly<Record<string, string | undefined>>>
  /** By screen, how its steps are taken for all that match; filled likewise. */
  readonly stepTasks: Map<string, Runner>
  /** By screen, how the papers of its records are packed; filled likewise. */
  readonly packs: Map<string, Runner>
  readonly checkAnswers: boolean
}

/** A change under way, by a person or by the console itself: what owners of records offer to others takes one. */
export type Change = {
  readonly app: App
  readonly tx: Tx
  readonly now: Date
  readonly call: Doer
}

/** A slice's server.ts lists its listeners in `listeners`. What they do, and what they refuse, is part of the change. */
export type Listener = { readonly to: string; hear(change: Change, event: never): Promise<void> }

/** A slice's server.ts lists in `answers` what it tells of its records to slices it stands above. */
export type Answer = { readonly to: string; tell(app: App, asked: never): Promise<unknown> }

/** What waits in one list, for whoever asks. */
export type ToDos = {
  all(actor: Actor, language: Language): Promise<ToDo[]>
  /** The rows a step of the list is open for; nothing when it is no step of this person's. */
  ids(step: string, actor: Actor): Promise<string[] | undefined>
}
