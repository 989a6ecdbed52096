import { addDays } from '#kit/model/time.ts'

/** Characters after the day: refunds are few, orders are many. */
const WIDTHS = { '': 10, R: 5, A: 5, C: 5, E: 5, S: 5, B: 3, P: 8, W: 6, X: 5, Q: 5 } as const
export type NumberKind = keyof typeof WIDTHS

/** Without the letters that are read as digits (I, L, O) and U; in the order in which text is sorted. */
const CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * The nth number of a day as people read it: prefix, day, running number. Always as wide: when the digits are used up, the
 * running number goes on with a letter in front (99999, A0000, A0001 …), which is sorted behind all digits.
 */
export function numberOf(kind: NumberKind, day: string, nth: number): string {
  return `${kind}${day.replaceAll('-', '')}${running(nth, WIDTHS[kind])}`
}

function running(nth: number, width: number): string {
  const digits = 10 ** width
  if (nth < digits) return String(nth).padStart(width, '0')
  const base = CHARACTERS.length
  let rest = nth - digits + 10 * base ** (width - 1)
  if (rest >= base ** width) throw new Error(`no number is left of ${width} characters`)
  let written = ''
  for (let place = 0; place < width; place += 1) {
    written = `${CHARACTERS[rest % base]}${written}`
    rest = Math.floor(rest / base)
  }
  return written
}

/** Whoever reads a number from its end speaks of something recent. */
const DAYS_BACK = 31

/**
 * The numbers of the last days that end with these digits. The running number begins anew each day, so that an end fits one
 * number a day: these are few enough to be looked for whole, and no index on ends is needed.
 */
export const numbersEnding =
  (kind: NumberKind) =>
  (digits: string, today: string): string[] => {
    const written = digits.slice(-WIDTHS[kind]).padStart(WIDTHS[kind], '0')
    return Array.from(
      { length: DAYS_BACK },
      (_, back) => `${kind}${addDays(today, -back).replaceAll('-', '')}${written}`,
    ).filter(number => number.endsWith(digits))
  }
