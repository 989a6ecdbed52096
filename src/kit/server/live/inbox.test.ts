import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { keptInboxSecret, secretOf } from './inbox-secret.ts'

let instance: TestInstance
let owner: Awaited<ReturnType<typeof person>>
beforeAll(async () => {
  instance = await openTestInstance()
  owner = await person(instance)
})

let phone: string
let count = 0
beforeEach(async () => {
  count += 1
  phone = `1370000${String(count).padStart(4, '0')}`
  await placeOrder(instance, { ownerId: owner.id, orgId: owner.orgId, phone })
})

const placed = (more: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  type: 'order.placed',
  data: { phone, product: '季度会员', amountFen: 9_900, source: 'APP', ...more },
})
const orders = (of = phone) =>
  instance.app.db.query
    .selectFrom('sales_order as o')
    .innerJoin('member as m', 'm.id', 'o.member_id')
    .select(['o.order_no', 'o.pay_state', 'o.amount_fen', 'o.owner_id', 'o.org_id', 'o.sold_by'])
    .where('m.phone', '=', of)
    .where('o.product_name', '=', '季度会员')
    .execute()
const exceptionOf = (subject: string) =>
  instance.app.db.query.selectFrom('payment_exception').selectAll().where('subject', '=', subject).executeTakeFirst()
const stored = (key: string) =>
  instance.app.db.query.selectFrom('inbox_event').selectAll().where('event_key', '=', key).executeTakeFirst()

describe('the signature', () => {
  test.each([
    ['with the secret of another source', () => ({ secret: secretOf(instance.app.env.INBOX_SECRET ?? '', 'douyin') })],
    ['with no secret', () => ({ secret: '' })],
    ['over another body', () => ({ body: JSON.stringify(placed()) })],
    ['of six minutes ago', () => ({ timestamp: String(instance.clock.now().getTime() - 360_000) })],
    ['of six minutes ahead', () => ({ timestamp: String(instance.clock.now().getTime() + 360_000) })],
    ['without a time', () => ({ timestamp: '' })],
  ])('an event signed %s is refused and not stored', async (_name, wrong) => {
    const event = placed()
    expect(await sendEvent(instance, 'app', event, wrong())).toMatchObject({ status: 403, code: 4003 })
    expect(await stored(event.id)).toBeUndefined()
    expect(await orders()).toEqual([])
  })

  test('a time in seconds is as good as one in milliseconds', async () => {
    const timestamp = String(Math.floor(instance.clock.now().getTime() / 1_000))
    expect(await sendEvent(instance, 'app', placed(), { timestamp })).toMatchObject({ code: 0 })
  })

  test('an unsigned call is refused', async () => {
    const answer = await instance.http.inject({ method: 'POST', url: '/api/open/v1/app/events', payload: placed() })
    expect(answer.json()).toMatchObject({ code: 4003 })
  })
})

describe('what an event may say', () => {
  test.each([
    ['an unknown type', { type: 'order.eaten', data: {} }, 'type'],
    [
      'a type of another source',
      { type: 'voucher.refunded', data: { orderNo: '1', leadMobile: '13800000000' } },
      'type',
    ],
    ['a field too many', { type: 'poster.shared', data: { phone: '13800000000', poster: 'x', admin: true } }, 'admin'],
    ['a field too few', { type: 'poster.shared', data: { phone: '13800000000' } }, 'data.poster'],
    ['nobody in particular', { type: 'poster.shared', data: { poster: 'x' } }, 'data'],
    ['a phone that is none', { type: 'poster.shared', data: { phone: '123', poster: 'x' } }, 'data.phone'],
    [
      'half a fen',
      { type: 'order.placed', data: { phone: '13800000000', product: 'x', amountFen: 0.5, source: 'APP' } },
      'data.amountFen',
    ],
  ])('%s is refused beside its field', async (_name, event, field) => {
    const id = randomUUID()
    const answer = await sendEvent(instance, 'app', { id, ...event })
    expect(answer).toMatchObject({ status: 422, code: 4005, data: { fields: { [field]: expect.any(String) } } })
    expect(await stored(id)).toBeUndefined()
  })

  test('an unknown source is refused', async () => {
    expect(await sendEvent(instance, 'tiktok' as 'app', placed())).toMatchObject({ status: 400, code: 4000 })
  })
})

