import { belongs, staffHandedOver } from '#areas/organisation/staff/belongings.server.ts'
import { holdersSql } from '#kit/server/access/rights.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import { binder } from '#kit/server/list/scope.ts'
import { resource, WITH_CODES } from './model.ts'

const { name, key: page } = resource.screen

/** Codes that are out with somebody and can still be read here: nobody else may take them out, or say that they arrived. */
const UNCONFIRMED = `exported_by is not null and confirmed_at is null and status in (${WITH_CODES.map(state => `'${state}'`).join(', ')})`

const FREED = 'exported_by = null, exported_at = null, checksum = null, version = version + 1'

/**
 * The file goes on to whoever takes over, if that person may take codes out: confirmed with the same checksum, or taken out once more.
 * Otherwise this export is void, and whoever may makes another.
 */
async function passOn({ tx, call }: Change, { fromId, toId }: { fromId: string; toId: string }): Promise<void> {
  const { bind, values } = binder()
  const to = bind(toId)
  const [holder] = await run(
    tx,
    `select 1 as holds where ${to}::bigint in (${holdersSql({ page, action: 'exportCodes' }, bind)})`,
    values,
  )
  const set = holder ? 'exported_by = $2, version = version + 1' : FREED
  const batches = await run(
    tx,
    `update code_batch set ${set} where exported_by = $1 and ${UNCONFIRMED} returning id`,
    holder ? [fromId, toId] : [fromId],
  )
  const diff = diffOf(resource, { exportedBy: fromId }, { exportedBy: holder ? toId : null })
  for (const { id } of batches) await record(tx, call, { page, action: 'exportCodes', recordId: String(id), diff })
}

export const listeners: readonly Listener[] = [
  belongs({ what: `${name}:unconfirmed`, table: resource.table, where: `exported_by = $1 and ${UNCONFIRMED}` }),
  listen(staffHandedOver, passOn),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'nobody who has left is the only one to take codes out, or to confirm them',
    query: `
      select b.id, b.exported_by from code_batch b join staff s on s.id = b.exported_by
      where s.employment = 'LEFT' and ${UNCONFIRMED.replaceAll('status', 'b.status')}`,
    repair: `
      update code_batch set ${FREED}
      where ${UNCONFIRMED} and exported_by in (select id from staff where employment = 'LEFT')`,
  },
]
