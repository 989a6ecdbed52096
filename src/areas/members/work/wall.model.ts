import { dayOf } from '#kit/model/time.ts'
import type { Work } from './model.ts'

type Shown = Pick<Work, 'submittedAt' | 'score'>
type Month<W> = { readonly month: string; readonly of: readonly W[]; readonly average: number | null }

/** Works in the order they come, month by month as they were handed in in Shanghai, with the mean of what was judged. */
export function monthsOf<W extends Shown>(works: readonly W[]): Month<W>[] {
  const months = Map.groupBy(works, ({ submittedAt }) => dayOf(new Date(submittedAt)).slice(0, 7))
  return [...months].map(([month, of]) => {
    const scores = of.flatMap(({ score }) => score ?? [])
    const sum = scores.reduce((all, score) => all + score, 0)
    return { month, of, average: scores.length === 0 ? null : Math.round(sum / scores.length) }
  })
}
