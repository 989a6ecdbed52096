import { codeKeys, grouped, lastFour, newCode } from '../../src/areas/products/code-batch/code.server.ts'
import type { Grant } from '../../src/engines/entitlement/model.ts'
import { nextNumber } from '../../src/engines/sequence/server.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import { grantOf } from './commerce.ts'

export type BatchOptions = {
  grants?: readonly Grant[]
  quantity?: number
  status?: 'APPROVED' | 'ACTIVE' | 'PAUSED' | 'CLOSED'
  perPerson?: number
  validFrom?: string
  validTo?: string
}

/** A batch somebody approved, with its codes as they stand on paper. */
export async function codeBatch(
  instance: Instance,
  people: { applicantId: string; approvedBy: string },
  options: BatchOptions = {},
): Promise<{ id: string; codes: string[] }> {
  const { quantity = 1, grants = [grantOf('MEMBER_DAYS', 30)] } = options
  const codes = Array.from({ length: quantity }, newCode)
  const keys = codeKeys(instance.app.env)
  const now = instance.app.clock.now()
  const batchId = await instance.app.db.write(async tx => {
    const { id } = await tx
      .insertInto('code_batch')
      .values({
        batch_no: await nextNumber({ app: instance.app, now }, 'B'),
        name: '学校合作',
        buyer: '第一小学',
        grants: JSON.stringify(grants),
        quantity,
        made: quantity,
        per_person: options.perPerson ?? 1,
        valid_from: options.validFrom ?? '2020-01-01',
        valid_to: options.validTo ?? '2099-12-31',
        status: options.status ?? 'ACTIVE',
        applicant_id: people.applicantId,
        l1_by: people.approvedBy,
        ended_at: now,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('redemption_code')
      .values(codes.map(code => ({ batch_id: id, hash: keys.hash(code), last4: lastFour(code) })))
      .execute()
    return id
  })
  return { id: batchId, codes: codes.map(grouped) }
}
