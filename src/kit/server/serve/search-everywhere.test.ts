import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Found } from '#kit/model/found.ts'
import { dayOf } from '#kit/model/time.ts'
import { codeBatch } from '../../../../tools/testing/codes.ts'
import { openDemoInstance } from '../../../../tools/testing/demo-instance.ts'
import { type Caller, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { spellNames } from '../text/spelling.ts'

const LISTS = { 'member-list': ['list', 'detail'], 'order-list': ['list', 'detail'] }
const PHONE = phoneAt(PHONES.test + 8_800_001)
const THEIRS = phoneAt(PHONES.test + 8_800_002)
/** How often what it costs is counted. */
const TRIES = 5

let instance: TestInstance
let admin: Caller
let seller: Caller & { orgId: string }
let order: { id: string; order_no: string; member_id: string }
let theirs: { id: string; order_no: string }

beforeAll(async () => {
  instance = await openDemoInstance()
  admin = await person(instance, { superAdmin: true })
  seller = await person(instance, { grants: LISTS, scope: 'SELF' })
  const own = { ownerId: seller.id, orgId: seller.orgId }
  const placed = async (options: Parameters<typeof placeOrder>[1]) =>
    instance.app.db.query
      .selectFrom('sales_order')
      .select(['id', 'order_no', 'member_id'])
      .where('id', '=', await placeOrder(instance, options))
      .executeTakeFirstOrThrow()
  order = await placed({ ...own, memberName: '司徒墨染', phone: PHONE })
  theirs = await placed({ memberName: '司徒书砚', phone: THEIRS })
  await instance.app.db.write(tx => spellNames(tx, instance.app.catalogue))
})

/** Whoever has been refused must not stand in the way of the next test. */
beforeEach(async () => {
  await instance.app.db.query.deleteFrom('attempt_gate').execute()
})

type Answer = { records: Found[]; isComplete: boolean }
const askOnce = (text: string, by: Caller = seller) => by.post<Answer>('/common/search', { text })
/** Asked again while it was given up: on busy cores a search may be late, and what is late is left out. */
async function ask(text: string, by: Caller = seller) {
  for (;;) {
    const answer = await askOnce(text, by)
    if (answer.data?.isComplete !== false) return answer
  }
}
const found = async (text: string, by: Caller = seller) => (await ask(text, by)).data.records
const titles = async (text: string, by: Caller = seller) =>
  (await found(text, by)).map(({ screen, title }) => `${screen} ${title}`)
const numberOf = async (table: 'refund_application' | 'shipment', column: string): Promise<string> =>
  String((await instance.app.db.read.rows(`select ${column} as no from ${table} order by id limit 1`, []))[0]?.no)

describe('one search behind everything finds', () => {
  test.each([
    ['the whole name', '司徒墨染'],
    ['a part of the name', '墨染'],
    ['pinyin', 'situmo'],
    ['initials', 'stmr'],
    ['initials in capitals and wide', 'ＳＴＭＲ'],
  ])('a member and what the member ordered by %s', async (_by, typed) => {
    expect(await titles(typed)).toEqual(['members/member 司徒墨染', `orders/order ${order.order_no}`])
  })

  test('a lead by its name, and not what is told of its past behind numbers', async () => {
    await instance.app.db.read.pool.query(
      `update lead set name = '欧阳知秋' where id = (select min(lead_id) from lead_owner where lead_id in (select lead_id from lead_act))`,
    )
    expect((await found('欧阳知秋', admin)).map(({ screen }) => screen)).toEqual(['sales/salvage'])
  })

  test('a member by a whole phone number, however it is written, first of all', async () => {
    const spaced = `+86 ${PHONE.slice(0, 3)} ${PHONE.slice(3, 7)} ${PHONE.slice(7)}`
    for (const typed of [PHONE, spaced])
      expect(await titles(typed)).toEqual(['members/member 司徒墨染', `orders/order ${order.order_no}`])
  })

  test('a number of the last days by its end, as people read it aloud', async () => {
    const today = dayOf(instance.clock.now()).replaceAll('-', '')
    const number = `${today}0000834517`
    const former = order.order_no
    const set = (no: string) =>
      instance.app.db.query.updateTable('sales_order').set({ order_no: no }).where('id', '=', order.id).execute()
    await set(number)
    try {
      expect(await titles('834517')).toEqual([`orders/order ${number}`])
      expect(await titles('８３４５１７')).toEqual([`orders/order ${number}`])
      expect(await titles('4517')).toEqual([])
      expect(await titles('134517')).toEqual([])
    } finally {
      await set(former)
    }
    const refundNo = await numberOf('refund_application', 'refund_no')
    await instance.app.db.query
      .updateTable('refund_application')
      .set({ refund_no: `R${today}98765` })
      .where('refund_no', '=', refundNo)
      .execute()
    expect(await titles(`${today.slice(-1)}98765`, admin)).toContain(`orders/refund-application R${today}98765`)
    await instance.app.db.query
      .updateTable('refund_application')
      .set({ refund_no: refundNo })
      .where('refund_no', '=', `R${today}98765`)
      .execute()
  })

  test('a member by the last four digits with a name, and nobody by the digits alone', async () => {
    expect((await titles(`司徒 ${PHONE.slice(-4)}`))[0]).toBe('members/member 司徒墨染')
    expect((await titles(`stmr ${PHONE.slice(-4)}`))[0]).toBe('members/member 司徒墨染')
    expect((await found(PHONE.slice(-4))).filter(({ screen }) => screen === 'members/member')).toEqual([])
  })

  test('an order, a refund and a shipment by the number on a paper, exact ones first and in any case', async () => {
    const refundNo = await numberOf('refund_application', 'refund_no')
    const shipmentNo = await numberOf('shipment', 'shipment_no')
    for (const number of [order.order_no, refundNo, shipmentNo, refundNo.toLowerCase(), shipmentNo.toLowerCase()]) {
      const [first] = await found(number, admin)
      expect(first).toMatchObject({ title: number.toUpperCase(), isExact: true })
    }
  })

  test('a refund by the number it was paid under, and a parcel by its carrier’s, for those who see them', async () => {
    const { pool } = instance.app.db.read
    await pool.query(`update refund_application set transaction_no = 'BANK-PAYOUT-77' where id = (
      select min(id) from refund_application where transaction_no is null)`)
    expect((await titles('bank-payout-77', admin))[0]).toMatch(/^orders\/refund-application R/)
    expect(await titles('BANK-PAYOUT-77')).toEqual([])
    const { rows } = await pool.query(`select tracking_no as no from shipment where tracking_no is not null limit 1`)
    expect((await titles(String(rows[0].no).toLowerCase(), admin))[0]).toMatch(/^logistics\/tracking /)
    await pool.query(`update refund_application set transaction_no = null where transaction_no = 'BANK-PAYOUT-77'`)
  })

  test('what is called exactly so before newer things that only begin so', async () => {
    const more = (code: string) => ({ code, name: `长句 ${code}`, price_fen: 100, list_fen: 100, grants: '[]' })
    const codes = ['INK-7', 'INK-70', 'INK-71', 'INK-72', 'INK-73']
    await instance.app.db.query.insertInto('product').values(codes.map(more)).execute()
    const products = (await found('ink-7', admin)).filter(({ screen }) => screen === 'products/product')
    expect(products.map(({ title }) => title)).toEqual(['长句 INK-7', '长句 INK-73', '长句 INK-72'])
    expect(products[0]).toMatchObject({ isExact: true })
  })

  test('a batch of codes, which no member has', async () => {
    const [applicant, approver] = [await person(instance), await person(instance)]
    await codeBatch(instance, { applicantId: applicant.id, approvedBy: approver.id })
    const [batch] = await instance.app.db.read.rows(
      'select batch_no as no from code_batch order by id desc limit 1',
      [],
    )
    expect((await titles(String(batch?.no), admin))[0]).toBe(`products/code-batch ${batch?.no}`)
  })

  test('nothing for a single letter or digit, which begins too much', async () => {
    for (const typed of ['l', 'S', '2', '２']) expect(await found(typed, admin), typed).toEqual([])
  })

  test('nothing for what nobody is called', async () => {
    expect(await ask('没有这个人名')).toMatchObject({ code: 0, data: { records: [], isComplete: true } })
  })
})

describe('what is found is shown as its list shows it', () => {
  test('number, person with a masked phone, amount and state, in the language of the asker, and opens the record', async () => {
    const [hit] = await found(order.order_no)
    const masked = `${PHONE.slice(0, 3)}****${PHONE.slice(-4)}`
    expect(hit).toEqual({
      screen: 'orders/order',
      id: order.id,
      title: order.order_no,
      facts: [`司徒墨染 ${masked}`, '年度会员', '¥100.00'],
      state: { text: 'Paid', tone: 'done' },
      isExact: true,
      path: `/order/list?open=${order.id}`,
    })
    const answer = await ask(PHONE)
    expect(answer.body).toContain(masked)
    expect(answer.body).not.toContain(PHONE)
  })

  test('whoever may list and not open a record is led to its row', async () => {
    const reader = await person(instance, { grants: { 'order-list': ['list'] } })
    const [hit] = await found(order.order_no, reader)
    expect(hit?.path).toBe(`/order/list?query=${order.order_no}`)
  })

  test('at most three of each list and eight lists', async () => {
    for (const typed of ['张', 'li', '2026', '年度', 'zh']) {
      const records = await found(typed, admin)
      const perList = Map.groupBy(records, ({ screen }) => screen)
      expect(perList.size).toBeLessThanOrEqual(8)
      for (const [screen, hits] of perList) expect(hits.length, `${typed} in ${screen}`).toBeLessThanOrEqual(3)
    }
  })
})

describe('nobody finds what is not theirs to see', () => {
  test("another consultant's member and order, by name, initials or number", async () => {
    for (const typed of ['司徒书砚', '书砚', 'stsy', theirs.order_no]) {
      expect(await found(typed), typed).toEqual([])
      expect((await found(typed, admin)).length, typed).toBeGreaterThan(0)
    }
  })

  test("of another consultant's phone number only whom to ask is told, and of its last four nothing", async () => {
    expect(await ask(THEIRS)).toMatchObject({ code: 4006, data: null })
    expect(await found(`司徒书砚 ${THEIRS.slice(-4)}`)).toEqual([])
  })

  test('a role without the screens finds nothing at all, and its phone numbers are not even looked for', async () => {
    const clerk = await person(instance, { grants: { dictionary: ['list', 'detail'] } })
    for (const typed of ['司徒墨染', 'stmr', order.order_no, PHONE, `司徒 ${PHONE.slice(-4)}`])
      expect(await found(typed, clerk), typed).toEqual([])
  })

  test('a role that may open the page but not list it finds nothing', async () => {
    const guest = await person(instance, { grants: { 'member-list': ['detail'], 'order-list': [] } })
    expect(await found('司徒墨染', guest)).toEqual([])
    expect(await found(PHONE, guest)).toEqual([])
  })

  test('a role with the orders and not the members finds the orders of a phone number', async () => {
    const cashier = await person(instance, { grants: { 'order-list': ['list', 'detail'] } })
    expect(await titles(PHONE, cashier)).toEqual([`orders/order ${order.order_no}`])
  })

  test('whoever holds every page and owns nothing finds nothing that belongs to somebody', async () => {
    const everything = Object.fromEntries(instance.app.catalogue.pages)
    const stranger = await person(instance, { scope: 'SELF', grants: everything })
    const texts = ['司徒墨染', 'stmr', order.order_no, `司徒 ${PHONE.slice(-4)}`]
    const owned = new Set(
      instance.app.catalogue.slices.flatMap(({ resource }) =>
        resource?.scope === 'owned' ? resource.screen.name : [],
      ),
    )
    for (const text of texts)
      expect(
        (await found(text, stranger)).filter(({ screen }) => owned.has(screen)),
        text,
      ).toEqual([])
  })
})

describe('a search costs little', () => {
  test('phone numbers and last fours count with all others, thirty in ten minutes, and are logged without what was typed', async () => {
    const curious = await person(instance, { grants: LISTS })
    const texts = [PHONE, `司徒 ${PHONE.slice(-4)}`, PHONE]
    for (let turn = 0; turn < 29; turn += 1) expect((await askOnce(texts[turn % 3] as string, curious)).code).toBe(0)
    expect((await curious.post('/members/member/find-by-phone', { phone: PHONE })).code).toBe(0)
    expect(await askOnce(PHONE, curious)).toMatchObject({ status: 429, code: 4029 })
    expect(await ask('司徒墨染', curious)).toMatchObject({ code: 0 })
    const log = await instance.app.db.query
      .selectFrom('operation_log')
      // What people can have put there; times and ids hold any four digits sooner or later.
      .select(['diff', 'reason'])
      .where('actor_id', '=', curious.id)
      .where('action', '=', 'find-by-phone')
      .execute()
    expect(log).toHaveLength(30)
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`司徒|${PHONE.slice(-4)}`))
  })

  test('however many lists there are, it takes one statement to find and one for each list that is shown', async () => {
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    const costs: number[] = []
    try {
      while (costs.length < TRIES) {
        asked.mockClear()
        const { records, isComplete } = (await askOnce('年度', admin)).data
        if (!isComplete) continue
        const texts = asked.mock.calls.map(([query]) => (query as { text?: string })?.text ?? String(query))
        // The house looks meanwhile for calls that are due.
        expect(texts.filter(text => text.includes('union all') && !text.includes('outbox'))).toHaveLength(1)
        const lists = new Set(records.map(({ screen }) => screen)).size
        expect(lists).toBeGreaterThan(1)
        costs.push(texts.length - lists)
      }
    } finally {
      asked.mockRestore()
    }
    // The session is asked for, the search is bounded in time, and dictionaries are read once. Others of the house may ask meanwhile.
    expect(Math.min(...costs)).toBeLessThanOrEqual(8)
  })

  test('one that takes too long gives up and says that it did', async () => {
    const held = new pg.Client({ connectionString: instance.url })
    await held.connect()
    try {
      await held.query('begin; lock table member in access exclusive mode')
      expect(await askOnce('司徒墨染')).toMatchObject({ code: 0, data: { records: [], isComplete: false } })
    } finally {
      await held.end()
    }
    expect(await titles('司徒墨染')).toContain('members/member 司徒墨染')
  })

  test.each(['', '   ', 'x'.repeat(101)])('what is nothing or endless is refused: "%s"', async text => {
    expect(await ask(text)).toMatchObject({ code: 4005 })
  })
})
