import type { ReactNode } from 'react'
import { Passed } from '#engines/allocation/passed.page.tsx'
import { ChildList } from '#kit/page/detail/child-list.tsx'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { MISSING, Show } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { ChainRuns } from './chain-runs.page.tsx'
import { type Decided, child as decisions } from './decisions/model.ts'
import { child as levels } from './levels/model.ts'
import type { locale as ownersLocale } from './owners/locale.ts'
import { child as owners, type Span } from './owners/model.ts'

type Props = { row: { id: string } }

const { list } = owners.resource
/** As it is shown: by whom and why have no columns of their own, for which there is no room. */
const shown: typeof owners = {
  ...owners,
  resource: {
    ...owners.resource,
    list: { ...list, columns: list.columns.filter(field => field !== 'byId' && field !== 'endReason') },
  },
}

/** In whose hands the lead has been, newest first. */
export const Owners = ({ row: { id } }: Props) => (
  <ChildList
    child={shown}
    id={id}
    shows={{
      got: (span: Span) => <Over field="got" span={span} below="byId" />,
      endKind: (span: Span) => (
        <Over field="endKind" span={span} below="endReason">
          <EndReason of={span.endReason} />
        </Over>
      ),
    }}
  />
)

type OverProps = { field: 'got' | 'endKind'; below: 'byId' | 'endReason'; span: Span; children?: ReactNode }

/** How it came or went, and below that by whom or why. */
function Over({ field, below, span, children }: OverProps) {
  const say = useTexts<typeof ownersLocale>(owners.resource.screen.name)
  const cell = (of: string) => <Show resource={owners.resource as never} field={of} row={span as never} brief />
  return (
    <div className="inkstone-over">
      <div>{cell(field)}</div>
      {span[below] !== null && (
        <div data-field={below} title={say(`field.${below}`)}>
          {children ?? cell(below)}
        </div>
      )}
    </div>
  )
}

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
