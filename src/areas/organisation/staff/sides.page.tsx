import { Space, Tag } from 'antd'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { Kinds } from './belongings.page.tsx'
import type { locale } from './locale.ts'
import { type Handover, resource, type Span, type Staff } from './model.ts'

/** What somebody holds now, the primary position first. */
export function HeldPositions({ spans }: Pick<Staff, 'spans'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const held = spans.filter(({ kind, until }) => kind === 'POSITION' && until === null)
  if (held.length === 0) return MISSING
  return (
    <Space size={[8, 4]} wrap>
      {held
        .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
        .map(({ id, name, isPrimary }) => (
          <Tag key={id} variant={isPrimary ? 'filled' : 'outlined'}>
            {name} · {say(isPrimary ? 'position.primary' : 'position.beside')}
          </Tag>
        ))}
    </Space>
  )
}

export function Spans({ row: { spans } }: { row: Staff }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const beside = (isPrimary: boolean) => say(isPrimary ? 'position.primary' : 'position.beside')
  return (
    <SmallTable<Span>
      rows={spans}
      columns={[
        { title: say('span.kind'), dataIndex: 'kind', render: (kind: Span['kind']) => say(`span.${kind}`) },
        {
          title: say('span.name'),
          dataIndex: 'name',
          render: (name: string, { kind, isPrimary }) =>
            kind === 'POSITION' ? `${name} · ${beside(isPrimary)}` : name,
        },
        { title: say('span.since'), dataIndex: 'since' },
        { title: say('span.until'), dataIndex: 'until', render: (until: string | null) => until ?? say('span.now') },
      ]}
    />
  )
}

export function Handovers({ row: { handovers } }: { row: Staff }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <SmallTable<Handover>
      rows={handovers}
      empty={say('no-handovers')}
      columns={[
        { title: say('handover.at'), dataIndex: 'at', render: (at: string) => <Instant at={at} /> },
        {
          title: say('handover.to'),
          dataIndex: 'to',
          render: (to: string, { isLeave }) => (
            <>
              {to} {isLeave && <Tag>{say('handover.leave')}</Tag>}
            </>
          ),
        },
        { title: say('handover.by'), dataIndex: 'by', render: (by: string | null) => by ?? MISSING },
        { title: say('handover.moved'), dataIndex: 'moved', render: (_, handover) => <Moved of={handover.moved} /> },
      ]}
    />
  )
}

function Moved({ of: moved }: { of: Handover['moved'] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [moving, staying] = [moved.filter(({ moves }) => moves), moved.filter(({ moves }) => !moves)]
  if (moved.length === 0) return say('nothing-moves')
  return (
    <>
      {moving.length > 0 && <Kinds title={say('handover.moved')} of={moving} />}
      {staying.length > 0 && <Kinds title={say('stays')} of={staying} isWarning />}
    </>
  )
}
