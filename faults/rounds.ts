import { IS_LONG } from '../tools/testing/long.ts'

/** How often a race is run or a server killed: a tenth in `npm test`, the whole number in `npm run test:long`. */
export const rounds = (long: number): number => (IS_LONG ? long : Math.max(1, Math.round(long / 10)))

export const CALLERS = 200
/** For `test.each`: every race as often. */
export const ROUNDS = Array.from({ length: rounds(20) }, (_, round) => round + 1)
