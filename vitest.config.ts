import { defineConfig } from 'vitest/config'
import { textBundles } from './tools/vite-plugins.ts'

/** Patient with what comes late on busy cores: a test is red because something never comes, or for its own bound. */
const shared = { isolate: false, testTimeout: 20_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } }

export default defineConfig({
  test: {
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
          testTimeout: 120_000,
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
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
