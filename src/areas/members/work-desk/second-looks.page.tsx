import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { InputNumber, Skeleton, Table, Typography } from 'antd'
import { useState } from 'react'
import { resource } from '#areas/members/work/model.ts'
import type { SecondLooks as Looks, TeacherLooks } from '#areas/members/work/second-look.model.ts'
import { get, put } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { useNotices } from '#kit/page/notice.tsx'
import { SideDrawer } from '#kit/page/side-drawer.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'

const PATH = `/${resource.screen.name}/second-looks`
const KEY = [resource.screen.name, 'second-looks']
const WIDTH = 760
const FIGURES = ['commented', 'due', 'passed', 'overturned'] as const

/** Teacher by teacher: what came of second looks, and how many of the comments to come get one. */
export function SecondLooks({ onClose }: { onClose(): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get<Looks>(PATH, { signal }),
  })
  return (
    <SideDrawer open size={WIDTH} title={say('looks.open')} onClose={onClose}>
      {error && !data && <LoadFailed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <>
          <Typography.Paragraph type="secondary">
            {say('looks.help', { days: data.days, usual: data.usual })}
          </Typography.Paragraph>
          <Table<TeacherLooks>
            size="small"
            rowKey="id"
            pagination={false}
            scroll={{ x: 'max-content' }}
            dataSource={data.teachers}
            locale={{ emptyText: say('looks.none') }}
            columns={[
              {
                title: say('looks.teacher'),
                render: (_, { name, department }) => (
                  <>
                    {name}
                    <div className="inkstone-note">{department}</div>
                  </>
                ),
              },
              ...FIGURES.map(figure => ({
                title: say(`looks.${figure}`),
                dataIndex: figure,
                align: 'right' as const,
              })),
              {
                title: say('looks.share'),
                align: 'right',
                render: (_, teacher) => <Share key={teacher.share} teacher={teacher} usual={data.usual} />,
              },
            ]}
          />
        </>
      )}
    </SideDrawer>
  )
}

/** Stored when it is left, or by Enter; emptied it is as for everybody. What is no share is for the server to refuse: with bounds here, 150 would be stored as 15. */
function Share({ teacher: { id, name, share }, usual }: { teacher: TeacherLooks; usual: number }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const user = useUser()
  const notices = useNotices()
  const known = useQueryClient()
  const [entered, enter] = useState(share)
  const { mutate } = useMutation({
    mutationFn: () => put<Looks>(`${PATH}/${id}`, { share: entered, before: share }),
    onSuccess: looks => {
      known.setQueryData(KEY, looks)
      notices.done(say('looks.saved'))
    },
    onError: problem => {
      notices.failed(problem, say('looks.failed'))
      enter(share)
      void known.invalidateQueries({ queryKey: KEY })
    },
  })
  const store = () => {
    if (entered !== share) mutate()
  }
  const isHis = id === user.info?.id
  if (isHis || !mayDo(user, resource.screen.key, 'setShare')) return `${share ?? usual}%`
  return (
    <InputNumber
      aria-label={say('looks.share-of', { name })}
      precision={0}
      placeholder={String(usual)}
      value={entered}
      onChange={enter}
      onBlur={store}
      onPressEnter={({ target }) => (target as HTMLElement).blur()}
      style={{ width: 88 }}
    />
  )
}
