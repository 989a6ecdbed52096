import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { codeBatch } from '../tools/testing/codes.ts'
import { enrol, grantOf, offer } from '../tools/testing/commerce.ts'
import { makeKit, shelve } from '../tools/testing/goods.ts'
import { openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { putInForce } from '../tools/testing/settings.ts'
import { goodsCommands } from './commands-goods.ts'
import { moneyCommands } from './commands-money.ts'
import { CODES, COINS, DAYS, L2_FEN, Model, PER_PERSON, type People, PIECES, PRICE_FEN, Real, SHELF } from './model.ts'
import { STEPS, stepsTaken } from './steps.ts'

const STEPS_A_RUN = 100

describe('money, goods and rights in any order of events', () => {
  let instance: TestInstance
  let people: People

  beforeAll(async () => {
    instance = await openTestInstance()
    await putInForce(instance, 'refund.l2Fen', L2_FEN)
    // Work by the clock would come between two steps; the model asks for what it wants itself.
    await instance.house.stop()
    const hold = (grants: Record<string, string[]>) =>
      person(instance, {
        grants: { 'order-list': ['list', 'detail'], 'order-refundApply': ['list', 'detail'], ...grants },
      })
    people = {
      asker: await hold({
        'order-list': ['list', 'detail', 'close', 'changePrice', 'sendAgain'],
        'order-refundApply': ['list', 'detail', 'create', 'withdraw'],
      }),
      manager: await hold({ 'order-refundApply': ['list', 'detail', 'approve', 'reject'] }),
      finance: await hold({ 'order-refundApply': ['list', 'detail', 'approveL2'] }),
      cashier: await hold({ 'order-refundApply': ['list', 'detail', 'pay', 'retry'] }),
      examiner: await hold({ 'order-examine': ['list', 'detail', 'approve', 'reject'] }),
      clerk: await hold({
        'order-exchange': ['list', 'detail', 'redeem', 'undo'],
        'order-examineSend': ['list', 'detail', 'approve', 'reject'],
        'order-sendGoods': ['list', 'detail', 'send'],
        'order-logistics': ['list', 'detail', 'receiveBack'],
        'base-product': ['list', 'detail', 'stockIn'],
      }),
    }
  })

  /** A member, a product and codes of its own for every run, so that runs do not meet. */
  async function begin() {
    const baseProductId = await shelve(instance, SHELF)
    const kitId = await makeKit(instance, [{ id: baseProductId, quantity: PIECES }])
    const grants = [
      grantOf('COINS', COINS, 500),
      grantOf('MEMBER_DAYS', DAYS, 300),
      grantOf('GOODS', 1, 200, { kitId }),
    ]
    const { codes } = await codeBatch(
      instance,
      { applicantId: people.asker.id, approvedBy: people.manager.id },
      { grants, quantity: CODES, perPerson: PER_PERSON },
    )
    const memberId = await enrol(instance)
    const productId = await offer(instance, grants, { priceFen: PRICE_FEN })
    return { model: new Model(), real: new Real(instance, people, { memberId, productId, baseProductId, codes }) }
  }

  test('the console agrees with a small model after every step', async () => {
    const steps = fc.commands([...moneyCommands, ...goodsCommands], { maxCommands: STEPS_A_RUN, size: 'max' })
    await fc.assert(
      fc.asyncProperty(steps, given => fc.asyncModelRun(begin, given)),
      // A run takes a third of its steps on the average; when all are taken the rest of the runs is empty.
      { numRuns: (6 * STEPS) / STEPS_A_RUN },
    )
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
    expect(stepsTaken()).toBe(STEPS)
  }, 3_600_000)
})
