import { sql } from 'kysely'
import * as z from 'zod'
import { type Scope, scopeOf } from '#kit/model/actor.ts'
import { PAGE_SIZES } from '#kit/model/contract.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Label } from '#kit/model/resource.ts'
import type { App } from '#kit/server/app.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { binder } from '#kit/server/list/scope.ts'
import { codeKeys, parseCode } from './code.server.ts'
import { CODE_STATES, type CodeState, resource } from './model.ts'

const { name, key } = resource.screen
const state = z.enum(Object.keys(CODE_STATES) as [CodeState, ...CodeState[]])
const label = z.strictObject({
  id: z.string(),
  name: z.string(),
  note: z.string().nullable(),
  tone: z.string().nullable(),
})

type Redeemer = { readonly member: Label; readonly redeemedAt: string }

/** Who redeemed these codes, and when: by code, as far as somebody of this scope may see it. */
export const redeemersOf = defineQuestion<{ codeIds: readonly string[]; scope: Scope }, ReadonlyMap<string, Redeemer>>(
  'code-redeemers',
)

/** The codes of one batch, by their last four characters. Whose a code is, is told to those who may see that redemption. */
export const codesRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${name}/:id/codes`,
    texts: name,
    access: { page: key, action: 'detail' },
    params: idParams,
    query: z.strictObject({
      current: z.coerce.number().int().min(1).max(100_000).default(1),
      size: z.coerce
        .number()
        .refine(size => PAGE_SIZES.some(option => option === size))
        .default(PAGE_SIZES[0]),
      status: state.optional(),
    }),
    answer: z.strictObject({
      records: z.array(
        z.strictObject({
          id: z.string(),
          last4: z.string(),
          status: state,
          member: label.nullable(),
          redeemedAt: z.string().nullable(),
        }),
      ),
      total: z.int(),
    }),
    summary: 'One page of the codes of a batch.',
    async handle(call, { params, query: { current, size, status } }) {
      const batch = await app.db.query
        .selectFrom('code_batch')
        .select(['made', 'used', 'voided'])
        .where('id', '=', params.id)
        .executeTakeFirst()
      if (!batch) throw new Refused(refuse('kit:record-missing'), 'not-found')
      const totals = { UNUSED: batch.made - batch.used - batch.voided, REDEEMED: batch.used, VOID: batch.voided }
      const { bind, values } = binder()
      const codes = await app.db.read.planned(
        `select id, last4, status from redemption_code
         where batch_id = ${bind(params.id)}${status ? ` and status = ${bind(status)}` : ''}
         order by id limit ${size} offset ${(current - 1) * size}`,
        values,
      )
      const scope = scopeOf(call.actor, key)
      const redeemed = await ask(app, redeemersOf, { codeIds: codes.map(({ id }) => String(id)), scope })
      const records = codes.map(code => ({
        id: code.id,
        last4: code.last4,
        status: code.status,
        ...(redeemed.get(String(code.id)) ?? { member: null, redeemedAt: null }),
      }))
      return { records, total: status ? totals[status] : batch.made }
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
