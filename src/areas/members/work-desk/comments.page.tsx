import './desk.css'
import { useQuery } from '@tanstack/react-query'
import { Empty, Skeleton, Timeline } from 'antd'
import type { Criterion } from '#areas/members/work/comment.model.ts'
import type { CommentView } from '#areas/members/work/desk.model.ts'
import { clockOf } from '#areas/members/work/desk-state.model.ts'
import { get } from '#kit/page/call.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { Sent } from '#kit/page/field/files.tsx'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { useDeskScreen } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'

/** Everything that was said of a work, also what no longer counts. */
export function Comments({ workId }: { workId: string }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const screen = useDeskScreen()
  const { data, error, refetch } = useQuery({
    queryKey: [screen.name, 'comments', workId],
    queryFn: ({ signal }) => get<CommentView[]>(`/${screen.name}/${workId}/comments`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  if (data.length === 0) return <Empty description={say('no-comments')} />
  return (
    <Timeline
      items={data.map(({ id, by, at, status, score, suggested, scores, marks, words, voice }) => ({
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
              {suggested !== null && ` · ${say('comment.suggested', { suggested })}`}
            </div>
            <Moments marks={marks} />
            <p style={{ whiteSpace: 'pre-line' }}>{words}</p>
            <Sent purpose="voice" ids={voice} />
          </>
        ),
      }))}
    />
  )
}

/** What was said at moments of a film, in the order of the film. */
function Moments({ marks }: Pick<CommentView, 'marks'>) {
  const faults = useDictionary('WORK_FAULT')
  const moments = marks
    .flatMap(({ second, fault, words }) => (second === undefined ? [] : [{ second, fault, words }]))
    .sort((a, b) => a.second - b.second)
  if (moments.length === 0) return null
  return (
    <ul className="work-moments">
      {moments.map(({ second, fault, words }) => (
        <li key={`${second} ${fault} ${words}`}>
          <span className="inkstone-figure">{clockOf(second)}</span>
          {[faults.find(({ v }) => v === fault)?.k, words].filter(Boolean).join(' · ')}
        </li>
      ))}
    </ul>
  )
}
