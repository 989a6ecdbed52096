import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty, Pagination, Progress, Skeleton, Space } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { DEFAULT_PAGE_SIZE, type Paged } from '#kit/model/contract.ts'
import type { Tone } from '#kit/model/field.ts'
import { isOpen, type Task, type TaskState } from '#kit/model/task.ts'
import { formatInstant } from '#kit/model/time.ts'
import { download, follow, get, post, save } from '#kit/page/call.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { type Say, useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useTab } from '#kit/page/tab.ts'
import { StateTag } from '#kit/page/tone.tsx'
import { area } from '../area.ts'
import { Center } from '../center.page.tsx'
import type { locale } from './locale.ts'

const SCREEN = area.screens['settings-exports']
/** The server tells progress about once a second; people are content with two. */
const LOOK_MS = 2_000

const TONES: Readonly<Record<TaskState, Tone>> = {
  WAITING: 'idle',
  RUNNING: 'busy',
  DONE: 'done',
  FAILED: 'failed',
  CANCELLED: 'idle',
}

// With the first look at one.
const TaskResult = lazy(async () => ({ default: (await import('./result.page.tsx')).TaskResult }))

export function Page() {
  const say = useTexts<typeof locale>(SCREEN.name)
  const tab = useTab()
  const [current, setCurrent] = useState(1)
  const opened = tab.search.get('task') ?? undefined
  const { data, refetch } = useQuery({
    queryKey: [SCREEN.name, current],
    queryFn: ({ signal }) => get<Paged<Task>>('/common/task', { query: { current, size: DEFAULT_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    // A list of running tasks is never fresh.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.records.some(isOpen) ? LOOK_MS : false),
  })
  return (
    <Center screen={SCREEN}>
      {!data && <Skeleton active title={false} />}
      {data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('empty')} />}
      <ul className="center-rows">
        {data?.records.map(task => (
          <TaskRow
            key={task.id}
            task={task}
            onOpen={() => tab.change({ task: task.id }, 'push')}
            onChanged={() => void refetch()}
          />
        ))}
      </ul>
      <Pagination
        hideOnSinglePage
        align="end"
        showSizeChanger={false}
        current={current}
        pageSize={DEFAULT_PAGE_SIZE}
        total={data?.total ?? 0}
        onChange={setCurrent}
      />
      <Suspense>
        {opened !== undefined && <TaskResult id={opened} onClose={() => tab.change({ task: undefined }, 'push')} />}
      </Suspense>
    </Center>
  )
}

type RowProps = { task: Task; onOpen(): void; onChanged(): void }

function TaskRow({ task, onOpen, onChanged }: RowProps) {
  const say = useTexts<typeof locale>(SCREEN.name)
  const percent = task.allRows === 0 ? 0 : Math.min(100, Math.floor((task.doneRows / task.allRows) * 100))
  return (
    <li>
      <div>
        {task.title}
        <small>
          <Instant at={task.createdAt} /> · {rowsOf(task, say)}
          {task.expiresAt && ` · ${say('expires', { time: formatInstant(new Date(task.expiresAt)).slice(0, 16) })}`}
        </small>
        {task.error && <small>{task.error}</small>}
        {task.state === 'RUNNING' && <Progress percent={percent} size="small" aria-label={say(stateOf(task))} />}
      </div>
      <Space>
        <StateTag tone={task.failedRows > 0 ? 'attention' : TONES[task.state]}>{say(stateOf(task))}</StateTag>
        {task.kind === 'STEPS' && <Button onClick={onOpen}>{say('result')}</Button>}
        <TaskAction task={task} onChanged={onChanged} />
      </Space>
    </li>
  )
}

/** What runs is called by what it does. */
const stateOf = ({ kind, state }: Task) =>
  state === 'RUNNING' && (kind === 'EXPORT' || kind === 'PACK')
    ? (`state.RUNNING-${kind}` as const)
    : (`state.${state}` as const)

function rowsOf({ doneRows, failedRows, allRows }: Task, say: Say<RowsKey>): string {
  const counts = { done: formatCount(doneRows), all: formatCount(allRows) }
  return failedRows > 0 ? say('rows-failed', { ...counts, failed: formatCount(failedRows) }) : say('rows', counts)
}
type RowsKey = 'rows' | 'rows-failed'

/** The one thing its state asks for: fetch it, stop it, or go on with it. */
function TaskAction({ task, onChanged }: Omit<RowProps, 'onOpen'>) {
  const say = useTexts<typeof locale>(SCREEN.name)
  const notices = useNotices()
  const isRows = task.kind === 'STEPS'
  const run = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      notices.failed(error, say('load-failed'))
    }
    onChanged()
  }
  const fetchFile = () =>
    run(async () => {
      const answer = await download<{ url: string }>(`/common/task/${task.id}/download`)
      if ('file' in answer) save(answer.file, answer.name)
      else follow(answer.data.url)
    })
  const cancel = () =>
    run(async () => {
      await post(`/common/task/${task.id}/cancel`)
      notices.done(say(isRows ? 'stopped' : 'cancelled'))
    })
  const resume = () => run(() => post(`/common/task/${task.id}/resume`))
  if (isOpen(task)) return <Button onClick={() => void cancel()}>{say(isRows ? 'stop' : 'cancel')}</Button>
  if (isRows && task.state !== 'DONE' && task.doneRows < task.allRows)
    return (
      <Button type="primary" onClick={() => void resume()}>
        {say('resume')}
      </Button>
    )
  if (isRows || task.state !== 'DONE') return null
  if (task.expiresAt !== null && Date.parse(task.expiresAt) <= Date.now())
    return <span className="center-quiet">{say('expired')}</span>
  return (
    <Button type="primary" onClick={() => void fetchFile()}>
      {say('download')}
    </Button>
  )
}
