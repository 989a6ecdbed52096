import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/invariants.ts'
import { codeBatch } from '../../../../tools/testing/codes.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  caller,
  cloneDatabase,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'

/** A tenth of the rounds of the long profile. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 2)
const CALLERS = 200

describe('one code, two instances', () => {
  let first: TestInstance
  let second: TestInstance

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    first = await openTestInstance({ url })
    second = await openTestInstance({ url })
  })

  const newCode = async (clerk: { id: string }) => {
    const { id, codes } = await codeBatch(first, { applicantId: clerk.id, approvedBy: (await person(first)).id })
    return { batchId: id, code: codes[0] ?? '' }
  }

  test(`of ${CALLERS} who redeem it at once for their members, one does`, async () => {
    const clerk = await person(first, { grants: { 'order-exchange': ['list', 'redeem'] } })
    const elsewhere = caller(second, clerk.id, clerk.token)
    const members = await Promise.all(
      Array.from({ length: 20 }, () => enrol(first, { ownerId: clerk.id, orgId: clerk.orgId })),
    )
    for (let round = 0; round < ROUNDS; round += 1) {
      const { batchId, code } = await newCode(clerk)
      const redeem = (n: number) =>
        (n % 2 ? clerk : elsewhere).post(
          '/orders/redemption/redeem',
          { code, memberId: members[n % members.length] },
          { 'idempotency-key': randomUUID() },
        )
      const answers = await Promise.all(Array.from({ length: CALLERS }, (_, n) => redeem(n)))
      expect(answers.filter(({ code: said }) => said === 0)).toHaveLength(1)
      expect(answers.filter(({ code: said }) => said === 4006)).toHaveLength(CALLERS - 1)
      const { used } = await first.app.db.query
        .selectFrom('code_batch')
        .select('used')
        .where('id', '=', batchId)
        .executeTakeFirstOrThrow()
      expect(used).toBe(1)
    }
    expect(await findBroken(first.app.db, first.app.catalogue)).toEqual([])
  })

  test('reading the state first and writing later would redeem it more than once', async () => {
    const clerk = await person(first)
    const { batchId } = await newCode(clerk)
    const code = await first.app.db.query
      .selectFrom('redemption_code')
      .select('id')
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow()
    const naive = async ({ app }: TestInstance) => {
      const { status } = await app.db.query
        .selectFrom('redemption_code')
        .select('status')
        .where('id', '=', code.id)
        .executeTakeFirstOrThrow()
      if (status !== 'UNUSED') return false
      await app.db.query.updateTable('redemption_code').set({ status: 'REDEEMED' }).where('id', '=', code.id).execute()
      return true
    }
    const answers = await Promise.all(Array.from({ length: CALLERS }, (_, n) => naive(n % 2 ? first : second)))
    expect(answers.filter(done => done).length).toBeGreaterThan(1)
  })
})
