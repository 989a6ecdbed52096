import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Decision } from '#kit/model/decision.ts'
import { answerCalls, inTurn } from '../../../../../tools/testing/page.tsx'
import { switchLanguage } from '../../language.ts'
import { type Announcement, hear } from '../notice/announce.ts'
import { setNavigate } from '../session/navigation.ts'
import { tellDecided } from './decided.ts'
import { rememberMissed } from './missed.ts'

const DECIDED: Decision = {
  id: '9',
  screen: 'orders/refund-application',
  what: 'Refund applications',
  name: 'R260001',
  state: 'Rejected',
  tone: 'failed',
  by: '李敏',
  at: '2026-11-15T02:00:00.000Z',
  reason: 'no receipt',
  path: '/order/refundApply?open=9',
}
const said: Announcement[] = []
let silence = () => {}
beforeEach(async () => {
  await switchLanguage('en-US')
  said.length = 0
  silence = hear(announcement => said.push(announcement))
  answerCalls({ 'GET /api/workbench/workbench/decisions': () => [DECIDED] })
})
afterEach(() => silence())

test('a decision is told with what it is about, why, and a way there', async () => {
  const opened: string[] = []
  setNavigate(to => void opened.push(to))
  await tellDecided('9', new QueryClient())
  expect(said).toMatchObject([
    {
      kind: 'warning',
      title: 'Refund applications: Rejected',
      description: 'R260001 · 李敏 · no receipt',
    },
  ])
  said[0]?.actions?.[0]?.run()
  expect(opened).toEqual([DECIDED.path])
})

test('a decision is shown where the record stands open', async () => {
  const client = new QueryClient()
  const stale = () => client.getQueryState(['orders/refund-application', 'detail', '9'])?.isInvalidated
  client.setQueryData(['orders/refund-application', 'detail', '9'], {})
  await tellDecided('10', client)
  expect(stale()).toBe(false)
  await tellDecided('9', client)
  expect(stale()).toBe(true)
})

test('a decision told of while nothing can be asked is asked about with the next connection, and told once', async () => {
  const { tell, catchUp } = rememberMissed()
  const decisions = inTurn(
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => [DECIDED],
  )
  answerCalls({ 'GET /api/workbench/workbench/decisions': decisions })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  let asked: Promise<void> = Promise.resolve()
  tell(() => {
    asked = tellDecided('9', client)
    return asked
  })
  await asked.catch(() => {})
  expect(said).toEqual([])
  catchUp()
  await asked
  catchUp()
  await asked
  expect(said).toHaveLength(1)
})

test('what the server does not tell this person is not told', async () => {
  await tellDecided('10', new QueryClient())
  expect(said).toEqual([])
})
