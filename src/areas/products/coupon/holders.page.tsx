import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import type { Tone } from '#kit/model/field.ts'
import { get } from '#kit/page/call.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { Instant, MISSING, ReferenceLabel } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { useTab } from '#kit/page/tab.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { type Coupon, HELD_STATES, type HeldState, type Holder, resource } from './model.ts'

const SIZE = 10
const TONES: Readonly<Record<HeldState, Tone>> = {
  UNUSED: 'busy',
  USED: 'done',
  EXPIRED: 'idle',
  RECALLED: 'failed',
}

/** Who holds a coupon, and what became of each one. */
export function Holders({ row }: { row: Coupon }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [status, setStatus] = useState<HeldState>()
  const [current, setCurrent] = useState(1)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'holders', row.id, status, current],
    queryFn: ({ signal }) =>
      get<{ records: Holder[]; total: number }>(`/${resource.screen.name}/${row.id}/holders`, {
        query: { status, current },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  return (
    <>
      <Segmented<HeldState | ''>
        style={{ marginBottom: 12 }}
        value={status ?? ''}
        onChange={chosen => {
          setStatus(chosen || undefined)
          setCurrent(1)
        }}
        options={[
          { value: '', label: say('held.all') },
          ...HELD_STATES.map(state => ({ value: state, label: say(`held.${state}`) })),
        ]}
      />
      <SmallTable<Holder>
        rows={data?.records}
        page={{ current, size: SIZE, total: data?.total ?? 0, onChange: setCurrent }}
        empty={say('holders-empty')}
        columns={[
          {
            title: say('holder.member'),
            render: (_, { memberId, name, phone }) => (
              <ReferenceLabel label={{ id: memberId, name, note: phone, tone: null }} />
            ),
          },
          {
            dataIndex: 'status',
            title: say('holder.status'),
            render: (state: HeldState) => <StateTag tone={TONES[state]}>{say(`held.${state}`)}</StateTag>,
          },
          { dataIndex: 'takenAt', title: say('holder.takenAt'), render: (at: string) => <Instant at={at} /> },
          { title: say('holder.valid'), render: (_, { validFrom, validTo }) => `${validFrom} – ${validTo}` },
          { title: say('holder.use'), render: (_, holder) => <Use holder={holder} /> },
          { dataIndex: 'issuedBy', title: say('holder.issuedBy'), render: (name: string | null) => name ?? MISSING },
        ]}
      />
    </>
  )
}

function Use({ holder: { orderId, orderNo, usedAt } }: { holder: Holder }) {
  const tab = useTab()
  if (orderId === null || usedAt === null) return MISSING
  return (
    <>
      <Button type="link" size="small" onClick={() => tab.open(`/order/list?open=${orderId}`)}>
        {orderNo}
      </Button>
      <Instant at={usedAt} />
    </>
  )
}
