import { sql } from 'kysely'
import type { Scope } from '#kit/model/actor.ts'
import type { Label } from '#kit/model/resource.ts'
import type { App } from '#kit/server/app.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { codeKeys, parseCode } from './code.server.ts'
import { child } from './codes/model.ts'
import type { CodeState } from './model.ts'

type Redeemer = { readonly member: Label; readonly redeemedAt: string }

/** Who redeemed these codes, and when: by code, as far as somebody of this scope may see it. */
export const redeemersOf = defineQuestion<{ codeIds: readonly string[]; scope: Scope }, ReadonlyMap<string, Redeemer>>(
  'code-redeemers',
)

export const codeRoutes = serveChild(child, {
  async told(app, codes, { scope }) {
    const redeemed = await ask(app, redeemersOf, { codeIds: codes.map(({ id }) => id), scope })
    return codes.map(({ id }) => redeemed.get(id) ?? { member: null, redeemedAt: null })
  },
})

export type FoundCode = {
  readonly id: string
  readonly batchId: string
  readonly last4: string
  readonly status: CodeState
}

/** The code somebody typed, if there is one. */
export async function findCode(
  app: Pick<App, 'env'>,
  db: Pick<Tx, 'selectFrom'>,
  typed: string,
): Promise<FoundCode | undefined> {
  const code = parseCode(typed)
  if (code === undefined) return undefined
  const found = await db
    .selectFrom('redemption_code')
    .select(['id', 'batch_id', 'last4', 'status'])
    .where('hash', '=', codeKeys(app.env).hash(code))
    .executeTakeFirst()
  return found && { id: found.id, batchId: found.batch_id, last4: found.last4, status: found.status as CodeState }
}

/** Moves one code on, if it still stands where the caller saw it; says whether it did. The batch counts along and is locked. */
export async function moveCode(
  tx: Tx,
  code: Pick<FoundCode, 'id' | 'batchId'>,
  from: CodeState,
  to: CodeState,
): Promise<boolean> {
  const moved = await tx
    .updateTable('redemption_code')
    .set({ status: to })
    .where('id', '=', code.id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst()
  if (!moved) return false
  const step = (of: CodeState) => Number(to === of) - Number(from === of)
  await sql`
    update code_batch set used = used + ${step('REDEEMED')}, voided = voided + ${step('VOID')}
    where id = ${code.batchId}`.execute(tx)
  return true
}
