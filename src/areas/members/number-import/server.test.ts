import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadGivenUp, reopenLead } from '#engines/lead/ending.server.ts'
import { giveLeads, noteReached } from '#engines/lead/owning.server.ts'
import type { Change } from '#kit/server/app.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { LIST_SAID, sendFile, settled } from '../../../../tools/testing/import.ts'
import { type Caller, openTestInstance, org, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { IS_LONG } from '../../../../tools/testing/long.ts'
import { download } from '../../../../tools/testing/sheet.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { FUNNEL, type FunnelStep, leftOut, type NumberBatch, reachedBy, whyNotSaid } from './model.ts'

const PAGE = 'member-salePhone'
const PATH = '/members/number-import'
const HEAD = ['手机号', '称呼', '来源', '渠道', '联系依据', '归属人账号']
const SIZE = IS_LONG ? 100_000 : 4_000

let instance: TestInstance
let folder: string
let clerk: Caller & { orgId: string }
let account: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-numbers-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  const grants = { [PAGE]: ['list', 'detail', 'import', 'undoImport'], 'member-list': ['list', 'own'] }
  clerk = await person(instance, { grants })
  const own = instance.app.db.query.selectFrom('staff').select('account').where('id', '=', clerk.id)
  account = (await own.executeTakeFirstOrThrow()).account
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  await rm(folder, { recursive: true, force: true })
})

let counter = PHONES.test + 1_000_000
function newPhone(): string {
  counter += 1
  return phoneAt(counter)
}
const line = (phone: string, owner = '') => [phone, '', '公益课学校', 'SCHOOL', '学校报名', owner]

async function checked(rows: readonly (readonly string[])[], by: Caller = clerk, said: object = LIST_SAID) {
  const file = Buffer.from([HEAD, ...rows].map(cells => cells.join(',')).join('\n'))
  const { data } = await sendFile(instance, by, `${PATH}/import`, file, 'numbers.csv')
  expect(await by.post(`${PATH}/import/${data.id}/check`, { mapping: data.mapping, said })).toMatchObject({ code: 0 })
  return settled(by, `${PATH}/import`, data.id, 600_000)
}
async function ran(rows: readonly (readonly string[])[], said: object = LIST_SAID) {
  const { id } = await checked(rows, clerk, said)
  expect(await clerk.post(`${PATH}/import/${id}/run`)).toMatchObject({ code: 0 })
  return settled(clerk, `${PATH}/import`, id, 600_000)
}
const newest = async () => (await clerk.get<{ records: NumberBatch[] }>(PATH)).data.records[0] as NumberBatch
const numbers = async (id: string) =>
  (await clerk.get<{ records: { phone: string; result: string; ownerId: string | null }[] }>(`${PATH}/${id}/numbers`))
    .data.records
const leads = (phones: readonly string[]) =>
  instance.app.db.query
    .selectFrom('lead')
    .select(['id', 'phone', 'status', 'owner_id'])
    .where('phone', 'in', [...phones])
    .execute()

test('rows left out are told apart by the first thing that speaks against each', () => {
  const refused = {
    'kit/server/import:row-twice': 3,
    'number-known': 4,
    'kit/server/import:row-imported': 1,
    'kit:phone-invalid': 2,
  }
  expect(leftOut(refused)).toEqual({ repeatedRows: 3, knownRows: 5, badRows: 2 })
})

test.each([
  ['is needed where people agreed', 'AGREED', null, 'evidence-missing'],
  ['is there where they did', 'AGREED', '报名表', undefined],
  ['is not asked for where nobody did', 'NOT_AGREED', null, undefined],
] as const)('what shows that people agreed %s', (_, marketing, evidence, code) => {
  const said = { cameFrom: 'SCHOOL', marketing, evidence, giveToId: null, dealToId: null }
  expect(whyNotSaid(said).evidence?.code).toBe(code)
})

