import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { codeBatch } from '../tools/testing/codes.ts'
import { enrol } from '../tools/testing/commerce.ts'
import { person, type TestInstance } from '../tools/testing/instance.ts'
import { CALLERS, ROUNDS } from './rounds.ts'
import { accepted, atOnce, naively, openTwoInstances, type TwoInstances } from './two-instances.ts'

const MEMBERS = 20

let two: TwoInstances
let clerk: Awaited<ReturnType<typeof person>>
let members: string[]

beforeAll(async () => {
  two = await openTwoInstances()
  clerk = await person(two.at(0), { grants: { 'order-exchange': ['list', 'redeem'] } })
  members = await atOnce(MEMBERS, () => enrol(two.at(0), { ownerId: clerk.id, orgId: clerk.orgId }))
})

const newCode = async () => {
  const approver = await person(two.at(0))
  const { id, codes } = await codeBatch(two.at(0), { applicantId: clerk.id, approvedBy: approver.id })
  return { batchId: id, code: codes[0] ?? '' }
}

describe('one code under many hands', () => {
  afterAll(async () => {
    expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
  })

  test.each(ROUNDS)('of 200 who redeem it at once for their members, one does (round %i)', async () => {
    const { batchId, code } = await newCode()
    const answers = await atOnce(CALLERS, nth =>
      two.post(nth, clerk, '/orders/redemption/redeem', { code, memberId: members[nth % MEMBERS] }),
    )
    expect(accepted(answers)).toBe(1)
    expect(answers.filter(({ code: said }) => said === 4006)).toHaveLength(CALLERS - 1)
    const { used } = await two
      .at(1)
      .app.db.query.selectFrom('code_batch')
      .select('used')
      .where('id', '=', batchId)
      .executeTakeFirstOrThrow()
    expect(used).toBe(1)
  })
})

test('a build that looks first and writes later redeems it more than once', async () => {
  const { batchId } = await newCode()
  const isUnused = async ({ app }: TestInstance) => {
    const code = app.db.query.selectFrom('redemption_code').select('status').where('batch_id', '=', batchId)
    return (await code.executeTakeFirstOrThrow()).status === 'UNUSED'
  }
  const redeem = ({ app }: TestInstance) =>
    app.db.query.updateTable('redemption_code').set({ status: 'REDEEMED' }).where('batch_id', '=', batchId).execute()
  expect(await naively(two, CALLERS, isUnused, redeem)).toBeGreaterThan(1)
})
