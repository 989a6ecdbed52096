import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Segmented, Skeleton, Space, Typography } from 'antd'
import { type ReactNode, useState } from 'react'
import type { locale as engineLocale } from '#engines/entitlement/locale.ts'
import { GRANT_KINDS, type LotKind } from '#engines/entitlement/model.ts'
import { get } from '#kit/page/call.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { EntryView, LotView } from './side.model.ts'

type Balance = { kind: LotKind; remaining: number; frozen: number }
type LedgerAnswer = { balances: Balance[]; lots: LotView[]; entries: EntryView[]; total: number }

const KINDS = GRANT_KINDS.filter((kind): kind is LotKind => kind !== 'GOODS')
const PAGE = 20
const right = 'right' as const

/** What the member holds of each kind, where it came from, and every movement with the balance after it. */
export function Ledger({ row: { id } }: { row: { id: string } }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const engine = useTexts<typeof engineLocale>('engines/entitlement')
  const [{ kind, current }, show] = useState<{ kind: LotKind; current: number }>({ kind: 'MEMBER_DAYS', current: 1 })
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'ledger', id, kind, current],
    queryFn: ({ signal }) =>
      get<LedgerAnswer>(`/${resource.screen.name}/${id}/ledger`, { query: { kind, current }, signal }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  const held = (one: LotKind) => data.balances.find(balance => balance.kind === one)?.remaining ?? 0
  return (
    <Space orientation="vertical" size={16} style={{ width: '100%' }}>
      <Segmented
        value={kind}
        onChange={chosen => show({ kind: chosen, current: 1 })}
        options={KINDS.map(one => ({ value: one, label: `${engine(`kind.${one}`)} ${held(one)}` }))}
      />
      <Section title={say('ledger.lots')}>
        <Lots lots={data.lots} />
      </Section>
      <Section title={say('ledger.entries')}>
        <Entries
          entries={data.entries}
          total={data.total}
          current={current}
          onPage={page => show({ kind, current: page })}
        />
      </Section>
    </Space>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Typography.Title level={5}>{title}</Typography.Title>
      {children}
    </div>
  )
}

function Lots({ lots }: { lots: LotView[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const engine = useTexts<typeof engineLocale>('engines/entitlement')
  return (
    <SmallTable<LotView>
      rows={lots}
      scroll={{ x: 'max-content', y: 240 }}
      columns={[
        { dataIndex: 'name', title: say('ledger.lot') },
        {
          dataIndex: 'source',
          title: say('ledger.source'),
          render: (source: LotView['source']) => engine(`source.${source}`),
        },
        { dataIndex: 'quantity', title: say('ledger.quantity'), align: right },
        { dataIndex: 'remaining', title: say('ledger.remaining'), align: right, render: n => <Amount value={n} /> },
        { dataIndex: 'frozen', title: say('ledger.frozen'), align: right },
        { dataIndex: 'grantedOn', title: say('ledger.granted') },
        {
          dataIndex: 'expiresOn',
          title: say('ledger.expires'),
          // Days that were all taken back lead nowhere.
          render: (day, { kind }) => day ?? (kind === 'MEMBER_DAYS' ? MISSING : say('ledger.forever')),
        },
      ]}
    />
  )
}

type EntriesProps = { entries: EntryView[]; total: number; current: number; onPage(page: number): void }

function Entries({ entries, total, current, onPage }: EntriesProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const engine = useTexts<typeof engineLocale>('engines/entitlement')
  return (
    <SmallTable<EntryView>
      rows={entries}
      page={{ current, size: PAGE, total, onChange: onPage }}
      columns={[
        { dataIndex: 'at', title: say('ledger.at'), render: at => <Instant at={at} /> },
        {
          dataIndex: 'cause',
          title: say('ledger.cause'),
          render: (cause: EntryView['cause']) => engine(`cause.${cause}`),
        },
        {
          dataIndex: 'delta',
          title: say('ledger.delta'),
          align: right,
          render: (delta: number) => (delta > 0 ? `+${delta}` : <Amount value={delta} />),
        },
        {
          dataIndex: 'balanceAfter',
          title: say('ledger.balance'),
          align: right,
          render: balance => <Amount value={balance} />,
        },
        { dataIndex: 'lot', title: say('ledger.lot'), render: lot => lot || MISSING },
        { dataIndex: 'note', title: say('ledger.note'), render: note => note || MISSING },
        { dataIndex: 'staff', title: say('ledger.by'), render: staff => staff ?? say('ledger.system') },
      ]}
    />
  )
}

const Amount = ({ value }: { value: number }) =>
  value < 0 ? <Typography.Text type="danger">{value}</Typography.Text> : value
