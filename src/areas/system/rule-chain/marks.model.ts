import { TRIED, type Tried } from './model.ts'

/** What a run or the checker says about what stands at a place of the text. */
export type Mark = { readonly count: number; readonly ms: number; readonly isFailed: boolean }

/** How each node of the text ran: how often, how long in all, and whether it failed at last. */
export function marksOf({ steps }: Tried): ReadonlyMap<number, Mark> {
  const own = Map.groupBy(
    steps.filter(({ chainId }) => chainId === TRIED),
    ({ place }) => place,
  )
  return new Map(
    [...own].map(([place, ran]) => [
      place,
      { count: ran.length, ms: ran.reduce((sum, { ms }) => sum + ms, 0), isFailed: Boolean(ran.at(-1)?.error) },
    ]),
  )
}
