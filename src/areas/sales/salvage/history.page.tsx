import { Passed } from '#engines/allocation/passed.page.tsx'
import { ChildList } from '#kit/page/detail/child-list.tsx'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { MISSING } from '#kit/page/field/show.tsx'
import { ChainRuns } from './chain-runs.page.tsx'
import { type Decided, child as decisions } from './decisions/model.ts'
import { child as levels } from './levels/model.ts'
import { child as owners, type Span } from './owners/model.ts'

type Props = { row: { id: string } }

/** In whose hands the lead has been, newest first. */
export const Owners = ({ row: { id } }: Props) => (
  <ChildList child={owners} id={id} shows={{ endReason: (span: Span) => <EndReason of={span.endReason} /> }} />
)

/** Why a lead was given back and why it ended are two lists of words. */
function EndReason({ of }: { of: string | null }) {
  const words = [...useDictionary('LEAD_RETURN'), ...useDictionary('LEAD_END')]
  return of === null ? MISSING : (words.find(({ v }) => v === of)?.k ?? of)
}

/** What chains decided first; then whom it was given to by which rule, and who was passed over and why. */
export const Decisions = ({ row: { id } }: Props) => (
  <>
    <ChainRuns id={id} />
    <ChildList child={decisions} id={id} shows={{ passed: ({ passed }: Decided) => <Passed passed={passed} /> }} />
  </>
)

/** How likely its person looked to buy, judgement by judgement. */
export const Levels = ({ row: { id } }: Props) => <ChildList child={levels} id={id} />
