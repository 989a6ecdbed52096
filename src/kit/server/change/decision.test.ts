import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Decision, EarlierDecisions } from '#kit/model/decision.ts'
import {
  type Caller,
  caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { listen, openSocket } from '../../../../tools/testing/live.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'

const REFUND = 'order-refundApply'
const ASK = { 'order-list': ['list', 'detail'], [REFUND]: ['list', 'detail', 'create', 'withdraw'] }
const DAY_MS = 86_400_000

let instance: TestInstance
let host: string
const clock = stoppedClock(new Date('2026-11-15T02:00:00Z'))
let [asker, decider]: (Caller & { orgId: string })[] = []
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  host = await listen(instance)
  asker = await person(instance, { grants: ASK, scope: 'SELF' })
  decider = await person(instance, {
    name: '李主管',
    grants: { 'order-list': ['list', 'detail'], [REFUND]: ['list', 'detail', 'approve', 'reject'] },
  })
})

const told = async (who: Caller | undefined) =>
  (await (who as Caller).get<{ decisions: Decision[] | null }>('/workbench/workbench')).data.decisions
const askedBy = async (who = asker as Caller & { orgId: string }) => {
  const orderId = await placeOrder(instance, { paidFen: 10_000, ownerId: who.id, orgId: who.orgId })
  const { data } = await who.post<{ id: string }>('/orders/refund-application', refundBody(orderId, 3_000), {
    'idempotency-key': randomUUID(),
  })
  return data.id
}
const decide = async (id: string, step: string, body: object = {}) =>
  expect(await decider?.post(`/orders/refund-application/${id}/${step}`, body)).toMatchObject({ code: 0 })

