import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Gathered } from './gathered.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('of many changes the first is told at once, the rest together some seconds later, and the last is never left out', () => {
  const told: string[] = []
  const gathered = new Gathered(3_000, about => told.push(about))
  gathered.hear('board')
  expect(told).toEqual(['board'])
  for (let nth = 0; nth < 20; nth += 1) {
    vi.advanceTimersByTime(100)
    gathered.hear('board')
  }
  expect(told).toEqual(['board'])
  vi.advanceTimersByTime(1_000)
  expect(told).toEqual(['board', 'board'])
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual(['board', 'board'])
  gathered.hear('board')
  expect(told).toHaveLength(3)
  gathered.close()
})

test('what is told of one page holds back nothing of another, and nothing is told once the house is closed', () => {
  const told: string[] = []
  const gathered = new Gathered(3_000, about => told.push(about))
  for (const page of ['board', 'other', 'board']) gathered.hear(page)
  expect(told).toEqual(['board', 'other'])
  gathered.close()
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual(['board', 'other'])
})
