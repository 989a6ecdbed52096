import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#kit/model/time.ts'
import type { Catalogue } from './catalogue.ts'
import type { Counts } from './count.ts'
import type { Database } from './database.ts'
import type { Env } from './env.ts'
import type { Slots } from './file/slots.ts'
import type { Files } from './file.ts'
import type { Sessions } from './session.ts'
import type { Signals } from './signal.ts'
import type { Tasks } from './task.ts'
import type { Texts } from './texts.ts'

/** What the parts of one instance share. Everything in it is a cache or a connection: the state is in the database. */
export type App = {
  readonly env: Env
  readonly db: Database
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly texts: Texts
  readonly catalogue: Catalogue
  readonly sessions: Sessions
  readonly signals: Signals
  readonly counts: Counts
  readonly files: Files
  readonly tasks: Tasks
  /** Places for exports under way on this instance. */
  readonly exports: Slots
  readonly checkAnswers: boolean
}
