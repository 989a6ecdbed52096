import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Decision, EarlierDecisions } from '#kit/model/decision.ts'
import { get } from '#kit/page/call.ts'
import { decisionsQuery } from '#kit/page/decisions.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useLanguage, useTexts } from '#kit/page/language.ts'
import { DECISIONS } from '#kit/page/shell/live/push-notice.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { NAME, Part, RecordLink } from './part.page.tsx'

/** What became of what this person asked for. A decision just made comes by itself, with a notice. */
export function Decisions({ known }: { known: readonly Decision[] }) {
  const say = useTexts<typeof locale>(NAME)
  const { data } = useQuery({ ...decisionsQuery(useLanguage()), initialData: known })
  const decisions = data ?? []
  // From the last one shown when somebody first asked; a newer one that comes meanwhile moves nothing.
  const [from, setFrom] = useState<string | null>()
  const isAsked = from !== undefined
  const earlier = useInfiniteQuery({
    queryKey: [DECISIONS, 'earlier', useLanguage(), from],
    queryFn: ({ pageParam: before, signal }) =>
      get<EarlierDecisions>('/workbench/workbench/decisions/earlier', { query: before ? { before } : {}, signal }),
    initialPageParam: from ?? null,
    getNextPageParam: ({ before }) => before,
    enabled: isAsked,
  })
  const isLast = isAsked && earlier.isSuccess && !earlier.hasNextPage
  return (
    <Part title={say('decided')}>
      {decisions.length === 0 && <p className="bench-quiet">{say('decided-empty')}</p>}
      <ul className="bench-rows">
        {decisions.map(decision => (
          <DecisionRow key={decision.id} decision={decision} />
        ))}
        {earlier.data?.pages.flatMap(({ records }) =>
          records.map(decision => <DecisionRow key={decision.id} decision={decision} />),
        )}
      </ul>
      {isLast ? (
        <p className="bench-quiet">{say('decided-last')}</p>
      ) : (
        <Button
          type="link"
          size="small"
          className="bench-more"
          loading={earlier.isFetching}
          onClick={() => void (isAsked ? earlier.fetchNextPage() : setFrom(decisions.at(-1)?.id ?? null))}
        >
          {say('decided-earlier')}
        </Button>
      )}
    </Part>
  )
}

function DecisionRow({ decision: { what, name, path, state, tone, by, reason, at } }: { decision: Decision }) {
  const say = useTexts<typeof locale>(NAME)
  return (
    <li>
      <StateTag tone={tone}>{state}</StateTag>
      <div className="bench-told">
        <span className="bench-quiet">{what}</span> <RecordLink name={name} path={path} />
        {reason && <div title={reason}>{say('decided-reason', { reason })}</div>}
      </div>
      <span className="bench-quiet">
        {by || say('decided-console')} · <Instant at={at} />
      </span>
    </li>
  )
}
