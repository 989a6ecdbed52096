import { expect } from 'vitest'

/** `pg_stat_activity` would not do: within a transaction it says again what it said first. */
const WAITING = 'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'

/** Until somebody waits for whoever asks; what other tests wait for on the same server does not count. */
export const somebodyWaits = (ask: (sql: string) => Promise<{ readonly rows: readonly unknown[] }>): Promise<void> =>
  expect.poll(async () => (await ask(WAITING)).rows.length).toBeGreaterThan(0)
