/** Something the palette can open. `words` are the names it is found by, in every language and in pinyin. */
export type Entry = {
  readonly key: string
  readonly title: string
  readonly group: string
  readonly words: readonly string[]
  open(): void
}

const RANKS = { start: 0, word: 1, inside: 2 } as const

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** What was typed, best first: a name that begins with it, then a word inside a name, then anywhere. */
export function findEntries(entries: readonly Entry[], typed: string): Entry[] {
  const wanted = folded(typed)
  if (wanted === '') return [...entries]
  return entries
    .map(entry => ({ entry, rank: Math.min(...entry.words.map(word => rankOf(folded(word), wanted))) }))
    .filter(({ rank }) => rank !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}

function rankOf(word: string, wanted: string): number {
  const at = word.indexOf(wanted)
  if (at < 0) return Number.POSITIVE_INFINITY
  if (at === 0) return RANKS.start
  return /\s/.test(word.charAt(at - 1)) ? RANKS.word : RANKS.inside
}
