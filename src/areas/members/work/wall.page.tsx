import './wall.css'
import '#areas/members/work-desk/desk.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Button, Empty, Skeleton } from 'antd'
import { Models } from '#areas/members/work-desk/models.page.tsx'
import { PAGE_SIZES, type Paged } from '#kit/model/contract.ts'
import { dayOf } from '#kit/model/time.ts'
import { get } from '#kit/page/call.ts'
import { usePictures } from '#kit/page/gallery/use-pictures.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { Sign } from '#kit/page/sign.tsx'
import type { locale } from './locale.ts'
import { resource, type Work } from './model.ts'
import { monthsOf, thenAndNow } from './wall.model.ts'

/** As many as are looked through at once; who looks further back asks for them. */
const SIZE: (typeof PAGE_SIZES)[number] = 50
/** Of which the first that has a picture is the oldest. */
const LEAST = Math.min(...PAGE_SIZES)

/** A pupil's works as pictures, month by month, what was practised first beside the newest of it: progress is seen. */
export function Wall({ memberId }: { memberId: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const ask = (query: object) => (signal: AbortSignal) =>
    get<Paged<Work>>(`/${resource.screen.name}`, { query: { memberId, ...query }, signal })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [resource.screen.name, 'wall', memberId],
    queryFn: ({ signal, pageParam }) => ask({ size: SIZE, current: pageParam })(signal),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * SIZE < total ? pages.length + 1 : undefined),
  })
  const works = data?.pages.flatMap(({ records }) => records) ?? []
  const total = data?.pages.at(-1)?.total ?? 0
  const { data: oldest } = useQuery({
    queryKey: [resource.screen.name, 'wall-first', memberId],
    queryFn: ({ signal }) => ask({ size: LEAST, sort: 'submittedAt:asc' })(signal),
    enabled: total > 1,
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  if (works.length === 0) return <Empty description={say('no-works')} />
  const pair = total > 1 ? thenAndNow(works, oldest?.records ?? []) : undefined
  return (
    <div className="work-walls">
      {pair && <ThenAndNow of={pair} />}
      {monthsOf(works).map(({ month, of, average }) => (
        <section key={month} aria-label={month}>
          <h3>
            {month}
            <span className="inkstone-note">
              {say('wall.month', { count: of.length })}
              {average !== null && ` · ${say('wall.average', { score: average })}`}
            </span>
          </h3>
          <Pictures works={of} />
        </section>
      ))}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {say('wall.earlier', { count: total - works.length })}
        </Button>
      )}
    </div>
  )
}

/** Two works large enough to be compared, and how their characters are written. */
function ThenAndNow({ of: [first, newest] }: { of: readonly [Work, Work] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const links = usePictures(
    [first, newest].flatMap(({ picture }) => picture[0] ?? []),
    'whole',
  )
  return (
    <div className="work-wall-pair">
      <ul className="work-wall">
        {[['wall.first', first] as const, ['wall.newest', newest] as const].map(([name, work]) => (
          <Piece key={name} work={work} url={links[work.picture[0] ?? '']} name={say(name)} />
        ))}
      </ul>
      <Models of={newest.characters} />
    </div>
  )
}

function Pictures({ works }: { works: readonly Work[] }) {
  const links = usePictures(works.flatMap(({ picture }) => picture[0] ?? []))
  return (
    <ul className="work-wall">
      {works.map(work => (
        <Piece key={work.id} work={work} url={links[work.picture[0] ?? '']} />
      ))}
    </ul>
  )
}

function Piece({ work, url, name }: { work: Work; url: string | undefined; name?: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { id, lesson, score, submittedAt, status } = work
  return (
    <li>
      <a href={`#${resource.screen.route}/${id}`}>
        {url === undefined ? (
          <span className="work-wall-none">
            <Sign name="picture" />
          </span>
        ) : (
          <img src={url} alt={lesson} loading="lazy" decoding="async" />
        )}
        {name === undefined ? lesson : `${name} · ${lesson}`}
      </a>
      <div className="inkstone-note">
        {dayOf(new Date(submittedAt))} · {score === null ? say(`status.${status}`) : say('wall.score', { score })}
      </div>
    </li>
  )
}
