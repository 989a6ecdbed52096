import { useQuery } from '@tanstack/react-query'
import { Timeline as AntTimeline, Skeleton, Space, Tag } from 'antd'
import type { PathStep } from '#engines/lead/path.model.ts'
import { formatFen } from '#kit/model/money.ts'
import { get } from '#kit/page/call.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** How the member came to us, oldest first: a way is told from its beginning. */
export function LeadPath({ row: { id } }: { row: { id: string } }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'lead-path', id],
    queryFn: ({ signal }) => get<PathStep[]>(`/${resource.screen.name}/${id}/lead-path`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  return (
    <>
      <p className="inkstone-note">{say('path.rule')}</p>
      <AntTimeline
        items={data.map(step => ({
          key: step.id,
          color: COLOURS[step.kind],
          content: <Step step={step} />,
        }))}
      />
    </>
  )
}

const COLOURS = {
  CAME: 'blue',
  AGAIN: 'blue',
  OWNED: 'gray',
  REGISTERED: 'green',
  CORRECTED: 'orange',
  BOUGHT: 'green',
  REFUNDED: 'red',
} as const
const MARK_COLOURS = { FIRST: 'default', LAST: 'default', COUNTS: 'green' } as const

function Step({ step }: { step: PathStep }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const named = (entries: ReturnType<typeof useDictionary>, value: string | null) =>
    value === null ? [] : [entries.find(({ v }) => v === value)?.k ?? value]
  const { at, kind, cameBy, times, owner, got, by, about, fen, marks } = step
  const told = [
    ...(cameBy === null ? [] : [say(`cameBy.${cameBy}`)]),
    ...(about === null ? [] : [about]),
    ...named(useDictionary('MEMBER_SOURCE'), step.source),
    ...named(useDictionary('CHANNEL'), step.channel),
    ...named(useDictionary('LEAD_CONSENT'), step.consent),
    ...(times > 1 ? [say('path.times', { times })] : []),
    ...(got === null ? [] : [say(`got.${got}`)]),
    ...(by === null ? [] : [say('path.by', { by })]),
  ]
  return (
    <>
      <Space size={8} wrap>
        <strong>{say(`path.${kind}`, { owner: owner ?? '' })}</strong>
        {fen !== null && formatFen(fen)}
        <Instant at={at} />
        {marks.map(mark => (
          <Tag key={mark} color={MARK_COLOURS[mark]}>
            {say(`mark.${mark}`)}
          </Tag>
        ))}
      </Space>
      {told.length > 0 && <div className="inkstone-note">{told.join(' · ')}</div>}
    </>
  )
}
