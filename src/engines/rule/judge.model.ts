import { check, type Known } from './checker.model.ts'
import type { KnownFacts, Offers, Parameters } from './fact.model.ts'
import { checkFacts } from './fact-check.model.ts'
import type { Fault, FaultCode } from './fault.model.ts'
import { checkParameters, checkWithheld } from './parameter.model.ts'
import { parse } from './parser.model.ts'
import type { Tree } from './tree.model.ts'

/** What a chain may speak of, what is bound to nodes of code, and what is not for the event it is written for. */
export type KnownToJudge = Known & {
  readonly parameters?: Parameters
  readonly offers?: Offers
  readonly withheld?: ReadonlySet<string>
  /** What its event hands in; nothing where it is for none. */
  readonly facts?: KnownFacts | undefined
}

export type Judged = {
  readonly tree: Tree
  /** Whether all of it could be read, so that it can be written out again. */
  readonly isRead: boolean
  readonly faults: readonly Fault[]
}

/** What is wrong with a word is wrong wherever it stands; how words fit together is judged once all are read. */
const OF_WORDS: ReadonlySet<FaultCode> = new Set(['id-unknown', 'keyword-unknown', 'keyword-case', 'withheld'])

/** Reads a chain and tells all that is wrong with it, in the order of its text. */
export function judge(source: string, known: KnownToJudge): Judged {
  const { tree, faults } = parse(source)
  const isRead = faults.length === 0
  const meant = [
    ...check(tree, known),
    ...checkParameters(tree, known.parameters ?? new Map(), known.offers ?? new Map()),
    ...checkWithheld(tree, known.withheld ?? new Set()),
    ...(known.facts ? checkFacts(tree, known.parameters ?? new Map(), known.facts) : []),
  ].filter(({ code }) => isRead || OF_WORDS.has(code))
  return { tree, isRead, faults: [...faults, ...meant].toSorted((a, b) => a.start - b.start || a.end - b.end) }
}
