import { useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import { get } from '#kit/page/call.ts'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { OwnerChangeView } from './side.model.ts'

const shown = (text: string | null) => text || MISSING

/** In whose hands the member has been. */
export function OwnerHistory({ row: { id } }: { row: { id: string } }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'owner-history', id],
    queryFn: ({ signal }) => get<OwnerChangeView[]>(`/${resource.screen.name}/${id}/owner-history`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  return (
    <Table
      size="small"
      rowKey="id"
      loading={!data}
      pagination={false}
      dataSource={data ?? []}
      scroll={{ x: 'max-content' }}
      columns={[
        { dataIndex: 'at', title: say('history.at'), render: at => <Instant at={at} /> },
        { dataIndex: 'from', title: say('history.from'), render: shown },
        { dataIndex: 'to', title: say('history.to'), render: shown },
        { dataIndex: 'reason', title: say('history.reason'), render: shown },
        { dataIndex: 'by', title: say('history.by'), render: shown },
      ]}
    />
  )
}
