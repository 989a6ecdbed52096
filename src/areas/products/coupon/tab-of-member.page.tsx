import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Table } from 'antd'
import { get } from '#kit/page/call.ts'
import type { RelatedTab } from '#kit/page/detail/related.ts'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useTab } from '#kit/page/tab.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { Held } from './held.model.ts'
import type { locale } from './locale.ts'
import { HELD_TONES, type HeldState, resource } from './model.ts'

const SIZE = 10

/** What the member was given, and what became of it. */
function HeldCoupons({ memberId }: { memberId: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const tab = useTab()
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'held', memberId],
    queryFn: ({ signal }) => get<Held[]>(`/${resource.screen.name}/held`, { query: { memberId }, signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  return (
    <Table<Held>
      rowKey="id"
      size="small"
      loading={!data}
      dataSource={data ?? []}
      scroll={{ x: 'max-content' }}
      pagination={{ pageSize: SIZE, size: 'small', hideOnSinglePage: true, showSizeChanger: false }}
      locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={kit('empty-related')} /> }}
      columns={[
        { dataIndex: 'name', title: say('field.name') },
        {
          dataIndex: 'status',
          title: say('holder.status'),
          render: (state: HeldState) => <StateTag tone={HELD_TONES[state]}>{say(`held.${state}`)}</StateTag>,
        },
        { dataIndex: 'takenAt', title: say('holder.takenAt'), render: (at: string) => <Instant at={at} /> },
        { title: say('holder.valid'), render: (_, { validFrom, validTo }) => `${validFrom} – ${validTo}` },
        {
          title: say('holder.use'),
          render: (_, { orderId, orderNo }) =>
            orderId === null ? (
              MISSING
            ) : (
              <Button type="link" size="small" onClick={() => tab.open(`/order/list?open=${orderId}`)}>
                {orderNo}
              </Button>
            ),
        },
      ]}
    />
  )
}

export const tab: RelatedTab = {
  order: 50,
  key: resource.screen.key,
  texts: resource.screen.name,
  title: 'title',
  show: id => <HeldCoupons memberId={id} />,
}
