import type { Brought } from '#engines/platform/knocking.server.ts'
import type { App } from '#kit/server/app.ts'
import type { Row } from '#kit/server/database/database.ts'
import type { Source } from '#kit/server/live/event.ts'
import type { Random } from './builders.server.ts'

/** An event for the inbox, or what a platform brings to a door of its own, in the order it brings it. */
export type SimulatedEvent =
  | { source: Source; type: string; data: Record<string, unknown> }
  | { type: string; brought: readonly Brought[] }
export type Outside = Pick<App, 'db' | 'clock' | 'env'>

/** Something a member does out there now; nothing where this one cannot. */
export type Scene = (outside: Outside, random: Random, member: Row) => Promise<SimulatedEvent | undefined>

/** A shelf this empty sells nothing more in the app: what is promised meanwhile has to be kept. */
export const LEAST_LEFT = 5

export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.whole(0, 9)).join('')
