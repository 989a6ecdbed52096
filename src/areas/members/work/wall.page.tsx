import './desk.css'
import { useQuery } from '@tanstack/react-query'
import { Empty, Skeleton } from 'antd'
import type { Paged } from '#kit/model/contract.ts'
import { dayOf } from '#kit/model/time.ts'
import { get } from '#kit/page/call.ts'
import { usePictures } from '#kit/page/gallery/use-pictures.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { Sign } from '#kit/page/sign.tsx'
import type { locale } from './locale.ts'
import { resource, type Work } from './model.ts'

/** As many as show how somebody's hand has grown. */
const SHOWN = 48

/** A pupil's works as pictures, the newest first: progress is seen. */
export function Wall({ memberId }: { memberId: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'wall', memberId],
    queryFn: ({ signal }) => get<Paged<Work>>(`/${resource.screen.name}`, { query: { memberId, size: SHOWN }, signal }),
  })
  const works = data?.records ?? []
  const links = usePictures(works.flatMap(({ picture }) => picture[0] ?? []))
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  if (works.length === 0) return <Empty description={say('no-works')} />
  return (
    <ul className="work-wall">
      {works.map(({ id, lesson, score, submittedAt, picture, status }) => {
        const url = links[picture[0] ?? '']
        return (
          <li key={id}>
            <a href={`#${resource.screen.route}/${id}`}>
              {url === undefined ? (
                <span className="work-wall-none">
                  <Sign name="picture" />
                </span>
              ) : (
                <img src={url} alt={lesson} loading="lazy" decoding="async" />
              )}
              {lesson}
            </a>
            <div className="inkstone-note">
              {dayOf(new Date(submittedAt))} · {score === null ? say(`status.${status}`) : say('desk.total', { score })}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
