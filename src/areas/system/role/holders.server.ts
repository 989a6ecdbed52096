import { onField, refuse } from '#kit/model/refusal.ts'
import { excessOf, type Powers, powersOf } from '#kit/server/access/giving.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { MOST_HOLDERS } from './model.ts'
import { inWords } from './permission-tree.server.ts'

type Held = {
  readonly id: string
  readonly orgId: string
  readonly name: string
  readonly roleIds: readonly string[]
  readonly before: Powers
}

/** Those who hold a role, with all they may do as it stands. Whoever may give everything is not asked about anybody. */
export async function powersOfHolders({ tx, actor }: Operation, roleId: string | undefined): Promise<Held[]> {
  if (roleId === undefined || actor.superAdmin) return []
  const holders = await tx
    .selectFrom('staff_role as sr')
    .innerJoin('staff as p', 'p.id', 'sr.staff_id')
    .select(['p.id', 'p.org_id as orgId', 'p.name', 'p.role_ids as roleIds'])
    .where('sr.role_id', '=', roleId)
    .limit(MOST_HOLDERS + 1)
    .execute()
  if (holders.length > MOST_HOLDERS) throw onField('permissions', refuse('held-by-many', { most: MOST_HOLDERS }))
  const held: Held[] = []
  for (const { roleIds, ...holder } of holders) {
    const ids = roleIds as readonly string[]
    held.push({ ...holder, roleIds: ids, before: await powersOf(tx, ids, holder) })
  }
  return held
}

/**
 * The same role reaches further for somebody who stands higher up: what a change gives to each of its holders must be the
 * giver's own to give. Asked after the rows are written.
 */
export async function requireNothingBeyond(op: Operation, held: readonly Held[]): Promise<void> {
  for (const { before, name, roleIds, ...to } of held) {
    const excess = await excessOf(op.tx, op.actor, { before, after: await powersOf(op.tx, roleIds, to), to })
    // What a role is called stays as it is.
    if (!excess || excess === 'everything' || excess === 'copying') continue
    const { page, action } = excess
    const right = inWords(op.app, op.call.language, [action === null ? page : `${page}:${action}`])
    throw onField('scope', refuse('holder-beyond', { name, right }))
  }
}
