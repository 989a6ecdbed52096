import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Task } from '#kit/model/task.ts'
import { answerCalls } from '../../../../../tools/testing/page.tsx'
import { switchLanguage } from '../../language.ts'
import { type Announcement, hear } from '../notice/announce.ts'
import { setNavigate } from '../session/navigation.ts'
import { tellTaskEnded } from './task-ended.ts'

const TASK: Task = {
  id: '5',
  kind: 'STEPS',
  title: 'Refunds · Approve',
  state: 'DONE',
  doneRows: 12,
  failedRows: 0,
  allRows: 12,
  error: null,
  createdAt: '2026-11-15T02:00:00.000Z',
  startedAt: '2026-11-15T02:00:00.000Z',
  endedAt: '2026-11-15T02:01:00.000Z',
  expiresAt: null,
}
const said: Announcement[] = []
let silence = () => {}
beforeEach(async () => {
  await switchLanguage('en-US')
  said.length = 0
  silence = hear(announcement => said.push(announcement))
})
afterEach(() => silence())

const client = new QueryClient()
const ended = async (more: Partial<Task> = {}) => {
  answerCalls({ 'GET /api/common/task/5': () => ({ ...TASK, ...more }) })
  await tellTaskEnded('5', client)
  return said.at(-1)
}

test('long work that ended is told with what became of it, leads to its result, and has open lists asked for anew', async () => {
  const anew = vi.spyOn(client, 'invalidateQueries')
  const opened: string[] = []
  setNavigate(path => void opened.push(path))
  const done = await ended()
  expect(done).toMatchObject({ kind: 'info', title: 'Task done: Refunds · Approve', description: '12 done' })
  done?.actions?.[0]?.run()
  expect(opened).toEqual(['/account/settings/exports?task=5'])
  expect(anew).toHaveBeenCalledOnce()
  expect(await ended({ failedRows: 2 })).toMatchObject({ kind: 'warning', description: '10 done, 2 not done' })
})

test('work that failed says why; an import, which is watched where it was begun, says nothing', async () => {
  expect(await ended({ kind: 'IMPORT' })).toBeUndefined()
  expect(await ended({ state: 'FAILED', error: 'no right' })).toMatchObject({
    kind: 'warning',
    description: 'no right',
  })
})
