import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Pagination, Tabs } from 'antd'
import { useState } from 'react'
import { get, post } from '../call.ts'
import { SmallTable } from '../detail/small-table.tsx'
import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'
import { type Batch, saveFile, useDeed } from './use-import.ts'

const SHOWN = 10
type Kind = 'good' | 'bad'
type Rows = {
  readonly head: readonly string[]
  readonly records: readonly {
    readonly no: number
    readonly cells: readonly string[]
    readonly faults: readonly { readonly column: string | null; readonly reason: string }[]
  }[]
}

/** A row of the file, or one of several things that are wrong with it: beside the first of them stands the row itself. */
type Line = Omit<Rows['records'][number], 'faults'> & {
  readonly key: string
  readonly fault: Rows['records'][number]['faults'][number] | undefined
  readonly span: number
}
const linesOf = ({ faults, ...row }: Rows['records'][number]): Line[] =>
  faults.length === 0
    ? [{ ...row, key: `${row.no}`, fault: undefined, span: 1 }]
    : faults.map((fault, at) => ({ ...row, key: `${row.no} ${at}`, fault, span: at === 0 ? faults.length : 0 }))
const onCell = ({ span }: Line) => ({ rowSpan: span })

type Props = { name: string; batch: Batch; onBack: (() => void) | undefined; onLeave(): void }

/** What will be taken and what will not, before anything is changed. */
export function PreviewStep({ name, batch, onBack, onLeave }: Props) {
  const say = useTexts<typeof locale>('kit/page/import')
  const act = useDeed(name)
  const [kind, setKind] = useState<Kind>(batch.badRows > 0 ? 'bad' : 'good')
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await act(() => post(`/${name}/import/${batch.id}/run`))
    setBusy(false)
  }
  return (
    <>
      {batch.badRows > 0 && <Alert type="warning" showIcon title={say('bad-stay')} />}
      <Tabs
        activeKey={kind}
        onChange={key => setKind(key as Kind)}
        items={[
          { key: 'good', label: say('tab-good', { count: batch.goodRows }) },
          { key: 'bad', label: say('tab-bad', { count: batch.badRows }) },
        ]}
      />
      <ImportRows
        key={kind}
        name={name}
        id={batch.id}
        kind={kind}
        total={kind === 'good' ? batch.goodRows : batch.badRows}
      />
      <div className="inkstone-import-foot">
        <Button onClick={onLeave}>{say('again')}</Button>
        {batch.badRows > 0 && (
          <Button onClick={() => void act(() => saveFile(`/${name}/import/${batch.id}/errors`))}>
            {say('error-file')}
          </Button>
        )}
        {onBack && <Button onClick={onBack}>{say('back')}</Button>}
        <Button type="primary" disabled={batch.goodRows === 0} loading={busy} onClick={() => void run()}>
          {say('run', { count: batch.goodRows })}
        </Button>
      </div>
    </>
  )
}

export function ImportRows({ name, id, kind, total }: { name: string; id: string; kind: Kind; total: number }) {
  const say = useTexts<typeof locale>('kit/page/import')
  const [current, setCurrent] = useState(1)
  const { data } = useQuery({
    queryKey: [name, 'import', id, 'rows', kind, current],
    queryFn: ({ signal }) => get<Rows>(`/${name}/import/${id}/rows`, { query: { kind, current }, signal }),
    placeholderData: keepPreviousData,
    enabled: total > 0,
  })
  if (total === 0)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say(kind === 'good' ? 'no-good' : 'no-bad')} />
  return (
    <>
      <SmallTable<Line>
        rowKey="key"
        rows={data?.records.flatMap(linesOf)}
        columns={[
          { title: say('row'), dataIndex: 'no', align: 'right' as const, width: 72, onCell },
          ...(kind === 'bad'
            ? [
                { title: say('where'), key: 'where', render: (_: unknown, { fault }: Line) => fault?.column ?? '–' },
                {
                  title: say('reason'),
                  key: 'reason',
                  className: 'inkstone-import-reason',
                  render: (_: unknown, { fault }: Line) => fault?.reason,
                },
              ]
            : []),
          ...(data?.head ?? []).map((title, at) => ({
            title,
            key: at,
            onCell,
            render: (_: unknown, { cells }: Line) => cells[at] || '–',
          })),
        ]}
      />
      {/* Beside the table: of several faults one row, so that a page has more lines than rows. */}
      <Pagination
        align="end"
        size="small"
        current={current}
        total={total}
        pageSize={SHOWN}
        showSizeChanger={false}
        hideOnSinglePage
        onChange={setCurrent}
      />
    </>
  )
}
