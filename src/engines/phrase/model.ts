/** A thing that is said of what somebody did: its code begins with what it speaks of, such as `SIZE_BIG_2`. */
export type Phrase = { readonly code: string; readonly words: string }

/** `SIZE` is spoken of by `SIZE_BIG_2` and by `SIZE_3`, `SIZE_BIG` by the first alone. */
export const speaksOf = (code: string, topic: string): boolean => code === topic || code.startsWith(`${topic}_`)

type Wanted<P extends Phrase> = {
  readonly phrases: readonly P[]
  /** What is to be spoken of, the most pressing first. */
  readonly topics: readonly string[]
  /** Codes of what this person was told lately, the latest first. */
  readonly heard: readonly string[]
  /** The same choice for the same seed: what stands on a key stays there. */
  readonly seed: number
  readonly most: number
}

/**
 * One phrase for each topic, in their order: any that was not heard lately, or else the one that was heard longest ago. What no
 * phrase speaks of is passed over.
 */
export function choosePhrases<P extends Phrase>({ phrases, topics, heard, seed, most }: Wanted<P>): P[] {
  const chosen: P[] = []
  for (const topic of topics) {
    if (chosen.length >= most) break
    if (chosen.some(({ code }) => speaksOf(code, topic))) continue
    const fitting = phrases.filter(({ code }) => speaksOf(code, topic))
    const fresh = fitting.filter(({ code }) => !heard.includes(code))
    const oldest = fitting.toSorted((a, b) => heard.indexOf(b.code) - heard.indexOf(a.code))[0]
    const found = fresh[mixed(seed, topic) % Math.max(1, fresh.length)] ?? oldest
    if (found) chosen.push(found)
  }
  return chosen
}

/** Spreads neighbouring seeds; the same on every machine. */
function mixed(seed: number, topic: string): number {
  let state = seed >>> 0
  for (const letter of topic) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x9e3779b1) >>> 0
  return (state ^ (state >>> 15)) >>> 0
}
