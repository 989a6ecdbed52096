import { sql } from 'kysely'
import { type StaffHandedOver, staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { holdersSql } from '#kit/server/access/rights.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { announce, listen } from '#kit/server/change/announce.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import { binder } from '#kit/server/list/scope.ts'
import { memberHandedOver, memberTaught, writeOwnerChange } from './handing-over.server.ts'
import { resource } from './model.ts'

/** The members somebody owns or teaches, locked in the order everybody locks them in. */
async function lockMembers({ tx }: Change, field: 'owner_id' | 'teacher_id', staffId: string): Promise<string[]> {
  const rows = await run(tx, `select id from member where ${field} = $1 order by id for update`, [staffId])
  return rows.map(({ id }) => String(id))
}

/** Members go only to people whose job it is, however many they are. */
async function requireRight({ tx }: Change, action: 'own' | 'teach', { toId, toName }: StaffHandedOver): Promise<void> {
  const { bind, values } = binder()
  const place = bind(toId)
  const holders = holdersSql({ page: resource.screen.key, action }, bind)
  const [holder] = await run(tx, `select 1 as holds where ${place}::bigint in (${holders})`, values)
  if (holder) return
  const code = action === 'own' ? 'members/member:cannot-own' : 'members/member:cannot-teach'
  throw onField('successorId', refuse(code, { name: toName }))
}

async function giveMembers(change: Change, to: StaffHandedOver): Promise<void> {
  const memberIds = await lockMembers(change, 'owner_id', to.fromId)
  if (memberIds.length === 0) return
  await requireRight(change, 'own', to)
  const { tx, now, call } = change
  await sql`
    update member set owner_id = ${to.toId}, org_id = ${to.orgId}, owner_since = ${now}, version = version + 1
    where id = any(${memberIds}::bigint[])`.execute(tx)
  const diff = diffOf(resource, { ownerId: to.fromId }, { ownerId: to.toId })
  for (const memberId of memberIds) {
    await writeOwnerChange(change, { memberId, fromId: to.fromId, toId: to.toId, reason: '' })
    await record(tx, call, { page: resource.screen.key, action: 'assignOwner', recordId: memberId, diff })
  }
  await announce(change, memberHandedOver, { memberIds, ownerId: to.toId, orgId: to.orgId })
}

async function givePupils(change: Change, to: StaffHandedOver): Promise<void> {
  const memberIds = await lockMembers(change, 'teacher_id', to.fromId)
  if (memberIds.length === 0) return
  await requireRight(change, 'teach', to)
  const { tx, call } = change
  await sql`update member set teacher_id = ${to.toId}, version = version + 1 where id = any(${memberIds}::bigint[])`.execute(
    tx,
  )
  const diff = diffOf(resource, { teacherId: to.fromId }, { teacherId: to.toId })
  for (const memberId of memberIds)
    await record(tx, call, { page: resource.screen.key, action: 'bindTeacher', recordId: memberId, diff })
  await announce(change, memberTaught, { memberIds, teacherId: to.toId })
}

export const listeners: readonly Listener[] = [
  listen(staffHandedOver, async (change, to) => {
    await giveMembers(change, to)
    await givePupils(change, to)
    change.app.counts.drop(resource.table)
  }),
  listen(staffMoved, async (change, { staffId, orgId }) => {
    const memberIds = await lockMembers(change, 'owner_id', staffId)
    await sql`update member set org_id = ${orgId} where id = any(${memberIds}::bigint[])`.execute(change.tx)
    await announce(change, memberHandedOver, { memberIds, ownerId: staffId, orgId })
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: "a member is in the owner's department",
    query: `
      select m.id, m.org_id, s.org_id as owner_org from member m join staff s on s.id = m.owner_id
      where m.org_id is distinct from s.org_id`,
    repair: `
      update member m set org_id = s.org_id from staff s
      where s.id = m.owner_id and m.org_id is distinct from s.org_id`,
  },
  {
    name: 'who has left owns no member and teaches none',
    query: `
      select s.id, m.id as member_id from staff s join member m on m.owner_id = s.id or m.teacher_id = s.id
      where s.employment = 'LEFT'`,
  },
]
