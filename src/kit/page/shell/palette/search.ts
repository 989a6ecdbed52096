/** What is found is shown by kind, in this order: what is called exactly so stands above everything else. */
export const SECTIONS = ['exact', 'records', 'screens', 'actions', 'views'] as const
export type Section = (typeof SECTIONS)[number]

/** Something the palette can open. `words` are the names it is found by, in every language and in pinyin. */
export type Entry = {
  readonly key: string
  readonly section: Section
  readonly title: string
  /** Where it belongs: the area of a screen, the screen of a record. */
  readonly group: string
  readonly words: readonly string[]
  open(): void
}

const RANKS = { start: 0, word: 1, inside: 2 } as const

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** What was typed, best first within each section: a name that begins with it, then a word inside a name, then anywhere. */
export function findEntries<E extends Entry>(entries: readonly E[], typed: string): E[] {
  const wanted = folded(typed)
  const place = ({ section }: E) => SECTIONS.indexOf(section)
  return entries
    .map(entry => ({ entry, rank: Math.min(...entry.words.map(word => rankOf(folded(word), wanted))) }))
    .filter(({ rank }) => rank !== Number.POSITIVE_INFINITY)
    .sort((a, b) => place(a.entry) - place(b.entry) || a.rank - b.rank)
    .map(({ entry }) => entry)
}

/** Whether one of these names has what was typed in it. */
export const isCalled = (names: readonly string[], typed: string): boolean =>
  names.some(name => folded(name).includes(folded(typed)))

function rankOf(word: string, wanted: string): number {
  const at = word.indexOf(wanted)
  if (at < 0) return Number.POSITIVE_INFINITY
  if (at === 0) return RANKS.start
  return /\s/.test(word.charAt(at - 1)) ? RANKS.word : RANKS.inside
}
