import { sql } from 'kysely'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { leadForgotten, leadHandedOver } from '#engines/lead/known.server.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'

/** Whose pupil it was is taken out; that a sheet was made, when and by whom stays. */
export const listeners: readonly Listener[] = [
  forgets({
    table: 'name_copybook',
    where: 't.lead_phone = any($2::text[]) or t.lead_id in (select id from lead where member_id = $1)',
    becomes: { name: 'null', lead_phone: 'null', verse: "''", batch: 'null', link: 'null' },
    known: ['name', 'lead_phone'],
  }),
  listen(leadForgotten, async ({ tx }, { leadIds }) => {
    await sql`
      update name_copybook set name = null, lead_phone = null, verse = '', batch = null, link = null, version = version + 1
      where lead_id = any(${leadIds}::bigint[])`.execute(tx)
  }),
  listen(leadHandedOver, async ({ tx }, { leadIds, owner }) => {
    if (owner)
      await sql`
        update name_copybook set owner_id = ${owner.id}, org_id = ${owner.orgId} where lead_id = any(${leadIds}::bigint[])`.execute(
        tx,
      )
  }),
  listen(staffHandedOver, async ({ tx }, { fromId, toId, orgId }) => {
    await sql`update name_copybook set owner_id = ${toId}, org_id = ${orgId} where owner_id = ${fromId}`.execute(tx)
  }),
  listen(staffMoved, async ({ tx }, { staffId, orgId }) => {
    await sql`update name_copybook set org_id = ${orgId} where owner_id = ${staffId}`.execute(tx)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a name sheet keeps no number its lead has not',
    query: `
      select c.id from name_copybook c left join lead l on l.id = c.lead_id
      where c.lead_phone is not null and c.lead_phone is distinct from l.phone`,
  },
]
