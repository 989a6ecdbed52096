import { sql } from 'kysely'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { underNumber } from './leads.server.ts'
import { resource } from './model.ts'

/** The number a member, whose row is locked, is known by and signs in with; `reason` stands in the timeline. */
export async function changePhone(op: Operation, id: string, phone: string, reason: string): Promise<void> {
  const before = await phoneOf(op, id)
  await underNumber(op, { phone }, async () => {
    await writeChange(op, resource, { id, phone: before }, { phone }, 'changePhone', { reason })
    // Shown nowhere: by it whatever still holds the number is found when the account is closed.
    await sql`update member set former_phones = array_append(former_phones, ${before}) where id = ${id} and ${before}::text is not null`.execute(
      op.tx,
    )
    return id
  })
}

export const phoneOf = async ({ tx }: Operation, id: string): Promise<string | null> =>
  (await tx.selectFrom('member').select('phone').where('id', '=', id).executeTakeFirstOrThrow()).phone
