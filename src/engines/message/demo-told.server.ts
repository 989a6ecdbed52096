import { defineWord } from '#demo/world.server.ts'
import type { Shipped } from './model.ts'

/** Somebody was told something by the console: whoever keeps messages remembers it. */
export type Told = {
  readonly message: Shipped
  readonly memberId: number
  readonly phone: string
  readonly filled: Readonly<Record<string, string>>
  readonly about: string
}
export const messageTold = defineWord<Told>()
