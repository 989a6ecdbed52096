import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Table, type TableColumnsType, Tag, Tooltip, Typography } from 'antd'
import { useMemo, useState } from 'react'
import { formatCount } from '#kit/model/money.ts'
import { get } from '#kit/page/call.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { DAYS, type SaleLine, type SaleLines, sharesOf, type Taker } from './model.ts'

const LineForm = later(async () => (await import('./line-form.page.tsx')).LineForm)

const { name, key } = area.screens['sale-line']
const WIDTHS = { channel: 180, given: 160, minutes: 160, waiting: 110, set: 80 } as const
/** What the rules with their people need beside the others. */
const WIDTH = 1000

/** To whom the leads of each channel go. */
export function Page() {
  const say = useTexts<typeof locale>(name)
  const mayUpdate = useUser(user => mayDo(user, key, 'update'))
  const [code, open] = useState<string>()
  const { data, error, refetch } = useQuery({
    queryKey: [name],
    queryFn: ({ signal }) => get<SaleLines>(`/${name}`, { signal }),
  })
  const columns = useColumns(mayUpdate ? open : undefined)
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active title={false} />
  const opened = data.channels.find(line => line.code === code)
  return (
    <>
      <Typography.Paragraph type="secondary">{say('help')}</Typography.Paragraph>
      <Table
        rowKey="code"
        size="middle"
        sticky
        pagination={false}
        scroll={{ x: WIDTH }}
        columns={columns}
        dataSource={[...data.channels]}
      />
      {opened && (
        <LineForm
          key={opened.code}
          line={opened}
          edition={data.edition}
          consultants={data.consultants}
          onClose={() => open(undefined)}
        />
      )}
    </>
  )
}

function useColumns(open: ((code: string) => void) | undefined): TableColumnsType<SaleLine> {
  const say = useTexts<typeof locale>(name)
  const channels = useDictionary('CHANNEL')
  const groups = useDictionary('CHANNEL_GROUP')
  return useMemo(() => {
    const called = (entries: typeof channels, value: string) => entries.find(({ v }) => v === value)?.k ?? value
    const figure = { align: 'right', className: 'inkstone-figure' } as const
    return [
      {
        title: say('col.channel'),
        width: WIDTHS.channel,
        render: (_, { code, group, status }) => (
          <>
            <div>{called(channels, code)}</div>
            <div className="inkstone-note">{status === 'ACTIVE' ? code : say(`status.${status}`)}</div>
            <div className="inkstone-note">{called(groups, group)}</div>
          </>
        ),
      },
      { title: say('col.line'), render: (_, { takers }) => <Takers takers={takers} /> },
      {
        title: say('col.given', { days: DAYS }),
        width: WIDTHS.given,
        ...figure,
        render: (_, { given }) => formatCount(given),
      },
      { title: say('col.minutes'), width: WIDTHS.minutes, ...figure, render: (_, { minutes }) => minutes ?? '–' },
      {
        title: say('col.waiting'),
        width: WIDTHS.waiting,
        ...figure,
        render: (_, { waiting }) => (waiting > 0 ? <Tag color="orange">{formatCount(waiting)}</Tag> : 0),
      },
      ...(open
        ? [
            {
              title: say('col.actions'),
              width: WIDTHS.set,
              render: (_: unknown, line: SaleLine) => (
                <Button
                  type="link"
                  size="small"
                  aria-label={say('set-title', { channel: called(channels, line.code) })}
                  onClick={() => open(line.code)}
                >
                  {say('set')}
                </Button>
              ),
            },
          ]
        : []),
    ]
  }, [say, channels, groups, open])
}

/** By which rules, when each holds, and who gets them by it. */
function Takers({ takers }: { takers: readonly Taker[] }) {
  const say = useTexts<typeof locale>(name)
  const entries = useDictionary('MEMBER_SOURCE')
  if (takers.length === 0) return <span className="inkstone-note">{say('none')}</span>
  return takers.map(({ key: rule, name: called, isOwn, sources, products, validFrom, validUntil, receivers }) => {
    const names = sources.map(source => entries.find(({ v }) => v === source)?.k ?? source)
    const told = [
      ...(names.length === 0 ? [] : [say('only-sources', { sources: names.join(', ') })]),
      ...(products.length === 0 ? [] : [say('only-products', { products: products.join(', ') })]),
      ...(validFrom === null ? [] : [say('since', { day: validFrom })]),
      ...(validUntil === null ? [] : [say('until', { day: validUntil })]),
    ]
    return (
      // What is the same for many channels is told once somebody wants to know.
      <details key={rule} open={isOwn}>
        <summary>
          {isOwn ? <Tag color="blue">{say('own')}</Tag> : say('general', { name: called })}
          {told.length > 0 && <span className="inkstone-note"> {told.join(' · ')}</span>}
        </summary>
        <Receivers receivers={receivers} />
      </details>
    )
  })
}

/** Everybody with their share, who is asked last behind; what each got of late on hover. */
function Receivers({ receivers }: Pick<Taker, 'receivers'>) {
  const say = useTexts<typeof locale>(name)
  const shares = sharesOf(receivers)
  const told = receivers.map(({ id, name: called, isOn, isFallback }) => {
    const percent = shares.get(id)
    if (percent !== undefined) return say('share', { name: called, percent })
    const shown = isOn ? called : say('is-off', { name: called })
    return isFallback ? say('fallback', { name: shown }) : shown
  })
  const lately = receivers.map(({ id, name: called, given }) => (
    <div key={id}>{say('got-of-late', { name: called, days: DAYS, count: given })}</div>
  ))
  return (
    <Tooltip title={lately}>
      <div className="inkstone-note">{told.join(' · ')}</div>
    </Tooltip>
  )
}
