import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Progress, Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { DEFAULT_PAGE_SIZE, type Paged } from '#kit/model/contract.ts'
import type { Tone } from '#kit/model/field.ts'
import { isOpen, TASK_ROWS_KEEP_DAYS, type Task, type TaskRow } from '#kit/model/task.ts'
import { download, get, save } from '#kit/page/call.ts'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { useNotices } from '#kit/page/notice.tsx'
import { SideDrawer } from '#kit/page/side-drawer.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'

const { name: NAME } = area.screens['settings-exports']
const LOOK_MS = 2_000
const TONES: Readonly<Record<TaskRow['state'], Tone>> = { DONE: 'done', REFUSED: 'failed', WAITING: 'idle' }

/** What became of each row, by the name people know it by: what was refused comes first. */
export function TaskResult({ id, onClose }: { id: string; onClose(): void }) {
  const say = useTexts<typeof locale>(NAME)
  const notices = useNotices()
  const [current, setCurrent] = useState(1)
  const task = useQuery({
    queryKey: [NAME, 'task', id],
    queryFn: ({ signal }) => get<Task>(`/common/task/${id}`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? LOOK_MS : false),
  })
  const rows = useQuery({
    queryKey: [NAME, 'rows', id, current, task.data?.doneRows],
    queryFn: ({ signal }) =>
      get<Paged<TaskRow>>(`/common/task/${id}/rows`, { query: { current, size: DEFAULT_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    enabled: task.data?.kind === 'STEPS',
  })
  const fetchSheet = async () => {
    try {
      const answer = await download(`/common/task/${id}/download`)
      if ('file' in answer) save(answer.file, answer.name)
    } catch (error) {
      notices.failed(error, say('load-failed'))
    }
  }
  const failed = task.error ?? rows.error
  return (
    <SideDrawer
      open
      size={640}
      title={task.data?.title ?? say('result')}
      onClose={onClose}
      extra={<Button onClick={() => void fetchSheet()}>{say('download')}</Button>}
    >
      {failed && <LoadFailed error={failed} onRetry={() => void task.refetch()} />}
      {task.data && <Sums task={task.data} />}
      {!failed && (
        <Table<TaskRow>
          size="small"
          rowKey="no"
          loading={rows.isPending}
          dataSource={rows.data?.records ?? []}
          {...(rows.isSuccess ? { locale: { emptyText: say('rows-gone', { days: TASK_ROWS_KEEP_DAYS }) } } : {})}
          scroll={{ x: 'max-content' }}
          pagination={{
            current,
            pageSize: DEFAULT_PAGE_SIZE,
            total: rows.data?.total ?? 0,
            hideOnSinglePage: true,
            showSizeChanger: false,
            onChange: setCurrent,
          }}
          columns={[
            {
              dataIndex: 'name',
              title: say('row-name'),
              render: (text: string, { path }) => (path === null ? text : <Link to={path}>{text}</Link>),
            },
            {
              dataIndex: 'state',
              title: say('result'),
              render: (state: TaskRow['state']) => <StateTag tone={TONES[state]}>{say(`row.${state}`)}</StateTag>,
            },
            { dataIndex: 'reason', title: say('row-reason'), className: 'center-reason' },
          ]}
        />
      )}
    </SideDrawer>
  )
}

function Sums({ task }: { task: Task }) {
  const say = useTexts<typeof locale>(NAME)
  const { doneRows, failedRows, allRows } = task
  const parts = [
    say('sum-done', { count: formatCount(doneRows - failedRows) }),
    ...(failedRows > 0 ? [say('sum-refused', { count: formatCount(failedRows) })] : []),
    ...(allRows > doneRows ? [say('sum-left', { count: formatCount(allRows - doneRows) })] : []),
  ]
  return (
    <div className="center-sums">
      <p>{parts.join(' · ')}</p>
      {isOpen(task) && (
        <Progress
          percent={allRows === 0 ? 0 : Math.floor((doneRows / allRows) * 100)}
          size="small"
          aria-label={parts.join(' · ')}
        />
      )}
    </div>
  )
}
