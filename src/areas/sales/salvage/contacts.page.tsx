import { useQuery } from '@tanstack/react-query'
import { Timeline as AntTimeline, Empty, Skeleton, Space } from 'antd'
import type { FollowUpView } from '#areas/members/member/side.model.ts'
import { get } from '#kit/page/call.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { Pictures } from '#kit/page/field/files.tsx'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** What was said with the person of a lead, newest first. */
export function Contacts({ row: { id } }: { row: { id: string } }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kinds = useDictionary('FOLLOW_UP_KIND')
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'contact', id],
    queryFn: ({ signal }) => get<FollowUpView[]>(`/${resource.screen.name}/${id}/contact`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  if (data.length === 0) return <Empty description={say('contacts-empty')} />
  return (
    <AntTimeline
      items={data.map(({ id: key, at, kind, content, nextAt, picture, staff }) => ({
        key,
        content: (
          <>
            <Space size={8}>
              <strong>{kinds.find(({ v }) => v === kind)?.k ?? kind}</strong>
              {staff}
              <Instant at={at} />
            </Space>
            <div style={{ whiteSpace: 'pre-wrap' }}>{content}</div>
            {picture.length > 0 && <Pictures ids={picture} />}
            {nextAt && (
              <div className="inkstone-note">
                {say('contact-next')} <Instant at={nextAt} />
              </div>
            )}
          </>
        ),
      }))}
    />
  )
}
