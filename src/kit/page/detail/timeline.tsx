import { useQuery } from '@tanstack/react-query'
import { Timeline as AntTimeline, Empty, Skeleton } from 'antd'
import { choicesOf } from '#kit/model/field.ts'
import { formatYuan } from '#kit/model/money.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { get } from '../call.ts'
import { Instant } from '../field/show.tsx'
import { hasText, useTexts } from '../language.ts'
import type { locale } from '../locale.ts'

type Entry = {
  id: string
  at: string
  actor: string
  action: string
  diff: Record<string, [unknown, unknown]>
  reason: string | null
}

/** What happened to a record: who, when, what, and what changed. */
export function Timeline({ resource, id }: { resource: Resource; id: string }) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'timeline', id],
    queryFn: ({ signal }) => get<Entry[]>(`/${resource.screen.name}/${id}/timeline`, { signal }),
  })
  if (!data) return <Skeleton active />
  if (data.length === 0) return <Empty description={kit('timeline-empty')} />
  const named = (action: string) =>
    hasText(resource.screen.name, `step.${action}`)
      ? say(`step.${action}` as never)
      : hasText('kit/page', `action.${action}`)
        ? kit(`action.${action}` as 'action.create')
        : action
  const changes = (diff: Entry['diff']) =>
    Object.entries(diff).filter(
      ([field]) => field in resource.record.shape && metaOf(resource, field).kind !== 'detail',
    )
  return (
    <AntTimeline
      items={data.map(({ id: key, at, actor, action, diff, reason }) => ({
        key,
        content: (
          <>
            <strong>{named(action)}</strong> · {actor} · <Instant at={at} />
            {reason && (
              <div>
                {kit('reason')}: {reason}
              </div>
            )}
            {changes(diff).map(([field, [before, after]]) => (
              <div key={field} className="inkstone-note">
                {say(`field.${field}` as never)}:{' '}
                {before !== null && `${shown(resource, field, before, say as never)} → `}
                {shown(resource, field, after, say as never)}
              </div>
            ))}
          </>
        ),
      }))}
    />
  )
}

function shown(resource: Resource, field: string, value: unknown, say: (key: string) => string): string {
  if (value === null || value === '') return '–'
  if (metaOf(resource, field).kind === 'money') return formatYuan(value as number)
  return choicesOf(resource.record.shape[field] as never).includes(value as string)
    ? say(`${field}.${value}`)
    : String(value)
}
