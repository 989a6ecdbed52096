import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { closeWindows, connectBrowser, disconnectBrowser, photograph } from './console.ts'

beforeAll(connectBrowser)
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await photograph(task.name)
  expect(await closeWindows()).toEqual([])
})
afterAll(disconnectBrowser)
