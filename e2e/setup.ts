import { afterEach, beforeAll, expect } from 'vitest'
import { closeWindows, connectBrowser, photograph } from './console.ts'

beforeAll(connectBrowser)
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await photograph(task.name)
  // As one text: a list is cut short where a run says why it failed.
  expect((await closeWindows()).join('\n')).toBe('')
})
