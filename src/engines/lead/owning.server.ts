import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { leadHandedOver } from './known.server.ts'
import type { Got, Owner } from './model.ts'

/** Locks an open lead before what hangs on it. */
export const lockLead = ({ tx }: Pick<Change, 'tx'>, leadId: string) =>
  tx.selectFrom('lead').select('id').where('id', '=', leadId).forUpdate().execute()

/** Puts open leads into somebody's hands, or without an owner back into the pool; those already there stay as they are. */
export async function giveLeads(
  change: Change,
  leadIds: readonly string[],
  owner: Owner | null,
  got: Got,
): Promise<void> {
  const { tx, now, call } = change
  const { rows } = await sql<{ id: string }>`
    select id from lead where id = any(${leadIds}::bigint[]) and ended_at is null and owner_id is distinct from ${owner?.id ?? null}::bigint
    order by id for update`.execute(tx)
  const moved = rows.map(({ id }) => id)
  if (moved.length === 0) return
  await sql`update lead_owner set until = ${now} where lead_id = any(${moved}::bigint[]) and until is null`.execute(tx)
  await sql`
    update lead set owner_id = ${owner?.id ?? null}, org_id = ${owner?.orgId ?? null}, owner_since = ${owner ? now : null},
      status = ${owner ? 'ASSIGNED' : 'UNASSIGNED'}, version = version + 1
    where id = any(${moved}::bigint[])`.execute(tx)
  if (owner)
    await sql`
      insert into lead_owner (lead_id, owner_id, org_id, since, got, by_id)
      select id, ${owner.id}, ${owner.orgId}, ${now}, ${got}, ${call.actor?.id ?? null} from unnest(${moved}::bigint[]) as id`.execute(
      tx,
    )
  await announce(change, leadHandedOver, { leadIds: moved, owner })
}

/** All open leads of whoever leaves become somebody else's; ended ones are seen by whoever has the records from now on. */
export async function handOverLeads(change: Change, fromId: string, owner: Owner): Promise<void> {
  const open = await leadsOf(change.tx, fromId)
  await giveLeads(change, open, owner, 'HANDED_OVER')
  const { rows } = await sql<{ id: string }>`
    update lead set owner_id = ${owner.id}, org_id = ${owner.orgId} where owner_id = ${fromId} returning id`.execute(
    change.tx,
  )
  if (rows.length > 0) await announce(change, leadHandedOver, { leadIds: rows.map(({ id }) => id), owner })
}

/** What somebody owns is seen by the department that person works in from now on. */
export async function moveLeads(change: Change, { id, orgId }: Owner): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update lead set org_id = ${orgId} where owner_id = ${id} returning id`.execute(change.tx)
  if (rows.length > 0)
    await announce(change, leadHandedOver, { leadIds: rows.map(lead => lead.id), owner: { id, orgId } })
}

const leadsOf = async (tx: Tx, ownerId: string): Promise<string[]> => {
  const rows = await tx
    .selectFrom('lead')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
