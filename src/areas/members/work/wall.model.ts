import { dayOf } from '#kit/model/time.ts'
import type { Work } from './model.ts'

type Shown = Pick<Work, 'submittedAt' | 'score'>
type Month<W> = { readonly month: string; readonly of: readonly W[]; readonly average: number | null }

type Hung = Pick<Work, 'id' | 'lesson' | 'picture'>

/**
 * Of works, the newest first: the newest that was practised before, with the first time it was, so that the same characters
 * are compared; where nothing was practised twice the newest with the oldest there is. Neither without a picture.
 */
export function thenAndNow<W extends Hung>(works: readonly W[], oldest: readonly W[]): readonly [W, W] | undefined {
  const shown = works.filter(isPictured)
  for (const now of shown) {
    const first = shown.findLast(({ lesson }) => lesson === now.lesson)
    if (first && first !== now) return [first, now]
  }
  const [newest, first] = [shown[0], oldest.find(isPictured)]
  return newest && first && first.id !== newest.id ? [first, newest] : undefined
}

const isPictured = ({ picture }: Hung): boolean => picture.length > 0

/** Works in the order they come, month by month as they were handed in in Shanghai, with the mean of what was judged. */
export function monthsOf<W extends Shown>(works: readonly W[]): Month<W>[] {
  const months = Map.groupBy(works, ({ submittedAt }) => dayOf(new Date(submittedAt)).slice(0, 7))
  return [...months].map(([month, of]) => {
    const scores = of.flatMap(({ score }) => score ?? [])
    const sum = scores.reduce((all, score) => all + score, 0)
    return { month, of, average: scores.length === 0 ? null : Math.round(sum / scores.length) }
  })
}