describe('a list of numbers', () => {
  test('makes a lead of each new number, and says of the others whether they are bad, repeated or known', async () => {
    const [first, second] = [newPhone(), newPhone()]
    const memberId = await enrol(instance)
    const member = instance.app.db.query.selectFrom('member').select('phone').where('id', '=', memberId)
    const { phone } = await member.$narrowType<{ phone: string }>().executeTakeFirstOrThrow()
    const batch = await ran([
      line(`+86 ${first.slice(0, 3)}-${first.slice(3)}`, account),
      line(first),
      line('12345'),
      line(phone),
      line(second),
      line(newPhone(), 'nobody-here'),
    ])
    expect(batch).toMatchObject({ state: 'DONE', doneRows: 2, badRows: 4 })
    const { data } = await clerk.get<{ records: { no: number; faults: { column: string; reason: string }[] }[] }>(
      `${PATH}/import/${batch.id}/rows?kind=bad`,
    )
    const [phoneHead, ownerHead] = [HEAD[0], HEAD.at(-1)]
    const told = data.records.map(({ no, faults }) => [no, ...faults.flatMap(({ column, reason }) => [column, reason])])
    expect(told).toEqual([
      [3, phoneHead, 'The same as row 2'],
      [4, phoneHead, expect.any(String)],
      [5, phoneHead, expect.stringMatching(/^Already known/)],
      [7, ownerHead, expect.stringMatching(/^No such account/)],
    ])
    const errors = await readXlsx((await download(instance, clerk, `${PATH}/import/${batch.id}/errors`)).bytes)
    expect(errors.sheets[0]?.rows.map(row => row.slice(0, 3))).toEqual([['Row', 'Column', 'Reason'], ...told])
    const kept = await newest()
    const counted = {
      allRows: 6,
      newRows: 2,
      contacted: 0,
      added: 0,
      repeatedRows: 1,
      knownRows: 1,
      badRows: 2,
      allocated: 1,
    }
    expect(kept).toMatchObject({ ...counted, status: 'KEPT', title: 'numbers.csv' })
    expect(await numbers(kept.id)).toMatchObject([
      { phone: `${first.slice(0, 3)}****${first.slice(-4)}`, result: 'OPEN', ownerId: clerk.id },
      { result: 'OPEN', ownerId: null },
    ])
  })

  test('tells nobody by a look which numbers are known to others, and leaves them out once it is run', async () => {
    const grants = { [PAGE]: ['list', 'detail', 'import'], 'member-list': ['list', 'own'] }
    const seller = await person(instance, { grants, scope: 'SELF' })
    const phoneOf = async (owner: Caller & { orgId: string }) => {
      const id = await enrol(instance, { ownerId: owner.id, orgId: owner.orgId })
      const found = instance.app.db.query.selectFrom('member').select('phone').where('id', '=', id)
      return String((await found.executeTakeFirstOrThrow()).phone)
    }
    const [own, theirs] = [await phoneOf(seller), await phoneOf(clerk)]
    const batch = await checked([line(own), line(theirs), line(newPhone())], seller)
    expect(batch).toMatchObject({ state: 'CHECKED', goodRows: 2, badRows: 1 })
    const shown = await seller.get<{ records: { no: number }[] }>(`${PATH}/import/${batch.id}/rows?kind=bad`)
    expect(shown.data.records.map(({ no }) => no)).toEqual([2])
    expect(await seller.post(`${PATH}/import/${batch.id}/run`)).toMatchObject({ code: 0 })
    expect(await settled(seller, `${PATH}/import`, batch.id)).toMatchObject({ doneRows: 1, failedRows: 1 })
  })

  test('that another list was quicker with is known by the time it is run, and counted so', async () => {
    const [both, alone] = [newPhone(), newPhone()]
    const late = await checked([line(both), line(alone)])
    await ran([line(both)])
    await clerk.post(`${PATH}/import/${late.id}/run`)
    expect(await settled(clerk, `${PATH}/import`, late.id)).toMatchObject({ doneRows: 1, failedRows: 1 })
    expect(await newest()).toMatchObject({ allRows: 2, newRows: 1, knownRows: 1 })
  })

  test('tells how many of its people registered, and how many led nowhere do not come again', async () => {
    const [comes, nowhere] = [newPhone(), newPhone()]
    await ran([line(comes, account), line(nowhere)])
    const data = { phone: comes, name: '林小满', source: 'APP', channel: 'STORE' }
    await sendEvent(instance, 'app', { id: `registers-${comes}`, type: 'member.registered', data })
    await instance.inbox.sweep()
    const [lead] = await leads([nowhere])
    await instance.app.db.write(tx =>
      leadGivenUp(ownChange(instance.app, tx, instance.clock.now(), 'test'), String(lead?.id), 'INVALID'),
    )
    const kept = await newest()
    expect(kept).toMatchObject({ newRows: 2, registered: 1, paid: 0 })
    expect((await numbers(kept.id)).map(({ result }) => result)).toEqual(['REGISTERED', 'INVALID'])
    expect(await checked([line(nowhere), line(comes)])).toMatchObject({ goodRows: 0, badRows: 2 })
  })

  test('counts how far its numbers have come, whoever brings them there, and tells in whose hands they are', async () => {
    const [given, late, waits] = [newPhone(), newPhone(), newPhone()]
    await ran([line(given, account), line(late), line(waits)])
    const batch = await newest()
    expect(batch).toMatchObject({ newRows: 3, allocated: 1, contacted: 0, added: 0, registered: 0, paid: 0 })
    const other = await person(instance, { grants: { 'member-list': ['own'] } })
    const [[first], [second]] = [await leads([given]), await leads([late])]
    const work = <T>(step: (change: Change) => Promise<T>) =>
      instance.app.db.write(tx => step(ownChange(instance.app, tx, instance.clock.now(), 'test')))
    await work(change => giveLeads(change, [String(second?.id)], { id: other.id, orgId: other.orgId }, 'ALLOCATED'))
    await work(change => noteReached(change, String(first?.id), 'CONTACTED'))
    await work(change => noteReached(change, String(first?.id), 'ADDED'))
    const { data } = await clerk.get<NumberBatch>(`${PATH}/${batch.id}`)
    expect(data).toMatchObject({ newRows: 3, allocated: 2, contacted: 1, added: 1, registered: 0, paid: 0 })
    expect(data.givenTo.map(({ id, count }) => [id, count])).toEqual([
      [clerk.id, 1],
      [other.id, 1],
    ])
    // Each figure opens the numbers it counts.
    const opened = async (step: FunnelStep) => {
      const reached = reachedBy(step).map(one => `reached=${one}`)
      return (await clerk.get<{ total: number }>(`${PATH}/${batch.id}/numbers?${reached.join('&')}`)).data.total
    }
    for (const step of FUNNEL) expect(await opened(step), step).toBe(data[step])
    const held = await clerk.get<{ total: number }>(`${PATH}/${batch.id}/numbers?heldBy=${other.id}`)
    expect(held.data.total).toBe(1)
  })

  test('finds its own numbers whole or by their last four digits, counted with all searches, and no part of one otherwise', async () => {
    const [one, other, elsewhere] = [newPhone(), newPhone(), newPhone()]
    await ran([line(elsewhere)])
    await ran([line(one), line(other)])
    const { id } = await newest()
    const looker = await person(instance, { grants: { [PAGE]: ['list', 'detail'] } })
    const find = (phone: string, by: Caller = looker) =>
      by.post<{ field: string; ids: string[] }>(`${PATH}/${id}/numbers/find-by-phone`, { phone })
    const found = async (phone: string) => {
      const { data } = await find(phone)
      expect(data.field).toBe('id')
      const asked = data.ids.map(row => `id=${row}`).join('&')
      if (asked === '') return []
      const { records } = (await looker.get<{ records: { rowNo: number }[] }>(`${PATH}/${id}/numbers?${asked}`)).data
      return records.map(({ rowNo }) => rowNo)
    }
    expect(await found(one)).toEqual([2])
    expect(await found(`+86 ${other.slice(0, 3)} ${other.slice(3)}`)).toEqual([3])
    expect(await found(one.slice(-4))).toEqual([2])
    // Of another list, as if there were none.
    expect(await found(elsewhere)).toEqual([])
    for (const part of [one.slice(0, 7), one.slice(-5), '张 1234']) expect((await find(part)).code).toBe(4005)
    const stranger = await person(instance, { grants: { [PAGE]: ['list', 'detail'] }, scope: 'SELF' })
    expect((await find(one, stranger)).status).toBe(404)
    const logged = instance.app.db.query
      .selectFrom('operation_log')
      .select('action')
      .where('page', '=', PAGE)
      .where('actor_id', '=', looker.id)
      .where('action', '=', 'find-by-phone')
    expect(await logged.execute()).toHaveLength(4)
    for (let more = 0; more < 26; more += 1) await find(one)
    expect((await find(one)).status).toBe(429)
  })

  test('says where it is from and what shows that its people agreed to advertising; without that nothing is agreed', async () => {
    const own = newPhone()
    const shown = { cameFrom: 'REFERRAL', marketing: 'AGREED', evidence: '报名表第 3 条' }
    const agreed = { ...LIST_SAID, ...shown }
    await ran([[own, '', '', 'SCHOOL', '学校报名', '']], agreed)
    expect(await newest()).toMatchObject(shown)
    const lead = instance.app.db.query.selectFrom('lead').select('source').where('phone', '=', own)
    expect((await lead.executeTakeFirstOrThrow()).source).toBe('REFERRAL')
    const file = Buffer.from([HEAD, line(newPhone())].map(cells => cells.join(',')).join('\n'))
    const { data } = await sendFile(instance, clerk, `${PATH}/import`, file, 'numbers.csv')
    const check = (said?: object) =>
      clerk.post<{ fields?: object }>(`${PATH}/import/${data.id}/check`, {
        mapping: data.mapping,
        ...(said && { said }),
      })
    for (const [said, field] of [
      [{ ...agreed, evidence: null }, 'evidence'],
      [{ ...agreed, cameFrom: 'NOWHERE' }, 'cameFrom'],
      [undefined, 'said'],
    ] as const)
      expect(Object.keys((await check(said)).data.fields ?? {}).join()).toContain(field)
    expect((await check({ ...agreed, evidence: null })).data.fields).toEqual({
      'said.evidence': 'State what shows that they agreed',
    })
    expect(await check({ ...agreed, marketing: 'NOT_AGREED', evidence: null })).toMatchObject({ code: 0 })
  })

  test('goes to one colleague or to those of a department in turn, where the file names nobody, as whoever brings it says', async () => {
    const orgId = await org(instance)
    const sells = { grants: { 'member-list': ['own'] }, orgId }
    const [first, second, paused] = [
      await person(instance, sells),
      await person(instance, sells),
      await person(instance, sells),
    ]
    await person(instance, { grants: {}, orgId })
    await instance.app.db.query
      .insertInto('consultant')
      .values({ staff_id: paused.id, owner_id: paused.id, org_id: orgId, status: 'PAUSED' })
      .execute()
    const held = async (id: string) => (await clerk.get<NumberBatch>(`${PATH}/${id}`)).data.givenTo
    const lines = Array.from({ length: 5 }, () => line(newPhone()))
    await ran([...lines, line(newPhone(), account)], { ...LIST_SAID, dealToId: orgId })
    const dealt = await held((await newest()).id)
    expect(new Map(dealt.map(({ id, count }) => [id, count]))).toEqual(
      new Map([
        [first.id, 3],
        [second.id, 2],
        [clerk.id, 1],
      ]),
    )
    await ran([line(newPhone()), line(newPhone())], { ...LIST_SAID, giveToId: second.id })
    expect((await held((await newest()).id)).map(({ id, count }) => [id, count])).toEqual([[second.id, 2]])
    const file = Buffer.from([HEAD, line(newPhone())].map(cells => cells.join(',')).join('\n'))
    const { data } = await sendFile(instance, clerk, `${PATH}/import`, file, 'numbers.csv')
    const both = { ...LIST_SAID, giveToId: second.id, dealToId: orgId }
    expect(await clerk.post(`${PATH}/import/${data.id}/check`, { mapping: data.mapping, said: both })).toMatchObject({
      data: { fields: { 'said.dealToId': expect.stringContaining('not both') } },
    })
  })

  test('has a number open again once somebody takes back that it leads nowhere', async () => {
    const phone = newPhone()
    await ran([line(phone)])
    const [lead] = await leads([phone])
    const invalid = (change: Change, id: string) => leadGivenUp(change, id, 'INVALID')
    for (const step of [invalid, reopenLead])
      await instance.app.db.write<unknown>(tx =>
        step(ownChange(instance.app, tx, instance.clock.now(), 'test'), String(lead?.id)),
      )
    expect(await numbers((await newest()).id)).toMatchObject([{ result: 'OPEN' }])
  })

  test('is taken back whole while nobody touched it, and not at all when one was touched, who is named', async () => {
    const [untouched, touched] = [newPhone(), newPhone()]
    const first = await ran([line(untouched, account)])
    const second = await ran([line(touched), line(newPhone())])
    const [lead] = await leads([touched])
    await instance.app.db.write(tx =>
      leadGivenUp(ownChange(instance.app, tx, instance.clock.now(), 'test'), String(lead?.id), 'INVALID'),
    )
    await clerk.post(`${PATH}/import/${second.id}/undo`)
    expect(await settled(clerk, `${PATH}/import`, second.id)).toMatchObject({
      state: 'DONE',
      error: expect.stringContaining(`${touched.slice(0, 3)}****${touched.slice(-4)}`),
    })
    expect(await newest()).toMatchObject({ status: 'KEPT', newRows: 2 })
    await clerk.post(`${PATH}/import/${first.id}/undo`)
    expect(await settled(clerk, `${PATH}/import`, first.id)).toMatchObject({ state: 'UNDONE', error: null })
    expect(await leads([untouched])).toEqual([])
  })
})

