import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { type ComponentProps, type ReactNode, useState } from 'react'
import type { RowOf } from '#kit/model/resource.ts'
import { get } from '#kit/page/call.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { useTab } from '#kit/page/tab.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { type BaseProduct, CHECK_STATES, type CheckState, resource } from './model.ts'

type Side = { row: BaseProduct }
const PAGE_SIZE = 20

/** What a product's own call answers, asked anew whenever the record has changed. */
const useBook = <T,>({ id, version }: BaseProduct, what: string, query: Record<string, number> = {}) =>
  useQuery({
    queryKey: [resource.screen.name, what, id, version, query],
    queryFn: ({ signal }) => get<T>(`/${resource.screen.name}/${id}/${what}`, { query, signal }),
    retry: false,
  })

type Asked<T> = { data: T | undefined; error: unknown; refetch(): void }

function Rows<T extends { id: string }>({
  asked,
  ...table
}: { asked: Asked<readonly T[]> } & Omit<ComponentProps<typeof SmallTable<T>>, 'rows'>): ReactNode {
  if (asked.error && !asked.data) return <LoadFailed error={asked.error as Error} onRetry={asked.refetch} />
  return <SmallTable<T> rows={asked.data} {...table} />
}

type Movement = {
  id: string
  cause: 'IN' | 'OUT' | 'SENT' | 'RETURNED' | 'CHECK'
  quantity: number
  balanceAfter: number
  note: string
  shipmentNo: string | null
  staff: string | null
  at: string
}
const CAUSES = { IN: 'done', OUT: 'attention', SENT: 'busy', RETURNED: 'special', CHECK: 'idle' } as const

/** Every movement with what lay there after it. */
export function Book({ row }: Side) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [current, setCurrent] = useState(1)
  const { data, ...asked } = useBook<{ records: Movement[]; total: number }>(row, 'movements', { current })
  return (
    <Rows<Movement>
      asked={{ ...asked, data: data?.records }}
      page={{ current, size: PAGE_SIZE, total: data?.total ?? 0, onChange: setCurrent }}
      columns={[
        { dataIndex: 'at', title: say('book.at'), render: at => <Instant at={at} /> },
        {
          dataIndex: 'cause',
          title: say('book.cause'),
          render: (cause: Movement['cause']) => <StateTag tone={CAUSES[cause]}>{say(`cause.${cause}`)}</StateTag>,
        },
        { dataIndex: 'quantity', title: say('field.quantity'), align: 'right', render: signed },
        { dataIndex: 'balanceAfter', title: say('book.balance'), align: 'right' },
        { dataIndex: 'shipmentNo', title: say('book.shipment'), render: no => no ?? MISSING },
        { dataIndex: 'staff', title: say('book.staff'), render: name => name ?? MISSING },
        { dataIndex: 'note', title: say('field.note'), render: note => note || MISSING },
      ]}
    />
  )
}

const signed = (quantity: number) => (quantity > 0 ? `+${quantity}` : `−${-quantity}`)

type Check = {
  id: string
  counted: number
  book: number
  note: string
  status: CheckState
  applicant: string
  decider: string | null
  at: string
}

/** Who counted what, and who confirmed it. */
export function Checks({ row }: Side) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const asked = useBook<Check[]>(row, 'checks')
  return (
    <Rows<Check>
      asked={asked}
      columns={[
        { dataIndex: 'at', title: say('book.at'), render: at => <Instant at={at} /> },
        {
          dataIndex: 'status',
          title: say('check.status'),
          render: (status: Check['status']) => (
            <StateTag tone={CHECK_STATES[status]}>{say(`check.${status}`)}</StateTag>
          ),
        },
        { dataIndex: 'counted', title: say('field.counted'), align: 'right' },
        { dataIndex: 'book', title: say('check.book'), align: 'right' },
        {
          key: 'difference',
          title: say('check.difference'),
          align: 'right',
          render: (_, check) => differenceOf(check),
        },
        { dataIndex: 'applicant', title: say('check.applicant') },
        { dataIndex: 'decider', title: say('check.decider'), render: name => name ?? MISSING },
        { dataIndex: 'note', title: say('field.note'), render: note => note || MISSING },
      ]}
    />
  )
}

/** What whoever decides on a count decides by: what was counted, how far that was from the book, and by whom. */
export function WaitingCheck({ row }: { row: BaseProduct & Pick<RowOf<typeof resource>, 'askedId'> }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, isPending } = useBook<Check[]>(row, 'checks')
  // The one the decision will be about, whatever else was counted since.
  const check = data?.find(({ id }) => id === row.askedId)
  if (isPending) return <Skeleton active title={false} paragraph={{ rows: 1 }} />
  if (!check) return null
  return (
    <>
      {say('field.counted')} <strong>{check.counted}</strong> · {say('check.book')} {check.book} ·{' '}
      {say('check.difference')} <strong>{differenceOf(check)}</strong>
      <div className="inkstone-note">
        {say('check.applicant')} {check.applicant} · <Instant at={check.at} />
        {check.note && ` · ${check.note}`}
      </div>
    </>
  )
}

/** From the book of the moment it was counted: what moved since is no part of it. */
const differenceOf = ({ counted, book }: Check): string => (counted === book ? '0' : signed(counted - book))

type HeldRow = {
  id: string
  shipmentNo: string
  status: 'TO_APPROVE' | 'WAITING' | 'HELD'
  quantity: number
  at: string
}
const SCREENS = { TO_APPROVE: '/order/examineSend', WAITING: '/order/sendGoods', HELD: '/order/sendGoods' } as const

/** For which parcels goods are kept; after a check that found too few, these are the ones it touches. */
export function Held({ row }: Side) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const shipment = useTexts('logistics/shipment')
  const tab = useTab()
  const asked = useBook<HeldRow[]>(row, 'held')
  return (
    <>
      {row.available < 0 && (
        <Alert
          type="error"
          showIcon
          title={say('shortage', { missing: -row.available, locked: row.locked, onHand: row.onHand })}
          style={{ marginBottom: 12 }}
        />
      )}
      <Rows<HeldRow>
        asked={asked}
        columns={[
          {
            dataIndex: 'shipmentNo',
            title: say('book.shipment'),
            render: (no: string, { id, status }) => (
              <Button type="link" size="small" onClick={() => tab.open(`${SCREENS[status]}?open=${id}`)}>
                {no}
              </Button>
            ),
          },
          {
            dataIndex: 'status',
            title: say('check.status'),
            render: (status: HeldRow['status']) => shipment(`status.${status}`),
          },
          { dataIndex: 'quantity', title: say('field.locked'), align: 'right' },
          { dataIndex: 'at', title: say('book.at'), render: at => <Instant at={at} /> },
        ]}
      />
    </>
  )
}
