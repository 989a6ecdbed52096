import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'

const PATH = '/account/settings-notifications'
const REFUND = 'order-refundApply'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
  await instance.house.stop()
})

const mails = (staffId: string) =>
  instance.app.db.query
    .selectFrom('message')
    .select(['channel', 'email', 'title', 'body', 'status', 'cause'])
    .where('staff_id', '=', staffId)
    .orderBy('id')
    .execute()

test('whoever wants it gets a mail when others decide on what he asked for, which names neither record nor member', async () => {
  const asker = await person(instance, {
    grants: { 'order-list': ['list', 'detail'], [REFUND]: ['list', 'detail', 'create'] },
    scope: 'SELF',
  })
  const decider = await person(instance, { grants: { [REFUND]: ['list', 'detail', 'reject'] } })
  const ask = async () => {
    const orderId = await placeOrder(instance, { ownerId: asker.id, orgId: asker.orgId, memberName: '陈小雨' })
    const key = { 'idempotency-key': randomUUID() }
    return (await asker.post<{ id: string }>('/orders/refund-application', refundBody(orderId, 3_000), key)).data.id
  }
  const reject = async (id: string) =>
    expect((await decider.post(`/orders/refund-application/${id}/reject`, { reason: '资料不全' })).code).toBe(0)
  await reject(await ask())
  expect(await mails(asker.id)).toEqual([])

  expect((await asker.put<object>(PATH, { muted: [], mailDecisions: true })).data).toMatchObject({
    mailDecisions: true,
  })
  // What is left out stays.
  expect((await asker.put<object>(PATH, { muted: [] })).data).toMatchObject({ mailDecisions: true })
  await reject(await ask())
  expect(await mails(asker.id)).toMatchObject([{ status: 'WITHHELD', cause: 'NO_ADDRESS' }])

  const reached = instance.app.db.query.updateTable('staff').set({ email: 'lin@example.test' })
  await reached.where('id', '=', asker.id).execute()
  await reject(await ask())
  const [, mail] = await mails(asker.id)
  expect(mail).toMatchObject({ channel: 'EMAIL', email: 'lin@example.test', status: 'SENDING' })
  expect(mail?.body).toMatch(/您提交的退款申请已有结果：\S+。/)
  expect(JSON.stringify(mail)).not.toMatch(/R\d{6}|陈小雨|资料不全/)
})
