import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Segmented, Skeleton, Space, Typography } from 'antd'
import { type ReactNode, useState } from 'react'
import type { locale as engineLocale } from '#engines/entitlement/locale.ts'
import type { LotKind } from '#engines/entitlement/model.ts'
import { get } from '#kit/page/call.ts'
import { ChildList } from '#kit/page/detail/child-list.tsx'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import type { locale as lotsLocale } from './lots/locale.ts'
import { child, LOT_KINDS, type Lot } from './lots/model.ts'
import { type Member, resource } from './model.ts'
import { PauseNote } from './pause.page.tsx'
import type { EntryView } from './side.model.ts'

type Balance = { kind: LotKind; remaining: number; frozen: number }
type LedgerAnswer = { balances: Balance[]; entries: EntryView[]; total: number }

const PAGE = 20
const right = 'right' as const

/** What the member holds of each kind, where it came from, and every movement with the balance after it. */
export function Ledger({ row: { id, pause } }: { row: Pick<Member, 'id' | 'pause'> }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const engine = useTexts<typeof engineLocale>('engines/entitlement')
  const lots = useTexts<typeof lotsLocale>(child.resource.screen.name)
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
        options={LOT_KINDS.map(one => ({ value: one, label: `${engine(`kind.${one}`)} ${held(one)}` }))}
      />
      {kind === 'MEMBER_DAYS' && <PauseNote pause={pause} />}
      <Section title={lots('title')}>
        <Lots memberId={id} kind={kind} />
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
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Where it came from: parcel by parcel. */
function Lots({ memberId, kind }: { memberId: string; kind: LotKind }) {
  const say = useTexts<typeof lotsLocale>(child.resource.screen.name)
  return (
    <ChildList
      key={kind}
      child={child}
      id={memberId}
      fixed={{ kind: [kind] }}
      shows={{
        remaining: ({ remaining }: Lot) => <Amount value={remaining} />,
        // Days that were all taken back lead nowhere.
        expiresOn: ({ expiresOn }: Lot) => expiresOn ?? (kind === 'MEMBER_DAYS' ? MISSING : say('forever')),
      }}
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