describe('whoever asked for something', () => {
  test('is told what others decided on it: the state, who, when, why, and where to look', async () => {
    const id = await askedBy()
    await decide(id, 'reject', { reason: '资料不全' })
    const [first] = (await told(asker)) ?? []
    expect(first).toMatchObject({
      screen: 'orders/refund-application',
      what: expect.any(String),
      name: expect.stringMatching(/^R\d+/),
      state: 'Rejected',
      tone: 'failed',
      by: '李主管',
      reason: '资料不全',
      at: expect.stringContaining('2026-11-15'),
      path: `/order/refundApply?open=${id}`,
    })
  })

  test('is told of each request once, by what stands now, however often it was decided, and that a decision was undone', async () => {
    const who = await person(instance, { grants: ASK, scope: 'SELF' })
    const [taken, ended, own] = [await askedBy(who), await askedBy(who), await askedBy(who)]
    await decide(taken, 'approve')
    await decide(taken, 'approve/undo')
    await decide(ended, 'approve')
    await decide(ended, 'approve/undo')
    await decide(ended, 'approve')
    await decide(ended, 'reject', { reason: '资料不全' })
    await decide(own, 'approve')
    const states = async () => (await told(who))?.map(({ path, state }) => [path?.split('=')[1], state])
    const others = [
      [ended, 'Rejected'],
      [taken, 'Decision undone: Awaiting manager'],
    ]
    expect(await states()).toEqual([[own, 'Approved by manager'], ...others])
    // What he did himself afterwards he knows; taken back, the decision before it stands again.
    await who.post(`/orders/refund-application/${own}/withdraw`, {})
    expect(await states()).toEqual(others)
    await who.post(`/orders/refund-application/${own}/withdraw/undo`, {})
    expect(await states()).toEqual([[own, 'Approved by manager'], ...others])
  })

  test('finds the older ones too, ten by ten, however long he was away', async () => {
    const away = await person(instance, { grants: ASK, scope: 'SELF' })
    const ids: string[] = []
    for (let nth = 0; nth < 23; nth += 1) {
      ids.unshift(await askedBy(away))
      await decide(ids[0] as string, 'approve')
    }
    const pathOf = (id: string) => `/order/refundApply?open=${id}`
    expect((await told(away))?.map(({ path }) => path)).toEqual(ids.slice(0, 10).map(pathOf))
    const earlier = async (before?: string | null) =>
      (await away.get<EarlierDecisions>(`/workbench/workbench/decisions/earlier${before ? `?before=${before}` : ''}`))
        .data
    const seen: (string | null)[] = []
    let before: string | null | undefined
    do {
      const page = await earlier(before)
      seen.push(...page.records.map(({ path }) => path))
      before = page.before
    } while (before !== null)
    expect(seen).toEqual(ids.map(pathOf))
    expect((await earlier(String((await told(away))?.at(-1)?.id))).records[0]?.path).toBe(pathOf(ids[10] as string))
    const start = clock.now()
    clock.forward(30 * DAY_MS)
    const later = await instance.app.db.write(tx =>
      instance.app.sessions.open(tx, away.id, { address: '127.0.0.1', device: 'test' }),
    )
    const back = caller(instance, away.id, later.token)
    expect(await told(back)).toEqual([])
    const { data } = await back.get<EarlierDecisions>('/workbench/workbench/decisions/earlier')
    expect(data.records).toHaveLength(10)
    clock.set(start)
  })

  test('is not told of what he did himself, nor of what others asked for', async () => {
    const colleague = await person(instance, { grants: ASK })
    const own = await askedBy(colleague)
    await colleague.post(`/orders/refund-application/${own}/withdraw`, {})
    expect(await told(colleague)).toEqual([])
    expect(await told(decider)).toBeNull()
  })

  test('is told what became of it without a person: money the provider has given back', async () => {
    const who = await person(instance, { grants: ASK, scope: 'SELF' })
    const id = await askedBy(who)
    await instance.app.db.write(async tx => {
      const { writeChange } = await import('./step.ts')
      const { ownChange } = await import('./operation.ts')
      const { resource } = await import('#areas/orders/refund-application/model.ts')
      const change = ownChange(instance.app, tx, clock.now(), 'test')
      await writeChange(change, resource as never, { id, status: 'PAYING' }, { status: 'ABNORMAL' }, 'fail')
    })
    expect((await told(who))?.[0]).toMatchObject({ by: '', tone: 'failed' })
  })

  test('sees nothing of a record that has left his scope, and nothing once a week has passed', async () => {
    const who = await person(instance, { grants: ASK, scope: 'SELF' })
    const [kept, lost] = [await askedBy(who), await askedBy(who)]
    await decide(kept, 'approve')
    await decide(lost, 'approve')
    await instance.app.db.query
      .updateTable('refund_application')
      .set({ owner_id: decider?.id ?? null })
      .where('id', '=', lost)
      .execute()
    expect((await told(who))?.map(({ path }) => path)).toEqual([`/order/refundApply?open=${kept}`])
    await instance.app.db.query
      .updateTable('operation_log')
      .set({ at: new Date(clock.now().getTime() - 8 * DAY_MS) })
      .where('record_id', '=', kept)
      .execute()
    expect(await told(who)).toEqual([])
  })

  test('is told of an examined order though the examinations are not his to list: the link leads to the order', async () => {
    const who = await person(instance, { grants: { 'order-list': ['list', 'detail'] }, scope: 'SELF' })
    const orderId = await placeOrder(instance, { ownerId: who.id, orgId: who.orgId })
    const order = await instance.app.db.query
      .selectFrom('sales_order')
      .select(['order_no', 'member_id'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
    const examination = await instance.app.db.query
      .insertInto('order_examination')
      .values({
        order_id: orderId,
        member_id: order.member_id,
        kind: 'PRICE',
        amount_fen: 9_000,
        before_fen: 10_000,
        list_fen: 10_000,
        status: 'WAITING',
        applicant_id: who.id,
        owner_id: who.id,
        org_id: who.orgId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await instance.app.db.query
      .insertInto('operation_log')
      .values({
        at: clock.now(),
        actor_id: decider?.id ?? null,
        actor_name: '李主管',
        address: '',
        request_id: 'test',
        page: 'order-examine',
        action: 'reject',
        record_id: examination.id,
        diff: JSON.stringify({ status: ['WAITING', 'REJECTED'] }),
        reason: '凭证看不清',
        code: 0,
      })
      .execute()
    expect(await told(who)).toMatchObject([
      { name: order.order_no, reason: '凭证看不清', path: `/order/list?open=${orderId}` },
    ])
  })

  test('is told that a refusal was taken back, and what it is about in words of his own language', async () => {
    const SETTINGS = '/operations/config'
    const proposer = await person(instance, { grants: { 'operate-config': ['list', 'detail', 'create'] } })
    const checker = await person(instance, { grants: { 'operate-config': ['list', 'detail', 'refuse'] } })
    const proposal = { key: 'gift.coinsPerMonth', value: 1_234, reason: 'more to give', basedOn: null }
    const { data } = await proposer.post<{ id: string }>(SETTINGS, proposal)
    await checker.post(`${SETTINGS}/${data.id}/refuse`, { reason: 'by mistake' })
    const name = (await proposer.get<{ labels: { name: { name: string } } }>(`${SETTINGS}/${data.id}`)).data.labels.name
      .name
    expect(name).toMatch(/^[A-Z]/)
    expect(await told(proposer)).toMatchObject([{ name, tone: 'failed' }])
    const socket = await openSocket(host, proposer.token)
    expect(await checker.post(`${SETTINGS}/${data.id}/refuse/undo`)).toMatchObject({ code: 0 })
    const [newest] = (await told(proposer)) ?? []
    expect(newest).toMatchObject({ name, state: 'Decision undone: Awaiting second check', tone: 'attention' })
    await expect.poll(() => socket.pushes).toEqual([{ decided: newest?.id }])
    socket.raw.close()
  })

  test('is told what became of a count: by whoever counted, not by a field of the product', async () => {
    const STOCK = 'base-product'
    const counter = await person(instance, { grants: { [STOCK]: ['list', 'detail', 'check'] } })
    const other = await person(instance, { grants: { [STOCK]: ['list', 'detail', 'check'] } })
    const keeper = await person(instance, { grants: { [STOCK]: ['list', 'detail', 'create', 'rejectCheck'] } })
    const { data } = await keeper.post<{ id: string }>(
      '/logistics/base-product',
      { sku: 'INK-1', name: '墨汁', unit: '瓶', warnAt: 1, costFen: 1, valueFen: 1, openingStock: 5 },
      { 'idempotency-key': randomUUID() },
    )
    await counter.post(`/logistics/base-product/${data.id}/check`, { counted: 4, note: '' })
    const counted = await keeper.get<{ askedId: string }>(`/logistics/base-product/${data.id}`)
    const shown = { askedId: counted.data.askedId }
    await keeper.post(`/logistics/base-product/${data.id}/rejectCheck`, { ...shown, reason: '请重新清点' })
    expect(await told(counter)).toMatchObject([{ name: '墨汁', reason: '请重新清点', tone: 'failed' }])
    expect(await told(other)).toEqual([])
    expect(await told(keeper)).toBeNull()
  })
})

describe('the open console of whoever asked', () => {
  test('is told at once that something was decided, by no type of the contract and without a word of the record', async () => {
    const who = await person(instance, { grants: ASK, scope: 'SELF' })
    const [mine, theirs] = [await openSocket(host, who.token), await openSocket(host, (asker as Caller).token)]
    const id = await askedBy(who)
    await decide(id, 'reject', { reason: '资料不全' })
    await expect.poll(() => mine.pushes).toHaveLength(1)
    const [decision] = (await told(who)) ?? []
    expect(mine.pushes).toEqual([{ decided: decision?.id }])
    await delay(200)
    expect(theirs.pushes).toEqual([])
    for (const socket of [mine, theirs]) socket.raw.close()
  })

  test('asks for the decisions alone', async () => {
    const { data } = await (asker as Caller).get<Decision[]>('/workbench/workbench/decisions')
    expect(data).toEqual(await told(asker))
  })
})
