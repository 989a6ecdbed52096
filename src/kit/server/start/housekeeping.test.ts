import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openTestInstance } from '../../../../tools/testing/instance.ts'
import { sweepStorage } from './housekeeping.ts'

test('a sweep of files that waits for its storage stays the only one, however long it takes', async () => {
  const { app } = await openTestInstance()
  vi.spyOn(app.files, 'removeUnknown').mockImplementation(() => sleep(400, 0))
  await app.db.write(async tx => {
    await sql`set local idle_in_transaction_session_timeout = 100`.execute(tx)
    await sweepStorage(app, tx)
    expect((await sql`select 1 as here`.execute(tx)).rows).toEqual([{ here: 1 }])
  })
})
