import { useQuery } from '@tanstack/react-query'
import { Timeline as AntTimeline, Skeleton } from 'antd'
import type { PathStep } from '#engines/lead/path.model.ts'
import { get } from '#kit/page/call.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** How the member came to us, oldest first: a way is told from its beginning. */
export function LeadPath({ row: { id } }: { row: { id: string } }) {
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'lead-path', id],
    queryFn: ({ signal }) => get<PathStep[]>(`/${resource.screen.name}/${id}/lead-path`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  return (
    <AntTimeline
      items={data.map(step => ({
        key: step.id,
        color: COLOURS[step.kind],
        content: <Step step={step} />,
      }))}
    />
  )
}

const COLOURS = { CAME: 'blue', AGAIN: 'blue', OWNED: 'gray', REGISTERED: 'green', BOUGHT: 'green' } as const

function Step({ step }: { step: PathStep }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const named = (entries: ReturnType<typeof useDictionary>, value: string | null) =>
    value === null ? [] : [entries.find(({ v }) => v === value)?.k ?? value]
  const { at, kind, cameBy, times, owner, got, by } = step
  const told = [
    ...(cameBy === null ? [] : [say(`cameBy.${cameBy}`)]),
    ...named(useDictionary('MEMBER_SOURCE'), step.source),
    ...named(useDictionary('CHANNEL'), step.channel),
    ...named(useDictionary('LEAD_CONSENT'), step.consent),
    ...(times > 1 ? [say('path.times', { times })] : []),
    ...(got === null ? [] : [say(`got.${got}`)]),
    ...(by === null ? [] : [say('path.by', { by })]),
  ]
  return (
    <>
      <strong>{say(`path.${kind}`, { owner: owner ?? '' })}</strong> · <Instant at={at} />
      {told.length > 0 && <div className="inkstone-note">{told.join(' · ')}</div>}
    </>
  )
}
