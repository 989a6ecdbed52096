import { createHash } from 'node:crypto'
import type { Actor } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Call } from '../call.ts'
import type { Tx } from '../database/database.ts'

/**
 * One effect per key the caller sends; without one, one per call. The key's row is written in the effect's own transaction: a second caller waits at the unique key
 * until the first has ended, then gets the first one's answer; after a refusal or a crash there is no row, and it may try.
 * A call with several effects names each by its part.
 */
export async function once<T>(
  tx: Tx,
  call: Call,
  route: string,
  body: unknown,
  effect: () => Promise<T>,
  part?: string,
): Promise<T> {
  const sent = call.header('idempotency-key')
  const actor = call.actor as Actor
  if (sent === undefined) return effect()
  const key = part === undefined ? sent : `${sent} ${part}`
  if (key.length > 255) throw new Refused(refuse('kit:parameter-invalid', { name: 'Idempotency-Key' }), 'parameter')
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const mine = await tx
    .insertInto('idempotency')
    .values({ actor_id: actor.id, key, route, body_hash: hash, answer: 'null', created_at: call.now })
    .onConflict(conflict => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!mine) return earlier<T>(tx, actor, key, route, hash)
  const answer = await effect()
  await tx
    .updateTable('idempotency')
    .set({ answer: JSON.stringify(answer) })
    .where('actor_id', '=', actor.id)
    .where('key', '=', key)
    .execute()
  return answer
}

async function earlier<T>(tx: Tx, actor: Actor, key: string, route: string, hash: string): Promise<T> {
  const first = await tx
    .selectFrom('idempotency')
    .select(['route', 'body_hash', 'answer'])
    .where('actor_id', '=', actor.id)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (first.route !== route || first.body_hash !== hash)
    throw new Refused(refuse('kit:idempotency-key-reused'), 'conflict')
  return first.answer as T
}
