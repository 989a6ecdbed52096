import { Refused, refuse } from '#kit/model/refusal.ts'

export type TurnLimits = {
  /** At work at once in this process, and of them for one person. */
  readonly places: number
  readonly perPerson: number
  /** How many may stand in line, and for how long. */
  readonly line: number
  readonly waitMs: number
}
/** Work that takes memory, a few at a time: who comes while all places are taken stands in line, and is told when it is too long. */
export type Turns = { take<T>(personId: string, work: () => Promise<T>): Promise<T> }

type Waiting = { readonly personId: string; begin(): void }

export function openTurns({ places, perPerson, line, waitMs }: TurnLimits): Turns {
  const working = new Map<string, number>()
  const waiting: Waiting[] = []
  let running = 0
  const fits = (personId: string) => running < places && (working.get(personId) ?? 0) < perPerson
  const begin = (personId: string) => {
    running += 1
    working.set(personId, (working.get(personId) ?? 0) + 1)
  }
  const end = (personId: string) => {
    running -= 1
    const left = (working.get(personId) ?? 0) - 1
    if (left > 0) working.set(personId, left)
    else working.delete(personId)
    // One place came free, but the first in line may be waiting for a place of their own.
    const next = waiting.findIndex(candidate => fits(candidate.personId))
    if (next >= 0) waiting.splice(next, 1)[0]?.begin()
  }
  const untilTurn = (personId: string) =>
    new Promise<void>((resolve, reject) => {
      const mine: Waiting = {
        personId,
        begin() {
          clearTimeout(late)
          begin(personId)
          resolve()
        },
      }
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(mine), 1)
        reject(tooMany(waitMs))
      }, waitMs)
      waiting.push(mine)
    })
  return {
    async take(personId, work) {
      if (fits(personId)) begin(personId)
      else if (waiting.length >= line) throw tooMany(waitMs)
      else await untilTurn(personId)
      try {
        return await work()
      } finally {
        end(personId)
      }
    },
  }
}

const tooMany = (waitMs: number): Refused =>
  new Refused(refuse('kit/server/file:files-busy'), 'too-many', { retrySeconds: Math.ceil(waitMs / 1_000) })
