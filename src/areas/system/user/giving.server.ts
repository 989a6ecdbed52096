import type { Actor } from '#kit/model/actor.ts'
import type { Language } from '#kit/model/language.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { type Excess, excessOf } from '#kit/server/access/giving.ts'
import type { App } from '#kit/server/app.ts'
import { grantRole, revokeRole } from '#kit/server/auth/access.ts'
import { actionName, codeName } from '#kit/server/auth/permission-name.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { OfferedRole, User } from './model.ts'
import { resource } from './model.ts'

/** Gives somebody exactly these roles, in force at the next call on every instance; tells what they are called. */
export async function giveRoles(op: Operation, to: Pick<User, 'id' | 'orgId'>, roleIds: readonly string[]) {
  const { app, tx } = op
  const known = await tx.selectFrom('role').select(['id', 'code', 'name']).orderBy('id').execute()
  const held = await tx.selectFrom('staff_role').select('role_id').where('staff_id', '=', to.id).execute()
  const wanted = known.filter(({ id }) => roleIds.includes(id))
  if (wanted.length < new Set(roleIds).size) throw onField('roleIds', refuse('role-unknown'))
  const isHeld = (id: string) => held.some(({ role_id }) => role_id === id)
  const added = wanted.filter(({ id }) => !isHeld(id))
  const excess = await excessOf(
    tx,
    op.actor,
    added.map(({ id }) => id),
    to,
  )
  for (const { id, name } of added) {
    const more = excess.get(id)
    if (more) throw onField('roleIds', whyNot(app, op.call.language, name, more))
  }
  for (const { code } of added) await grantRole(tx, app, to.id, code)
  for (const { id, code } of known) if (isHeld(id) && !roleIds.includes(id)) await revokeRole(tx, app, to.id, code)
  return { roleIds: wanted.map(({ id }) => id), roleNames: wanted.map(({ name }) => name) }
}

/** Whoever sets somebody's password could sign in as him: refused where that would lift the one who asks. */
export async function requireNoLift({ app, tx, actor, call }: Operation, of: Pick<User, 'id' | 'orgId' | 'roleIds'>) {
  const excess = await excessOf(tx, actor, of.roleIds, of)
  const roles = await tx
    .selectFrom('role')
    .select(['id', 'name'])
    .where('id', 'in', [...excess.keys(), '0'])
    .execute()
  for (const { id, name } of roles) {
    const more = excess.get(id)
    if (more) throw new Refused(whyNot(app, call.language, name, more))
  }
}

function whyNot(app: App, language: Language, role: string, excess: Excess): Refusal {
  if (excess === 'everything') return refuse('role-admin', { role })
  if (excess === 'reach') return refuse('role-reaches', { role })
  const { page, action } = excess
  const title = codeName(app, language, { resourceCode: page, displayName: page })
  const right = action === null ? title : `${title} · ${actionName(app, language, page, action)}`
  return refuse('role-exceeds', { role, right })
}

/** All roles, those closed to this giver with the reason: as far as that can be said before it is known to whom. */
export async function offeredRoles(app: App, giver: Actor, language: Language): Promise<OfferedRole[]> {
  const roles = await app.db.query.selectFrom('role').select(['id', 'name']).orderBy('id').execute()
  const excess = await excessOf(
    app.db.query,
    giver,
    roles.map(({ id }) => id),
    giver,
  )
  const inWords = (refusal: Refusal) => app.texts.text(language, resource.screen.name, refusal.code, refusal.params)
  return roles.map(({ id, name }) => {
    const more = excess.get(id)
    return { id, name, why: more ? inWords(whyNot(app, language, name, more)) : null }
  })
}
