import * as z from 'zod'

/** What became of a deed: still to be done, done, done before, or why not. */
const DEED_WORDS = [
  ...(['WAITING', 'DONE', 'ALREADY', 'NOT_HERE', 'GONE', 'UNKNOWN', 'EMPTY'] as const),
  ...(['NO_MEMBER', 'CLOSED', 'FROZEN', 'FULL', 'LIMIT', 'USED_UP', 'MISSING', 'NOBODY', 'TOO_MANY'] as const),
] as const
export type DeedWord = (typeof DEED_WORDS)[number]

const told = z.looseObject({
  deeds: z.array(z.strictObject({ node: z.string(), of: z.string(), result: z.enum(DEED_WORDS) })).min(1),
})
type ToldDeed = z.infer<typeof told>['deeds'][number]

/** What a run decided, as it is kept, apart from what it had done; `decided` is empty where it decided nothing. */
export function readOutcome(outcome: string): { readonly decided: string; readonly deeds: readonly ToldDeed[] } {
  const read = told.safeParse(parsed(outcome))
  if (!read.success) return { decided: outcome, deeds: [] }
  const { deeds, ...decided } = read.data
  return { decided: Object.keys(decided).length > 0 ? JSON.stringify(decided) : '', deeds }
}

function parsed(outcome: string): unknown {
  try {
    return JSON.parse(outcome)
  } catch {
    return undefined
  }
}
