import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { secretOf, signatureOf } from '../src/kit/server/live/inbox-secret.ts'
import { enrol, grantOf, offer } from '../tools/testing/commerce.ts'
import { cloneDatabase, openTestInstance, type TestInstance } from '../tools/testing/instance.ts'
import { sendEvent } from '../tools/testing/live.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { freePort } from '../tools/testing/port.ts'
import { Processes } from '../tools/testing/process.ts'
import type { Run } from '../tools/testing/program.ts'
import { type Buyer, shuffled, storiesOf, type Told } from './shuffled-events.ts'

const EVENTS = IS_LONG ? 20_000 : 300
const BUYERS = IS_LONG ? 400 : 20
const AT_ONCE = 6
const PATIENCE_MS = IS_LONG ? 3_600_000 : 240_000

/** Told once to whoever looks, and swept after an hour, which the long profile may take. */
const PUSHES = `
  select payload ->> 'type' as type, count(*)::int as n from signal
  where topic = 'push' and payload ->> 'type' in ('2', '6', '8') group by 1 order by 1`

/** Whoever registers is a member from the moment that comes in, by which nothing of what was told is dated. */
const IS_NEW = `m.name = '新学员'`

/** Everything people or money could see of it; what is only of the moment an event came in is left out. */
const STATES: Readonly<Record<string, string>> = {
  orders: `
    select platform, order_no, case when ${IS_NEW} then facts - 'registered' else facts end as facts, p.status, product_name,
      amount_fen, platform_status, after_sale, p.unionid, author, lead_phone, phone_kind, last4, verify_state, verified_at,
      verify_id, refund_state, refunded_fen, exception, frozen, m.phone as member, order_id is not null as opened, p.owner_id,
      paid_at, claimed_at, case when not ${IS_NEW} then registered_at end as registered_at, refunded_at
    from platform_order p left join member m on m.id = p.member_id order by platform, order_no`,
  notices: `
    select n.source, order_no, lead_phone, n.phone, m.phone as member, n.status
    from refund_notice n left join member m on m.id = n.member_id order by n.source, order_no`,
  courses: `
    select o.source, coalesce(p.order_no, o.order_no) as no, m.phone as member, o.amount_fen, o.paid_fen, o.pay_state
    from sales_order o join member m on m.id = o.member_id left join platform_order p on p.order_id = o.id order by 1, 2`,
  payments: 'select provider, provider_no, amount_fen, status from payment order by 1, 2',
  holdings: `
    select m.phone as member, kind, remaining, held, count(*)::int as n
    from entitlement_lot l join member m on m.id = l.member_id group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  coins: 'select phone, coins from member order by phone',
  paths: `
    select distinct on (m.phone, t.key) m.phone as member, t.key, t.came_by, t.source, t.channel
    from lead_touch t join member m on m.id = t.member_id order by m.phone, t.key, t.first_at, t.source, t.channel`,
  forms: 'select form_no, phone from lead_form order by 1',
  ...(IS_LONG ? {} : { pushes: PUSHES }),
}
const stateOf = async ({ app }: TestInstance): Promise<Record<string, unknown>> => {
  const told: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(STATES)) told[name] = await app.db.read.rows(query, [])
  return told
}

const left = async ({ app }: TestInstance): Promise<number> => {
  const [row] = await app.db.read.rows(`select count(*)::int as n from inbox_event where outcome = 'WAITING'`, [])
  return Number(row?.n)
}
/** Until nothing waits: what met another under way is tried again a second later. */
const settled = async (instance: TestInstance) => {
  while ((await left(instance)) > 0) {
    await instance.inbox.sweep()
    await sleep(20)
  }
}

describe('events of platforms, shuffled, repeated and late, on two instances of which one is killed', () => {
  const processes = new Processes()
  let [told, base]: [Told[], string] = [[], '']

  beforeAll(async () => {
    base = (await cloneDatabase()).url
    const setup = await openTestInstance({ url: base })
    const { query } = setup.app.db
    const productId = await offer(setup, [grantOf('COINS', 100)], { priceFen: 1_990 })
    for (let nth = 0; nth < BUYERS; nth += 1) await enrol(setup)
    await query.updateTable('member').set({ created_at: '2026-01-01T00:00:00Z' }).execute()
    const members = query.selectFrom('member').select(['id', 'phone']).$narrowType<{ phone: string }>()
    const buyers: Buyer[] = await members.orderBy('id').execute()
    const product = query.selectFrom('product').select('code').where('id', '=', productId)
    told = storiesOf(EVENTS, buyers, (await product.executeTakeFirstOrThrow()).code, Date.now())
    await setup.close()
  }, PATIENCE_MS)
  afterAll(() => processes.end())

  const start = async ({ url, app }: TestInstance): Promise<Run> =>
    processes.server({
      DATABASE_URL: url,
      DATA_DIR: await processes.folder(),
      PORT: String(await freePort()),
      SEED: 'none',
      SIMULATE: 'off',
      LOG_LEVEL: 'error',
      INBOX_SECRET: app.env.INBOX_SECRET ?? '',
      CODE_SECRET: app.env.CODE_SECRET ?? '',
    })
  /** Says whether it was taken; whoever gets no answer says it again, to whom is there. */
  const sendAway = async (to: string, { app }: TestInstance, { source, id, type, data }: Told): Promise<boolean> => {
    const [body, timestamp] = [JSON.stringify({ id, type, data }), String(Date.now())]
    const signature = signatureOf(secretOf(app.env.INBOX_SECRET ?? '', source), timestamp, body)
    const answer = await fetch(new URL(`/api/open/v1/${source}/events`, to), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-inkstone-timestamp': timestamp,
        'x-inkstone-signature': signature,
      },
      body,
    }).catch(() => undefined)
    return answer?.ok ?? false
  }
  const send = async (instance: TestInstance, { source, id, type, data }: Told) =>
    expect(await sendEvent(instance, source, { id, type, data })).toMatchObject({ code: 0 })

  test(
    'leave what the same events leave that come once and in order, and raise each notice once',
    async () => {
      const inOrder = await openTestInstance({ url: (await cloneDatabase(base)).url })
      for (const event of told) await send(inOrder, event)
      await settled(inOrder)

      const { url } = await cloneDatabase(base)
      const clock = { now: () => new Date(), set() {}, forward() {} }
      const survivor = await openTestInstance({ url, clock })
      const other = await start(survivor)
      const address = await other.ready
      const brought = shuffled(told)
      expect(brought.length).toBeGreaterThan(told.length * 1.2)
      let next = 0
      const carry = async () => {
        for (let nth = next++; nth < brought.length; nth = next++) {
          const event = brought[nth] as Told
          // With events of its own under way, some of them half applied.
          if (nth === Math.floor(brought.length / 2)) other.child.kill('SIGKILL')
          if (nth % 2 === 0 || !(await sendAway(address, survivor, event))) await send(survivor, event)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, carry))
      await settled(survivor)

      const [expected, found] = [await stateOf(inOrder), await stateOf(survivor)]
      for (const name of Object.keys(STATES)) expect(found[name], name).toEqual(expected[name])
      expect((found.notices as unknown[]).length).toBeGreaterThan(0)
      const ended = await survivor.app.db.read.rows(`select distinct outcome from inbox_event`, [])
      expect(ended).toEqual([{ outcome: 'APPLIED' }])
      expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
      expect(await findBroken(survivor.app.db, survivor.catalogue)).toEqual([])
    },
    PATIENCE_MS,
  )
})
