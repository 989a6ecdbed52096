import { expect, test } from 'vitest'
import { diary } from './simulate.ts'

test('what was simulated is told line by line, and at the end how many there were of each', () => {
  const lines: string[] = []
  const { hear, sum } = diary(line => lines.push(line))
  for (const type of ['order.placed', 'order.paid', undefined, 'order.paid']) hear(type)
  expect(lines.map(line => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
    'order.placed',
    'order.paid',
    expect.stringContaining('nothing'),
    'order.paid',
  ])
  expect(sum()).toBe('3 events: order.paid 2, order.placed 1; 1 times nothing')
})

test('a simulation that is ended at once says that nothing was played', () => {
  expect(diary(() => {}).sum()).toBe('0 events')
})
