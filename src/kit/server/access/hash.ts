import { hash, verify } from '@node-rs/argon2'
import { Refused, refuse } from '#kit/model/refusal.ts'

/** OWASP's minimum for argon2id, the algorithm the package takes by default: about 15 ms on one core, 19 MiB. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`

/** Hashing takes a whole core: two at once leave the calls of people already at work their share. */
const AT_ONCE = 2
const MAX_WAITING = 200

/** For /metrics and tests: how often the costly function ran since the start, and how many wait for their turn. */
export const hashing = { runs: 0, waiting: 0 }

/** A hash no password has, for names nobody has: the answer takes the same time. */
const NOBODY = `${PREFIX}${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`

export const hashPassword = (password: string): Promise<string> => inTurn(() => counted(hash(password, COST)))

/** Whether the password belongs to the hash; without a hash, or with one of another kind, no after the same time. */
export const isPassword = (password: string, stored: string | undefined): Promise<boolean> =>
  inTurn(() => matches(password, stored))

async function matches(password: string, stored: string | undefined): Promise<boolean> {
  const known = stored?.startsWith('$argon2id$') ?? false
  return (await counted(verify(known ? (stored as string) : NOBODY, password))) && known
}

/**
 * The same for a guess: `before` is asked once it is this guess's turn and may throw, `after` is told the verdict (nothing
 * when there was none) before the next has its turn. So few guesses are ever between the two, however many come at once.
 */
export const judgePassword = (
  password: string,
  stored: string | undefined,
  { before, after }: { before(): Promise<void>; after(right: boolean | undefined): Promise<void> },
): Promise<boolean> =>
  inTurn(async () => {
    let right: boolean | undefined
    try {
      await before()
      right = await matches(password, stored)
      return right
    } finally {
      await after(right)
    }
  })

const counted = <T>(work: Promise<T>): Promise<T> => {
  hashing.runs += 1
  return work
}

/** The cost was raised since: the next good sign-in stores a new hash. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(PREFIX)

let running = 0
const queue: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (queue.length >= MAX_WAITING) throw new Refused(refuse('kit/server/auth:busy'), 'unavailable')
    await new Promise<void>(resolve => {
      queue.push(resolve)
      hashing.waiting = queue.length
    })
  } else running += 1
  try {
    return await work()
  } finally {
    // The place goes straight to the next in line, so that nobody new can slip in between.
    const next = queue.shift()
    hashing.waiting = queue.length
    if (next) next()
    else running -= 1
  }
}
