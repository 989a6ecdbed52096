import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Table, Tabs } from 'antd'
import { useState } from 'react'
import { get, post } from '../call.ts'
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
    readonly reason: string | null
  }[]
}

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
    <Table
      size="small"
      rowKey="no"
      loading={!data}
      scroll={{ x: 'max-content' }}
      dataSource={[...(data?.records ?? [])]}
      pagination={{
        current,
        total,
        pageSize: SHOWN,
        showSizeChanger: false,
        hideOnSinglePage: true,
        size: 'small',
        onChange: setCurrent,
      }}
      columns={[
        { title: say('row'), dataIndex: 'no', align: 'right', width: 72 },
        ...(kind === 'bad' ? [{ title: say('reason'), dataIndex: 'reason', className: 'inkstone-import-reason' }] : []),
        ...(data?.head ?? []).map((title, at) => ({
          title,
          key: at,
          render: (_: unknown, { cells }: Rows['records'][number]) => cells[at] || '–',
        })),
      ]}
    />
  )
}
