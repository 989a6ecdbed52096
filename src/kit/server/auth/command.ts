import { randomUUID } from 'node:crypto'
import type { Diff } from '../change/audit.ts'
import type { Tx } from '../database/database.ts'

/** A line of the operation log for what was done from the command line, where nobody is signed in. */
export async function recordCommand(
  tx: Tx,
  entry: { at: Date; page: string; action: string; recordId: string; diff: Diff },
): Promise<void> {
  await tx
    .insertInto('operation_log')
    .values({
      at: entry.at,
      actor_id: null,
      actor_name: 'command line',
      address: '',
      request_id: randomUUID(),
      page: entry.page,
      action: entry.action,
      record_id: entry.recordId,
      diff: JSON.stringify(entry.diff),
      code: 0,
    })
    .execute()
}
