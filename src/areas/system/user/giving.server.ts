import { sql } from 'kysely'
import { type Actor, letsCopy } from '#kit/model/actor.ts'
import type { Language } from '#kit/model/language.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { type Excess, excessOf, powersOf } from '#kit/server/access/giving.ts'
import { rightsOfRoles } from '#kit/server/access/rights.ts'
import type { App } from '#kit/server/app.ts'
import { grantRole, revokeRole } from '#kit/server/auth/access.ts'
import { actionName, codeName } from '#kit/server/auth/permission-name.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { OfferedRole, User } from './model.ts'
import { resource } from './model.ts'

type To = Pick<User, 'id' | 'orgId'>
type Known = { readonly id: string; readonly code: string; readonly name: string }

/** Gives somebody exactly these roles, in force at the next call on every instance; tells what they are called. */
export async function giveRoles(op: Operation, to: To, roleIds: readonly string[]) {
  const { app, tx } = op
  // What they hold is judged: nobody adds to them meanwhile.
  await sql`select id from role where id = any(${roleIds}::bigint[]) order by id for share`.execute(tx)
  const known = await tx.selectFrom('role').select(['id', 'code', 'name']).orderBy('id').execute()
  const held = await tx.selectFrom('staff_role').select('role_id').where('staff_id', '=', to.id).execute()
  const wanted = known.filter(({ id }) => roleIds.includes(id))
  if (wanted.length < new Set(roleIds).size) throw onField('roleIds', refuse('role-unknown'))
  const isHeld = (id: string) => held.some(({ role_id }) => role_id === id)
  const added = wanted.filter(({ id }) => !isHeld(id))
  const before = await powersOf(
    tx,
    held.map(({ role_id }) => role_id),
    to,
  )
  const after = await powersOf(tx, roleIds, to)
  const excess = added.length > 0 && (await excessOf(tx, op.actor, { before, after, to }))
  if (excess) throw onField('roleIds', await whyNot(op, excess, added))
  for (const { code } of added) await grantRole(tx, app, to.id, code)
  for (const { id, code } of known) if (isHeld(id) && !roleIds.includes(id)) await revokeRole(tx, app, to.id, code)
  return { roleIds: wanted.map(({ id }) => id), roleNames: wanted.map(({ name }) => name) }
}

/** Whoever sets somebody's password could sign in as him: refused where that would lift the one who asks. */
export async function requireNoLift(op: Operation, of: To & Pick<User, 'roleIds'>): Promise<void> {
  const excess = await excessOf(op.tx, op.actor, { after: await powersOf(op.tx, of.roleIds, of), to: of })
  if (!excess) return
  const roles = await op.tx
    .selectFrom('role')
    .select(['id', 'code', 'name'])
    .where('id', 'in', of.roleIds)
    .orderBy('id')
    .execute()
  throw new Refused(await whyNot(op, excess, roles))
}

/** In words, with the role of these that brings it. */
async function whyNot({ app, tx, call }: Operation, excess: Excess, roles: readonly Known[]): Promise<Refusal> {
  const { name = '' } = (await bringing(tx, excess, roles)) ?? roles[0] ?? {}
  return inWords(app, call.language, name, excess)
}

async function bringing(tx: Operation['tx'], excess: Excess, roles: readonly Known[]): Promise<Known | undefined> {
  if (excess === 'everything') return undefined
  if (excess === 'copying') return roles.find(({ code }) => letsCopy(code))
  const ids = roles.map(({ id }) => id)
  const found = (await rightsOfRoles(tx, ids)).find(({ page }) => page === excess.page)
  return roles.find(({ id }) => id === found?.roleId)
}

function inWords(app: App, language: Language, role: string, excess: Excess): Refusal {
  if (excess === 'everything') return refuse('role-admin', { role })
  if (excess === 'copying') return refuse('role-copies', { role })
  const { lacks, page, action } = excess
  if (lacks === 'reach') return refuse('role-reaches', { role })
  const title = codeName(app, language, { resourceCode: page, displayName: page })
  const right = action === null ? title : `${title} · ${actionName(app, language, page, action)}`
  return refuse('role-exceeds', { role, right })
}

/** All roles, those closed to this giver with the reason: as far as that can be said before it is known to whom. */
export async function offeredRoles(app: App, giver: Actor, language: Language): Promise<OfferedRole[]> {
  const { query } = app.db
  const roles = await query.selectFrom('role').select(['id', 'name']).orderBy('id').execute()
  const offered: OfferedRole[] = []
  for (const { id, name } of roles) {
    const excess = await excessOf(query, giver, { after: await powersOf(query, [id], giver), to: giver })
    const refusal = excess && inWords(app, language, name, excess)
    const why = refusal && app.texts.text(language, resource.screen.name, refusal.code, refusal.params)
    offered.push({ id, name, why: why ?? null })
  }
  return offered
}
