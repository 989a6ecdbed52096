import { sql } from 'kysely'
import type { App, Change } from '#kit/server/app.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { codeKeys, lastFour, newCode } from './code.server.ts'

const MAKE = 'make-codes'
const VOID = 'void-codes'
/** Made without a pause: few enough that other calls hardly wait. */
const AT_ONCE = 1_000
const VOIDED_AT_ONCE = 5_000

type Asked = { readonly batchId: string }

/** Codes are made after the approval, however many: whoever approves does not wait, and a server that dies goes on later. */
export const askForCodes = (change: Change, batchId: string) =>
  deliver(change, { kind: MAKE, key: batchId, payload: { batchId } satisfies Asked })

export const makingCodes = defineDelivery<Asked, null>({
  kind: MAKE,
  async call(app, { batchId }) {
    while (await makeSome(app, batchId));
    return null
  },
  settle: async () => {},
})

/** The next part of a batch, counted in the same transaction; says whether there may be more to make. */
const makeSome = (app: App, batchId: string): Promise<boolean> =>
  app.db.write(async tx => {
    const batch = await tx
      .selectFrom('code_batch')
      .select(['quantity', 'made', 'status'])
      .where('id', '=', batchId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const missing = batch.status === 'CLOSED' ? 0 : Math.min(AT_ONCE, batch.quantity - batch.made)
    if (missing === 0) return false
    const keys = codeKeys(app.env)
    const codes = Array.from({ length: missing }, newCode)
    await sql`
      insert into redemption_code (batch_id, hash, last4)
      select ${batchId}, * from unnest(${codes.map(keys.hash)}::bytea[], ${codes.map(lastFour)}::text[])`.execute(tx)
    await tx
      .insertInto('sealed_codes')
      .values({ batch_id: batchId, part: batch.made + missing, sealed: keys.seal(codes, batchId) })
      .execute()
    await sql`update code_batch set made = made + ${missing} where id = ${batchId}`.execute(tx)
    return true
  })

/** What a closed batch has left becomes void after it: nobody can redeem it meanwhile. */
export const askForVoiding = (change: Change, batchId: string) =>
  deliver(change, { kind: VOID, key: batchId, payload: { batchId } satisfies Asked })

export const voidingCodes = defineDelivery<Asked, null>({
  kind: VOID,
  async call(app, { batchId }) {
    while (await voidSome(app, batchId));
    return null
  },
  settle: async () => {},
})

const voidSome = (app: App, batchId: string): Promise<boolean> =>
  app.db.write(async tx => {
    await tx.selectFrom('code_batch').select('id').where('id', '=', batchId).forUpdate().execute()
    const { rows } = await sql`
      update redemption_code set status = 'VOID' where id in (
        select id from redemption_code where batch_id = ${batchId} and status = 'UNUSED' limit ${VOIDED_AT_ONCE})
      returning id`.execute(tx)
    await sql`update code_batch set voided = voided + ${rows.length} where id = ${batchId}`.execute(tx)
    return rows.length > 0
  })
