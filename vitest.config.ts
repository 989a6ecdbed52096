import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { JOURNEY_PATIENCE_MS } from './tools/testing/patience.ts'
import { textBundles } from './tools/text-bundles.ts'

/** All cores, of which Vitest would leave one idle; not so many that instances wait for the one PostgreSQL. */
const WORKERS = Math.min(availableParallelism(), 8)

/** What only the long run does, unless it is asked for by its name (decision 089). */
const exclude = [...configDefaults.exclude, ...(process.env.INKSTONE_SHORT === 'yes' ? ['**/*.long.test.ts'] : [])]

/** Patient with what comes late on cores eight times too busy: a test is red because something never comes, or for its own bound. */
const shared = {
  exclude,
  isolate: false,
  testTimeout: 600_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    projects: [
      {
        test: {
          ...shared,
          name: 'server',
          environment: 'node',
          include: ['src/{kit/model,kit/server,areas,engines,demo}/**/*.test.ts', 'tools/**/*.test.ts'],
          globalSetup: ['tools/testing/database.ts'],
          setupFiles: ['tools/testing/server-setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'faults',
          environment: 'node',
          include: ['faults/**/*.test.ts', 'src/server.test.ts'],
          globalSetup: ['tools/testing/database.ts'],
          setupFiles: ['tools/testing/server-setup.ts'],
          // Many callers at once are the test, or the seconds a start takes: another file beside them would be their load.
          fileParallelism: false,
          testTimeout: 900_000,
        },
      },
      {
        plugins: [textBundles()],
        test: {
          ...shared,
          name: 'page',
          environment: 'happy-dom',
          include: ['src/**/*.test.tsx', 'src/kit/page/**/*.test.ts'],
          setupFiles: ['tools/testing/page-setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'journeys',
          environment: 'node',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['tools/testing/browser.ts'],
          setupFiles: ['e2e/setup.ts'],
          fileParallelism: false,
          testTimeout: 5 * JOURNEY_PATIENCE_MS,
          hookTimeout: 900_000,
          expect: { poll: { timeout: JOURNEY_PATIENCE_MS } },
        },
      },
    ],
  },
})
