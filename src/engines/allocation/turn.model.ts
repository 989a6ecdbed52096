/** How many of a course were given, and to whom. A course is as many as the weights together; then it begins again. */
export type Turn = { readonly n: number; readonly counts: Readonly<Record<string, number>> }
export const NO_TURN: Turn = { n: 0, counts: {} }

type Weighted = { readonly id: string; readonly weight: number; readonly last: number }

/**
 * Whose turn it is: of those who may have their next one by now, whoever has to have it soonest. Each one's share is then less than
 * one away from the weight's after any number of leads, which taking turns by the largest arrears alone would not keep. Of several
 * whoever has waited longest.
 */
export function next({ n, counts }: Turn, among: readonly Weighted[]): { taken: string; after: Turn } {
  const all = among.reduce((sum, { weight }) => sum + weight, 0)
  const due = among
    .map(({ id, weight, last }) => {
      const had = counts[id] ?? 0
      return { id, last, isDue: had * all < (n + 1) * weight, by: Math.ceil(((had + 1) * all) / weight) }
    })
    .filter(({ isDue }) => isDue)
    .sort((a, b) => a.by - b.by || a.last - b.last || (a.id < b.id ? -1 : 1))
  const taken = (due[0] as (typeof due)[number]).id
  const after = n + 1 === all ? NO_TURN : { n: n + 1, counts: { ...counts, [taken]: (counts[taken] ?? 0) + 1 } }
  return { taken, after }
}