test(`${SIZE} rows with one in a hundred bad, one in two hundred repeated and one in two hundred known are counted exactly`, async () => {
  const known = Array.from({ length: SIZE / 200 }, newPhone)
  await ran(known.map(phone => line(phone)))
  const rows = Array.from({ length: SIZE }, (_, at) => {
    if (at % 100 === 7) return line(`12${at}`)
    if (at % 200 === 50) return line(known[(at - 50) / 200] as string)
    return line(newPhone())
  }).map((row, at, all) => (at % 200 === 90 ? (all[at - 1] as string[]) : row))
  const batch = await ran(rows)
  const part = SIZE / 200
  expect(batch).toMatchObject({ state: 'DONE', allRows: SIZE, doneRows: SIZE - 4 * part, badRows: 4 * part })
  expect(await newest()).toMatchObject({
    newRows: SIZE - 4 * part,
    badRows: 2 * part,
    repeatedRows: part,
    knownRows: part,
  })
  await clerk.post(`${PATH}/import/${batch.id}/undo`)
  expect(await settled(clerk, `${PATH}/import`, batch.id, 600_000)).toMatchObject({ state: 'UNDONE' })
  expect(await newest()).toMatchObject({ status: 'UNDONE', newRows: 0, allocated: 0 })
}, 900_000)
