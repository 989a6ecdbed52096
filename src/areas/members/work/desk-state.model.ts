import type { Criterion, Mark, Scores } from './comment.model.ts'

/** What a teacher has drawn, given and written so far, and which mark the next digit speaks of. */
export type Judging = {
  readonly marks: readonly Mark[]
  readonly scores: Scores
  readonly words: string
  readonly voice: readonly string[]
  readonly chosen: number | null
}
export const NOTHING_SAID: Judging = { marks: [], scores: {}, words: '', voice: [], chosen: null }

export type Deed =
  | { readonly do: 'draw'; readonly mark: Mark }
  | { readonly do: 'choose'; readonly at: number | null }
  | { readonly do: 'turn'; readonly by: 1 | -1 }
  | { readonly do: 'blame'; readonly at: number; readonly fault: string | null }
  | { readonly do: 'note'; readonly at: number; readonly words: string }
  | { readonly do: 'remove'; readonly at: number }
  | { readonly do: 'score'; readonly criterion: Criterion; readonly points: number }
  | { readonly do: 'unscore'; readonly of: readonly Criterion[] }
  | { readonly do: 'write'; readonly words: string }
  | { readonly do: 'say'; readonly phrase: string }
  | { readonly do: 'speak'; readonly voice: readonly string[] }
  | { readonly do: 'accept'; readonly marks: readonly Mark[]; readonly scores: Scores }
  | { readonly do: 'begin'; readonly with: Judging }

export function judge(before: Judging, deed: Deed): Judging {
  switch (deed.do) {
    case 'draw':
      return { ...before, marks: [...before.marks, deed.mark], chosen: before.marks.length }
    case 'choose':
      return { ...before, chosen: deed.at }
    case 'turn':
      return { ...before, chosen: turnedTo(before, deed.by) }
    case 'blame':
      // What is said of the mark is said: the next digit gives points again.
      return {
        ...before,
        chosen: null,
        marks: before.marks.map((one, at) => (at === deed.at ? { ...one, fault: deed.fault } : one)),
      }
    case 'note':
      return {
        ...before,
        marks: before.marks.map((one, at) => (at === deed.at ? { ...one, words: deed.words } : one)),
      }
    case 'remove':
      return { ...before, chosen: null, marks: before.marks.filter((_, at) => at !== deed.at) }
    case 'score':
      return { ...before, scores: { ...before.scores, [deed.criterion]: deed.points } }
    case 'unscore':
      return { ...before, scores: withoutLast(before.scores, deed.of) }
    case 'write':
      return { ...before, words: deed.words }
    case 'say':
      return { ...before, words: [before.words.trim(), deed.phrase].filter(Boolean).join('\n') }
    case 'speak':
      return { ...before, voice: deed.voice }
    case 'accept':
      // What the teacher has drawn stays; what was accepted before is not drawn twice.
      return {
        ...before,
        marks: [...before.marks, ...deed.marks.filter(mark => !before.marks.some(known => isSamePlace(known, mark)))],
        scores: deed.scores,
        chosen: null,
      }
    case 'begin':
      return { ...deed.with, chosen: null }
  }
}

/** The mark after this one, or before it, round and round; of none the first, or the last. */
function turnedTo({ marks: { length }, chosen }: Judging, by: 1 | -1): number | null {
  if (length === 0) return null
  if (chosen === null) return by > 0 ? 0 : length - 1
  return (chosen + by + length) % length
}

/** Points are given one after the other, and taken back the same way. */
function withoutLast(scores: Scores, criteria: readonly Criterion[]): Scores {
  const last = criteria.findLast(name => scores[name] !== undefined)
  return Object.fromEntries(Object.entries(scores).filter(([name]) => name !== last))
}

const isSamePlace = (one: Mark, other: Mark): boolean =>
  one.picture === other.picture && one.shape === other.shape && String(one.points) === String(other.points)

export const isEmpty = ({ marks, scores, words, voice }: Judging): boolean =>
  marks.length === 0 && voice.length === 0 && words === '' && Object.keys(scores).length === 0

/** Which a digit gives points for: the first that has none, or the last that was given some. */
export const nextCriterion = (criteria: readonly Criterion[], { scores }: Judging): Criterion | undefined =>
  criteria.find(name => scores[name] === undefined) ?? criteria.at(-1)

/** What a key of the keyboard gives: 1 to 9, and 0 for ten. */
export const pointsOf = (key: string): number | undefined =>
  /^\d$/.test(key) ? (key === '0' ? 10 : Number(key)) : undefined

/** The keys of the phrases, in the order they lie. */
export const PHRASE_KEYS = ['q', 'w', 'e', 'r', 't', 'y', 'u', 'i', 'o'] as const

/** A moment of a film as it stands on a player: minutes, seconds and tenths. */
export function clockOf(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600]
  return `${minutes}:${String(Math.floor(rest / 10)).padStart(2, '0')}.${rest % 10}`
}

/** A mark at a moment of a film, to the tenth of a second. */
export const momentAt = (second: number): Mark => ({
  picture: 0,
  shape: 'TIME',
  points: [],
  second: Math.round(second * 10) / 10,
  fault: null,
  words: '',
})
