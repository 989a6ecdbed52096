import { type Random, randomFrom } from '#demo/builders.server.ts'
import { DAY_MS } from '#demo/world.server.ts'

/** Whoever practises for so long needs no teacher any more, or nearly. */
const WHOLE_WAY_DAYS = 640

/** How well a pupil writes, 0 to 1, who handed in a first work then: each begins with some gift and goes at a pace of their own. */
export function skillAt(memberId: number, firstAt: number, at: number): number {
  const own = randomFrom(memberId)
  const [gift, pace] = [0.25 * own.fraction(), 0.7 + 0.5 * own.fraction()]
  return Math.min(1, gift + (pace * (at - firstAt)) / (WHOLE_WAY_DAYS * DAY_MS))
}

/** What a teacher gives for it: more and more, with better days and worse ones. */
export const pointsFor = (random: Random, skill: number): number =>
  Math.max(4, Math.min(10, Math.round(5.8 + 3.8 * skill + random.whole(-10, 10) / 10)))

/** So many hands are drawn of each lesson: works of one level show the same page. */
const LEVELS = 5
export const levelOf = (skill: number): number => Math.min(LEVELS - 1, Math.floor(skill * LEVELS))
/** The hand in the middle of a level. */
export const skillOfLevel = (level: number): number => (level + 0.5) / LEVELS
