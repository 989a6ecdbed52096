import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Database } from '../database/database.ts'
import { countWrong, type Gate, giveBack, reserve, shutOut } from './gate.ts'

/** A limit somebody's attempts run into, and what is said when it is reached. */
export type Door = { readonly gate: Gate; readonly subject: string; readonly text: string }

/** What is told of an attempt: before it is judged, and how it was; nothing when it could not be judged. */
type Attempted = { before(): Promise<void>; after(right: boolean | undefined): Promise<void> }

/**
 * One attempt behind these doors. It is reserved at each before it is looked at, so that parallel guesses and a right one
 * during a lock all stop here; it counts when it was wrong and is given back otherwise.
 */
export function attemptBehind(query: Database['query'], doors: readonly Door[], now: Date): Attempted {
  const passed: Door[] = []
  return {
    async before() {
      for (const door of doors) {
        const until = await reserve(query, door.gate, door.subject, now)
        if (until !== undefined) throw until === 'busy' ? inLine() : shutOut(until, now, door.text)
        passed.push(door)
      }
    },
    async after(right) {
      const settle = ({ gate, subject }: Door) =>
        right === false ? countWrong(query, gate, subject, now) : giveBack(query, gate, subject)
      await Promise.all(passed.map(settle))
    },
  }
}

/** Judges something behind doors; nothing that comes of it means that it was wrong. */
export async function judgedBehind<T>(
  { before, after }: Attempted,
  judge: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let right: boolean | undefined
  try {
    await before()
    const found = await judge()
    right = found !== undefined
    return found
  } finally {
    await after(right)
  }
}

const inLine = () => new Refused(refuse('kit/server/auth:busy'), 'too-many', { retrySeconds: 1 })
