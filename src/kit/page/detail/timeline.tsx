import { useQuery } from '@tanstack/react-query'
import { Timeline as AntTimeline, Empty, Skeleton } from 'antd'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { get } from '../call.ts'
import { Instant, Show } from '../field/show.tsx'
import { hasText, useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import { LoadFailed } from '../load-failed.tsx'
import type { locale } from '../locale.ts'

export type Entry = {
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
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'timeline', id],
    queryFn: ({ signal }) => get<Entry[]>(`/${resource.screen.name}/${id}/timeline`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
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
            <strong>{named(action)}</strong> · {actor || kit('nobody')} · <Instant at={at} />
            {reason && (
              <div>
                {kit('reason')}: {reason}
              </div>
            )}
            {changes(diff).map(([field, [before, after]]) => (
              <div key={field} className="inkstone-note">
                {say(`field.${field}` as never)}:{' '}
                {before !== null && (
                  <>
                    <Side resource={resource} field={field} value={before} /> →{' '}
                  </>
                )}
                <Side resource={resource} field={field} value={after} />
              </div>
            ))}
          </>
        ),
      }))}
    />
  )
}

/** One side of a change, shown as the field is shown anywhere; references come by name already. */
function Side({ resource, field, value }: { resource: Resource; field: string; value: unknown }) {
  if (value !== null && metaOf(resource, field).kind === 'reference') return String(value)
  return <Show resource={resource} field={field} row={{ id: '', labels: {}, steps: {}, [field]: value } as Row} />
}
