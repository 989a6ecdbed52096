import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty, Pagination, Progress, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { DEFAULT_PAGE_SIZE, type Paged } from '#kit/model/contract.ts'
import type { Tone } from '#kit/model/field.ts'
import { formatInstant } from '#kit/model/time.ts'
import { download, get, post, save } from '#kit/page/call.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.ts'
import { StateTag } from '#kit/page/tone.tsx'
import { area } from '../area.ts'
import { Center } from '../center.page.tsx'
import type { locale } from './locale.ts'

const SCREEN = area.screens['settings-exports']
/** The server tells progress about once a second; people are content with two. */
const LOOK_MS = 2_000

type State = 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED'
type Task = {
  id: string
  title: string
  state: State
  doneRows: number
  allRows: number
  error: string | null
  createdAt: string
  expiresAt: string | null
}
const TONES: Readonly<Record<State, Tone>> = {
  WAITING: 'idle',
  RUNNING: 'busy',
  DONE: 'done',
  FAILED: 'failed',
  CANCELLED: 'idle',
}
const isOpen = ({ state }: Task): boolean => state === 'WAITING' || state === 'RUNNING'

export function Page() {
  const say = useTexts<typeof locale>(SCREEN.name)
  const [current, setCurrent] = useState(1)
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
          <TaskRow key={task.id} task={task} onChanged={() => void refetch()} />
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
    </Center>
  )
}

function TaskRow({ task, onChanged }: { task: Task; onChanged(): void }) {
  const say = useTexts<typeof locale>(SCREEN.name)
  const percent = task.allRows === 0 ? 0 : Math.min(100, Math.floor((task.doneRows / task.allRows) * 100))
  return (
    <li>
      <div>
        {task.title}
        <small>
          <Instant at={task.createdAt} /> · {say('rows', { done: task.doneRows, all: task.allRows })}
          {task.expiresAt && ` · ${say('expires', { time: formatInstant(new Date(task.expiresAt)).slice(0, 16) })}`}
        </small>
        {task.error && <small>{task.error}</small>}
        {task.state === 'RUNNING' && <Progress percent={percent} size="small" aria-label={say('state.RUNNING')} />}
      </div>
      <Space>
        <StateTag tone={TONES[task.state]}>{say(`state.${task.state}`)}</StateTag>
        <TaskAction task={task} onChanged={onChanged} />
      </Space>
    </li>
  )
}

/** The one thing its state asks for: fetch it, or call it off. */
function TaskAction({ task, onChanged }: { task: Task; onChanged(): void }) {
  const say = useTexts<typeof locale>(SCREEN.name)
  const notices = useNotices()
  const run = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      notices.failed(error, say('load-failed'))
    }
    onChanged()
  }
  const fetchFile = () =>
    run(async () => {
      const answer = await download(`/common/task/${task.id}/download`)
      if ('file' in answer) save(answer.file, answer.name)
    })
  const cancel = () =>
    run(async () => {
      await post(`/common/task/${task.id}/cancel`)
      notices.done(say('cancelled'))
    })
  if (isOpen(task)) return <Button onClick={() => void cancel()}>{say('cancel')}</Button>
  if (task.state !== 'DONE') return null
  if (task.expiresAt !== null && Date.parse(task.expiresAt) <= Date.now())
    return <span className="center-quiet">{say('expired')}</span>
  return (
    <Button type="primary" onClick={() => void fetchFile()}>
      {say('download')}
    </Button>
  )
}
