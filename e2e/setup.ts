import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { closeWindows, connectBrowser, disconnectBrowser } from './console.ts'

beforeAll(connectBrowser)
afterEach(async () => {
  expect(await closeWindows()).toEqual([])
})
afterAll(disconnectBrowser)
