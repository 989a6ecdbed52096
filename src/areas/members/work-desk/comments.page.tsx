import './desk.css'
import { useQuery } from '@tanstack/react-query'
import { Empty, Skeleton, Timeline } from 'antd'
import type { Criterion } from '#areas/members/work/comment.model.ts'
import type { CommentView } from '#areas/members/work/desk.model.ts'
import { get } from '#kit/page/call.ts'
import { Sent } from '#kit/page/field/files.tsx'
import { Instant } from '#kit/page/field/show.tsx'
import { usePictures } from '#kit/page/gallery/use-pictures.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { useDeskScreen } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'
import { isMarked, Marked } from './marked.page.tsx'

type Props = { workId: string /** Its pictures, as files. */; picture: readonly string[] }

/** Everything that was said of a work, also what no longer counts. */
export function Comments({ workId, picture }: Props) {
  const say = useTexts<typeof locale>('members/work-desk')
  const screen = useDeskScreen()
  const { data, error, refetch } = useQuery({
    queryKey: [screen.name, 'comments', workId],
    queryFn: ({ signal }) => get<CommentView[]>(`/${screen.name}/${workId}/comments`, { signal }),
  })
  const marked = picture.filter((_, at) => data?.some(({ marks }) => isMarked(marks, at)))
  const links = usePictures(marked, 'whole')
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  if (data.length === 0) return <Empty description={say('no-comments')} />
  return (
    <Timeline
      items={data.map(comment => ({
        key: comment.id,
        color: comment.status === 'RELEASED' || comment.status === 'HELD' ? 'green' : 'gray',
        content: <Comment comment={comment} pictures={picture.map(id => links[id])} />,
      }))}
    />
  )
}

/** One comment, whole: who gave which points when, what was marked where, and what was said. */
export function Comment({ comment, pictures }: { comment: CommentView; pictures: readonly (string | undefined)[] }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const { by, at, status, score, suggested, scores, marks, words, voice } = comment
  return (
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
      <Marked pictures={pictures} marks={marks} />
      <p style={{ whiteSpace: 'pre-line' }}>{words}</p>
      <Sent purpose="voice" ids={voice} />
    </>
  )
}
