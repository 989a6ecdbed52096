import { useQuery } from '@tanstack/react-query'
import { Empty, Skeleton, Timeline } from 'antd'
import { get } from '#kit/page/call.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { Criterion } from './comment.model.ts'
import type { CommentView } from './desk.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** Everything that was said of a work, also what no longer counts. */
export function Comments({ workId }: { workId: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'comments', workId],
    queryFn: ({ signal }) => get<CommentView[]>(`/${resource.screen.name}/${workId}/comments`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  if (data.length === 0) return <Empty description={say('no-comments')} />
  return (
    <Timeline
      items={data.map(({ id, by, at, status, score, scores, marks, words }) => ({
        key: id,
        color: status === 'RELEASED' || status === 'HELD' ? 'green' : 'gray',
        content: (
          <>
            <div>
              <strong>{say('desk.total', { score })}</strong> · {by} · <Instant at={at} /> · {say(`comment.${status}`)}
            </div>
            <div className="inkstone-note">
              {Object.entries(scores)
                .map(([name, points]) => `${say(`criterion.${name as Criterion}`)} ${points}`)
                .join(' · ')}
              {marks.length > 0 && ` · ${say('comment.marks', { count: marks.length })}`}
            </div>
            <p style={{ whiteSpace: 'pre-line' }}>{words}</p>
          </>
        ),
      }))}
    />
  )
}
