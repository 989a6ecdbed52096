import { useQuery } from '@tanstack/react-query'
import { Skeleton, Typography } from 'antd'
import { get } from '#kit/page/call.ts'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import { type Belonging, resource } from './model.ts'

/** What is somebody's, before it goes into other hands: what moves, and what does not. */
export function Belongings({ of: id }: { of: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, isError, error, refetch } = useQuery({
    queryKey: [resource.screen.name, id, 'belongings'],
    queryFn: ({ signal }) => get<Belonging[]>(`/${resource.screen.name}/${id}/belongings`, { signal }),
    // Asked anew each time: people go on working.
    gcTime: 0,
  })
  if (isError) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 2 }} />
  const moving = data.filter(({ moves }) => moves)
  const staying = data.filter(({ moves }) => !moves)
  return (
    <>
      {moving.length === 0 ? say('nothing-moves') : <Kinds title={say('moves')} of={moving} />}
      {staying.length > 0 && <Kinds title={say('stays')} of={staying} isWarning />}
    </>
  )
}

type KindsProps = { title: string; of: readonly Belonging[]; isWarning?: boolean }

export function Kinds({ title, of: belongings, isWarning = false }: KindsProps) {
  return (
    <>
      <Typography.Text strong {...(isWarning && { type: 'warning' })}>
        {title}
      </Typography.Text>
      <ul style={{ margin: 0, paddingInlineStart: 20, columns: '2 180px' }}>
        {belongings.map(({ what, count }) => (
          <li key={what}>
            {what} <strong>{formatCount(count)}</strong>
          </li>
        ))}
      </ul>
    </>
  )
}