describe('applying', () => {
  test("an order placed in the app stands unpaid, with the member's owner", async () => {
    await sendEvent(instance, 'app', placed())
    await instance.inbox.sweep()
    expect(await orders()).toEqual([
      {
        order_no: expect.stringMatching(/^\d{18}$/),
        pay_state: 'UNPAID',
        amount_fen: '9900',
        owner_id: owner.id,
        org_id: owner.orgId,
        sold_by: owner.id,
      },
    ])
  })

  test('an event sent twice is answered twice and applied once', async () => {
    const event = placed()
    expect(await sendEvent(instance, 'app', event)).toMatchObject({ code: 0, data: { repeated: false } })
    expect(await sendEvent(instance, 'app', event)).toMatchObject({ code: 0, data: { repeated: true } })
    await instance.inbox.sweep()
    expect(await sendEvent(instance, 'app', event)).toMatchObject({ code: 0, data: { repeated: true } })
    await instance.inbox.sweep()
    expect(await orders()).toHaveLength(1)
  })

  test('an event id that comes again with another content is a conflict, also after the first was applied', async () => {
    const event = placed()
    await sendEvent(instance, 'app', event)
    const other = { ...event, data: { ...event.data, amountFen: 1 } }
    expect(await sendEvent(instance, 'app', other)).toMatchObject({ status: 409, code: 4009 })
    await instance.inbox.sweep()
    expect(await sendEvent(instance, 'app', other)).toMatchObject({ status: 409, code: 4009 })
    const turned = { ...event, data: Object.fromEntries(Object.entries(event.data).reverse()) }
    expect(await sendEvent(instance, 'app', turned)).toMatchObject({ code: 0, data: { repeated: true } })
    expect(await orders()).toMatchObject([{ amount_fen: '9900' }])
  })

  test('fifty of one event at once make one order', async () => {
    const event = placed()
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendEvent(instance, 'app', event)))
    expect(answers.filter(({ data }) => !data.repeated)).toHaveLength(1)
    await instance.inbox.sweep()
    expect(await orders()).toHaveLength(1)
  })

  test('the same order number under another event id is the same order', async () => {
    const orderNo = `9${String(count).padStart(17, '0')}`
    await sendEvent(instance, 'app', placed({ orderNo }))
    await sendEvent(instance, 'app', placed({ orderNo }))
    await instance.inbox.sweep()
    expect(await orders()).toHaveLength(1)
  })

  test('a number of ours that a sender took is passed over', async () => {
    await sendEvent(instance, 'app', placed())
    await instance.inbox.sweep()
    const [first] = await orders()
    const taken = String(BigInt(first?.order_no ?? 0) + 1n)
    await sendEvent(instance, 'app', placed({ orderNo: taken }))
    await sendEvent(instance, 'app', placed())
    await instance.inbox.sweep()
    expect((await orders()).map(({ order_no }) => BigInt(order_no) - BigInt(taken))).toEqual([-1n, 0n, 1n])
  })

  test('several instances share the waiting events without applying one twice', async () => {
    const second = await openTestInstance({ url: instance.url, clock: instance.clock })
    const events = Array.from({ length: 40 }, () => placed())
    await Promise.all(events.map((event, n) => sendEvent(n % 2 ? instance : second, 'app', event)))
    await Promise.all([instance.inbox.sweep(), second.inbox.sweep()])
    await Promise.all([instance.inbox.sweep(), second.inbox.sweep()])
    expect(await orders()).toHaveLength(40)
  })

  test('an event under way elsewhere holds up no other', async () => {
    const slow = placed()
    await sendEvent(instance, 'app', { ...slow, data: { ...slow.data, phone: '13600000001' } })
    await instance.inbox.sweep()
    instance.clock.forward(1_000)
    await instance.app.db.write(async tx => {
      await tx.selectFrom('inbox_event').select('id').where('event_key', '=', slow.id).forUpdate().execute()
      await sendEvent(instance, 'app', placed())
      await instance.inbox.sweep()
      expect(await orders()).toHaveLength(1)
    })
  })

  test('an event left by a server that died is applied by the next sweep', async () => {
    const { id, type, data } = placed()
    const now = instance.clock.now()
    await instance.app.db.query
      .insertInto('inbox_event')
      .values({ source: 'app', event_key: id, type, payload: JSON.stringify(data), received_at: now, next_at: now })
      .execute()
    expect(await orders()).toEqual([])
    await instance.inbox.sweep()
    expect(await orders()).toHaveLength(1)
  })

  test('a server that dies between effect and mark has had no effect', async () => {
    const event = placed()
    // The mark fails as it would when the connection breaks just before it.
    await instance.app.db.read.pool.query(`
      create function refuse_mark() returns trigger language plpgsql as $$ begin raise exception 'cut'; end $$;
      create trigger refuse_mark before update of applied_at on inbox_event
        for each row when (new.applied_at is not null) execute function refuse_mark()`)
    await sendEvent(instance, 'app', event)
    await instance.inbox.sweep()
    expect(await orders()).toEqual([])
    expect(await stored(event.id)).toMatchObject({ applied_at: null, attempts: 1, error: 'cut' })
    await instance.app.db.read.pool.query('drop function refuse_mark cascade')
    instance.clock.forward(1_000)
    await instance.inbox.sweep()
    expect(await orders()).toHaveLength(1)
    expect(await stored(event.id)).toMatchObject({ applied_at: expect.any(String), error: null })
  })

  test('an order of a phone not registered yet waits with its reason, and is placed after the registration', async () => {
    const newcomer = `1380000${String(count).padStart(4, '0')}`
    const event = placed({ phone: newcomer })
    await sendEvent(instance, 'app', event)
    await instance.inbox.sweep()
    expect(await stored(event.id)).toMatchObject({
      applied_at: null,
      attempts: 1,
      error: 'orders/order:member-missing',
    })
    await placeOrder(instance, { phone: newcomer })
    await instance.inbox.sweep()
    expect(await orders(newcomer)).toHaveLength(0)
    instance.clock.forward(1_000)
    await instance.inbox.sweep()
    expect(await orders(newcomer)).toHaveLength(1)
  })

  test('an event that waits in vain for a week is refused, and somebody has to look', async () => {
    const event = placed({ phone: '13600000002' })
    await sendEvent(instance, 'app', event)
    await instance.inbox.sweep()
    instance.clock.forward(7 * 24 * 3_600_000)
    await instance.inbox.sweep()
    expect(await stored(event.id)).toMatchObject({ outcome: 'REFUSED', error: 'orders/order:member-missing' })
    expect(await exceptionOf(`app:${event.id}`)).toMatchObject({ kind: 'EVENT', status: 'OPEN' })
  })

  test('what the business refuses stays refused, with its reason, and never comes back by itself', async () => {
    const event = placed({ product: undefined, amountFen: undefined, productCode: 'LATER' })
    await sendEvent(instance, 'app', event)
    await instance.inbox.sweep()
    expect(await stored(event.id)).toMatchObject({
      outcome: 'REFUSED',
      error: 'orders/order:product-missing',
      payload: { phone: `${phone.slice(0, 3)}****${phone.slice(-4)}` },
    })
    await instance.app.db.query
      .insertInto('product')
      .values({ code: 'LATER', name: '季度会员', price_fen: 1, list_fen: 1, status: 'ON_SALE', grants: '[]' })
      .execute()
    instance.clock.forward(18 * 60_000)
    await instance.inbox.sweep()
    expect(await sendEvent(instance, 'app', event)).toMatchObject({ code: 0, data: { repeated: true } })
    await instance.inbox.sweep()
    expect(await orders()).toEqual([])
  })

  test('a technical failure is tried again for a day and then given up: somebody has to look', async () => {
    const event = placed()
    await instance.app.db.read.pool.query(`
      create function refuse_order() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
      create trigger refuse_order before insert on sales_order for each row execute function refuse_order()`)
    await sendEvent(instance, 'app', event)
    for (let tries = 1; tries < 36; tries += 1) {
      await instance.inbox.sweep()
      const { next_at, outcome, attempts } = (await stored(event.id)) ?? { next_at: '' }
      expect({ outcome, attempts }).toEqual({ outcome: 'WAITING', attempts: tries })
      instance.clock.set(next_at)
    }
    expect(await exceptionOf(`app:${event.id}`)).toBeUndefined()
    await instance.inbox.sweep()
    expect(await stored(event.id)).toMatchObject({ outcome: 'FAILED', attempts: 36, error: 'broken' })
    expect(await exceptionOf(`app:${event.id}`)).toMatchObject({ kind: 'EVENT', detail: 'order.placed: broken' })
    await instance.app.db.read.pool.query('drop function refuse_order cascade')
    instance.clock.forward(24 * 3_600_000)
    await instance.inbox.sweep()
    expect(await orders()).toEqual([])
  })

  test('each failure waits longer, up to an hour', async () => {
    const event = placed({ phone: '13600000000' })
    await sendEvent(instance, 'app', event)
    const waits: number[] = []
    for (let n = 0; n < 14; n += 1) {
      await instance.inbox.sweep()
      const { next_at } = (await stored(event.id)) ?? { next_at: '' }
      waits.push((Date.parse(next_at) - instance.clock.now().getTime()) / 1_000)
      instance.clock.set(next_at)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600])
  })

  test('an applied event keeps no phone, and no log line shows one', async () => {
    const event = placed()
    await sendEvent(instance, 'app', event)
    await instance.inbox.sweep()
    const { payload } = (await stored(event.id)) ?? {}
    expect(payload).toMatchObject({ phone: `${phone.slice(0, 3)}****${phone.slice(-4)}`, product: '季度会员' })
    expect(instance.logged.join('')).not.toContain(phone)
  })
})

test('without INBOX_SECRET a secret is made once, for the server alone to read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inkstone-inbox-'))
  try {
    const dataDir = join(folder, 'data')
    const secrets = await Promise.all(Array.from({ length: 5 }, () => keptInboxSecret(dataDir)))
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(await readFile(join(dataDir, 'inbox-secret'), 'utf8')).toBe(secrets[0])
    expect((await stat(join(dataDir, 'inbox-secret'))).mode & 0o777).toBe(0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
})
