import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ruleNotice } from '#areas/system/message/rule-notice.model.ts'
import { send } from '#engines/message/server.ts'
import { findWords } from '#kit/server/change/erasure-proof.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { backup } from '#kit/server/cli/backup.ts'
import { proveErased } from '#kit/server/cli/doctor-member.ts'
import { restore } from '#kit/server/cli/restore.ts'
import { tellErasures } from '#kit/server/storage/erasures.ts'
import { sweepFiles } from '#kit/server/storage/file.ts'
import { atOnce } from '#kit/server/work/job.ts'
import { grantOf, offer, order, pay, proof } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  emptyDatabase,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { handIn } from '../../../../tools/testing/works.ts'
import { jobs } from './closing.server.ts'
import type { Application } from './model.ts'

const PATH = '/members/application'
const READ = ['list', 'detail']
const DAY_MS = 86_400_000
const [NAME, GUARDIAN, BORN] = ['阚褚晞', '阚瓞', '2013-07']
const [RECEIVER, STREET, WORDS] = ['钭绥', '瀛洲里九幢', '孩子的爷爷住在瀛洲里']

let instance: TestInstance
let asker: Caller
let decider: Caller
let product: string
let phones = 0

beforeAll(async () => {
  instance = await openTestInstance()
  const member = { 'member-list': [...READ, 'update', 'noteFollowUp', 'recordConsent', 'freeze', 'unfreeze'] }
  asker = await person(instance, {
    grants: { ...member, 'apply-list': [...READ, 'create', 'withdraw', 'keepAccount'] },
  })
  decider = await person(instance, { grants: { 'apply-list': [...READ, 'approve', 'reject'], 'member-list': READ } })
  product = await offer(instance, [grantOf('MEMBER_DAYS', 30)], { priceFen: 9_900 })
})

function newPhone(): string {
  phones += 1
  return `1990000${String(phones).padStart(4, '0')}`
}

async function registered(
  phone = newPhone(),
  called: { name: string; guardianName: string; birthMonth?: string } = { name: '王小明', guardianName: '王建国' },
  at: TestInstance = instance,
): Promise<string> {
  const data = { phone, ...called, source: 'APP', channel: 'STORE' }
  expect(await sendEvent(at, 'app', { type: 'member.registered', data })).toMatchObject({ code: 0 })
  await at.inbox.sweep()
  const found = at.app.db.query.selectFrom('member').select('id').where('phone', '=', phone)
  return (await found.executeTakeFirstOrThrow()).id
}

const asked = async (memberId: string) =>
  asker.post<{ id: string }>(PATH, {
    ...{ kind: 'CLOSE', memberId, giftKind: null, quantity: null, couponId: null, newPhone: null },
    ...{ pauseFrom: null, pauseDays: null },
    ...{ reason: '监护人来信要求注销', proof: [await proof(instance, asker.id)] },
  })
async function agreed(memberId: string): Promise<string> {
  const { data } = await asked(memberId)
  expect(await decider.post(`${PATH}/${data.id}/approve`)).toMatchObject({ code: 0 })
  return data.id
}
const read = async (id: string) => (await asker.get<Application>(`${PATH}/${id}`)).data
const memberOf = async (id: string) =>
  instance.app.db.query.selectFrom('member').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
/** So many days from now. */
const runJob = (days: number) => {
  const then = new Date(instance.clock.now().getTime() + days * DAY_MS)
  return instance.app.db.write(tx => atOnce(jobs[0] as never)(ownChange(instance.app, tx, then, 'job:close')))
}

describe('closing an account', () => {
  test('waits fifteen days after somebody else has agreed, and is then done by the calendar', async () => {
    const member = await registered()
    const id = await agreed(member)
    const { closesAt, closedAt } = await read(id)
    expect([Date.parse(String(closesAt)) - instance.clock.now().getTime(), closedAt]).toEqual([15 * DAY_MS, null])
    expect(await runJob(14)).toBe(0)
    expect((await memberOf(member)).status).toBe('ACTIVE')
    expect(await runJob(15)).toBe(1)
    expect(await memberOf(member)).toMatchObject({ status: 'CLOSED', name: '已注销学员', phone: null })
    expect(await read(id)).toMatchObject({ status: 'APPROVED', reason: '-', proof: [], closedAt: expect.any(String) })
    expect(await asked(member)).toMatchObject({ code: 4006 })
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('can be taken back while it waits, from the same list, and not once it is done', async () => {
    const [kept, gone] = [await registered(), await registered()]
    const [back, done] = [await agreed(kept), await agreed(gone)]
    expect(await asker.post(`${PATH}/${back}/keepAccount`, { reason: '家长改变了主意' })).toMatchObject({ code: 0 })
    expect(await runJob(15)).toBe(1)
    expect([(await memberOf(kept)).status, (await memberOf(gone)).status]).toEqual(['ACTIVE', 'CLOSED'])
    expect((await asker.post(`${PATH}/${done}/keepAccount`, { reason: '晚了' })).code).not.toBe(0)
    expect((await read(back)).status).toBe('WITHDRAWN')
  })

  test('is refused while an order is unpaid, and what is ordered meanwhile keeps the account until it is settled', async () => {
    const member = await registered()
    const unpaid = await order(instance, member, product)
    expect(await asked(member)).toMatchObject({ code: 4006, msg: expect.stringContaining('1 order is unpaid') })
    await pay(instance, unpaid)
    await agreed(member)
    const late = await order(instance, member, product)
    expect(await runJob(15)).toBe(0)
    expect((await memberOf(member)).status).toBe('ACTIVE')
    await pay(instance, late)
    expect(await runJob(15)).toBe(1)
  })

  test('leaves nothing personal of what came through the doors, and what was paid as it was', async () => {
    const phone = newPhone()
    const member = await registered(phone, { name: NAME, guardianName: GUARDIAN, birthMonth: BORN })
    const receiver = { name: RECEIVER, phone: '18800007777', province: 'ZJ', address: STREET }
    await pay(instance, await order(instance, member, product, { receiver }))
    const noted = { followUpKind: 'PHONE', content: WORDS, nextAt: null }
    expect(await asker.post(`/members/member/${member}/noteFollowUp`, noted)).toMatchObject({ code: 0 })
    expect(await asker.post(`/members/member/${member}/freeze`, { reason: WORDS })).toMatchObject({ code: 0 })
    expect(await asker.post(`/members/member/${member}/unfreeze`, { reason: WORDS })).toMatchObject({ code: 0 })
    const consent = { consentAct: 'GIVEN', consentPurposes: ['DISPLAY'], saidAs: 'GUARDIAN', saidBy: GUARDIAN }
    const shown = {
      saidAt: instance.clock.now().toISOString(),
      textVersion: 'C1',
      consentWay: 'PAPER',
      evidence: WORDS,
      proof: [],
    }
    expect(await asker.post(`/members/member/${member}/recordConsent`, { ...consent, ...shown })).toMatchObject({
      code: 0,
    })
    const words = [NAME, GUARDIAN, BORN, RECEIVER, STREET, WORDS, phone, receiver.phone]
    const { pool } = instance.app.db.read
    expect((await findWords(pool, words)).map(({ table }) => table)).toEqual(
      expect.arrayContaining(['consent', 'follow_up', 'inbox_event', 'member', 'operation_log', 'sales_order']),
    )
    const paid = () => pool.query('select sum(paid_fen)::int as fen, count(*)::int as n from sales_order')
    const before = (await paid()).rows
    const id = await agreed(member)
    const files = () => pool.query('select id from file where page = $1 and record_id = $2', ['apply-list', id])
    const [kept] = (await files()).rows
    expect(await runJob(15)).toBe(1)
    const later = new Date(instance.clock.now().getTime() + 2 * DAY_MS)
    await sweepFiles({ ...instance.app, clock: { now: () => later } })
    expect(await findWords(pool, words)).toEqual([])
    expect([(await paid()).rows, (await files()).rows]).toEqual([before, []])
    await expect(instance.app.files.read(kept.id)).rejects.toThrow()
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('takes along what was exported or printed of lists that name the person, and waits to be fetched', async () => {
    const { app } = instance
    const made = async (kind: 'EXPORT' | 'PACK', screen: string): Promise<string> => {
      const now = app.clock.now()
      const written = await app.files.write(Buffer.from(NAME), { name: 'made.pdf', type: 'application/pdf' })
      const { id: taskId } = await app.db.query
        .insertInto('task')
        .values({
          kind,
          title: screen,
          state: 'DONE',
          owner_id: asker.id,
          request: JSON.stringify({ screen }),
          file_id: written.id,
          created_at: now,
          ended_at: now,
        } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      await app.files.keep(app.db.query, written, { purpose: 'export', ownerId: asker.id, now, taskId })
      return written.id
    }
    const named = [await made('EXPORT', 'orders/order'), await made('PACK', 'logistics/shipment')]
    const other = await made('EXPORT', 'system/dictionary')
    await agreed(await registered())
    expect(await runJob(15)).toBe(1)
    const left = await app.db.query
      .selectFrom('file')
      .select('id')
      .where('id', 'in', [...named, other])
      .execute()
    expect(left.map(({ id }) => id)).toEqual([other])
  })

  test('is not held up by others who owe something, however many of them were agreed to before', async () => {
    const owing = []
    for (let nth = 0; nth < 21; nth += 1) {
      const member = await registered()
      await agreed(member)
      owing.push(await order(instance, member, product))
    }
    const member = await registered()
    await agreed(member)
    expect(await runJob(15)).toBe(1)
    expect((await memberOf(member)).status).toBe('CLOSED')
    for (const one of owing) await pay(instance, one)
    expect([await runJob(15), await runJob(15)]).toEqual([20, 1])
  })

  test('reaches the number before a change of number, and what colleagues were told', async () => {
    const { app } = instance
    const [before, after] = [newPhone(), newPhone()]
    const member = await registered(before, { name: NAME, guardianName: GUARDIAN })
    const change = {
      ...{ kind: 'PHONE', memberId: member, giftKind: null, quantity: null, couponId: null, newPhone: after },
      ...{ pauseFrom: null, pauseDays: null, reason: '换号', proof: [await proof(instance, asker.id)] },
    }
    const { data } = await asker.post<{ id: string }>(PATH, change)
    expect(await decider.post(`${PATH}/${data.id}/approve`)).toMatchObject({ code: 0 })
    expect((await memberOf(member)).phone).toBe(after)
    await sendEvent(instance, 'sms', { type: 'sms.replied', data: { phone: before, text: 'R' } })
    await instance.inbox.sweep()
    const told = { to: { staffId: asker.id, address: null }, about: `told:${member}`, wordsOf: member }
    const values = { text: `${NAME}想换老师`, no: 'X1' }
    await app.db.write(tx => send(ownChange(app, tx, app.clock.now(), 'test'), ruleNotice, { ...told, values }))
    const words = [NAME, before, after]
    expect((await findWords(app.db.read.pool, words)).map(({ table }) => table)).toEqual(
      expect.arrayContaining(['message', 'refused_number']),
    )
    await agreed(member)
    expect(await runJob(15)).toBe(1)
    expect(await findWords(app.db.read.pool, words)).toEqual([])
  })

  test('ends what lies on a desk, begins exports under way anew, and takes along what is written afterwards', async () => {
    const { app } = instance
    const desk = await person(instance, { grants: { 'opus-list': [...READ, 'take', 'overturn', 'showAgain'] } })
    const member = await registered()
    const [held, said] = [await handIn(instance, member), await handIn(instance, member)]
    for (const id of [held, said]) expect(await desk.post(`/members/work/${id}/take`)).toMatchObject({ code: 0 })
    const comment = { marks: [], scores: { strokes: 8, structure: 8, layout: 8 }, words: WORDS }
    expect(await desk.post(`/members/work/${said}/comment`, comment)).toMatchObject({ code: 0 })
    const { id: exporting } = await app.db.query
      .insertInto('task')
      .values({
        ...{ kind: 'EXPORT', title: 'x', state: 'RUNNING', attempts: 1, owner_id: asker.id },
        ...{ request: JSON.stringify({ screen: 'members/member' }), created_at: app.clock.now() },
        heartbeat_at: app.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await agreed(member)
    expect(await runJob(15)).toBe(1)
    const task = app.db.query.selectFrom('task').select(['state', 'attempts']).where('id', '=', exporting)
    // As the first try has it, its end is refused.
    expect(await task.executeTakeFirstOrThrow()).not.toEqual({ state: 'RUNNING', attempts: 1 })
    const works = await app.db.query
      .selectFrom('work')
      .select('status')
      .where('member_id', '=', member)
      .orderBy('id')
      .execute()
    expect(works.map(({ status }) => status)).toEqual(['HIDDEN', 'RELEASED'])
    expect((await desk.post(`/members/work/${held}/comment`, comment)).code).not.toBe(0)
    expect((await desk.post(`/members/work/${said}/take-back`)).code).not.toBe(0)
    const again = { reason: WORDS }
    expect((await desk.post(`/members/work/${held}/showAgain`, again)).msg).toContain('closed')
    // Somebody was about to write it as the account was closed.
    await app.db.query.updateTable('work_comment').set({ words: WORDS }).where('work_id', '=', said).execute()
    // Twenty of the closed accounts at once.
    for (let turn = 0; turn < 3; turn += 1) await runJob(17)
    expect(await findWords(app.db.read.pool, [WORDS])).toEqual([])
    await app.db.query.deleteFrom('task').where('id', '=', exporting).execute()
  })

  test('is done anew by the calendar where an older copy of the member was brought back, and doctor tells both', async () => {
    const [member, phone] = [await registered(), newPhone()]
    await agreed(member)
    expect(await runJob(15)).toBe(1)
    const doctor = () => proveErased({ env: instance.app.env, db: instance.app.db }, member)
    expect(await doctor()).toBe(0)
    const older = { name: '旧名字', phone, status: 'ACTIVE' as const }
    await instance.app.db.query.updateTable('member').set(older).where('id', '=', member).execute()
    const broken = await findBroken(instance.app.db, instance.catalogue, name => name.startsWith('whose account'))
    expect([await doctor(), broken.length]).toEqual([1, 1])
    expect(await runJob(16)).toBe(1)
    expect([(await memberOf(member)).status, await doctor()]).toEqual(['CLOSED', 0])
  })

  test('is done again where an older backup was brought back whole, and to nobody who joined since under the same id', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'closing-'))
    const [data, copied, to] = ['data', 'copied', 'backup'].map(name => join(folder, name)) as [string, string, string]
    const settings = (url: string, dataDir: string) => ({
      ...instance.app.env,
      ...{ DATABASE_URL: url, DATA_DIR: dataDir },
    })
    const here = settings(instance.url, data)
    const [phone, later] = [newPhone(), newPhone()]
    const member = await registered(phone, { name: NAME, guardianName: GUARDIAN })
    expect(await backup(['--to', to], here)).toBe(0)
    const newcomer = await registered(later)
    await Promise.all([agreed(member), agreed(newcomer)])
    expect(await runJob(15)).toBe(2)
    await instance.app.db.write(tx => tellErasures(here, tx))

    const empty = await emptyDatabase()
    const there = settings(empty.url, copied)
    expect(await restore(['--from', to, '--before', data], there)).toBe(0)
    const copy = await openTestInstance({ url: empty.url, env: { DATA_DIR: copied } })
    copy.clock.forward(16 * DAY_MS)
    const standing = () => copy.app.db.query.selectFrom('member').select(['id', 'phone']).orderBy('id').execute()
    expect(await standing()).toContainEqual({ id: member, phone })
    // Who registers in the copy is given the id of somebody the backup never knew.
    const other = await registered(newPhone(), undefined, copy)
    expect(other).toBe(newcomer)
    const run = () =>
      copy.app.db.write(tx => atOnce(jobs[0] as never)(ownChange(copy.app, tx, copy.clock.now(), 'job:close')))
    expect([await run(), await run()]).toEqual([1, 0])
    expect((await standing()).filter(({ id }) => [member, other].includes(id))).toEqual([
      { id: member, phone: null },
      { id: other, phone: expect.any(String) },
    ])
    expect(await findWords(copy.app.db.read.pool, [NAME, GUARDIAN, phone])).toEqual([])
    expect(await copy.app.db.query.selectFrom('erasure_heard').selectAll().execute()).toEqual([])
    expect(await findBroken(copy.app.db, copy.catalogue)).toEqual([])
    await copy.close()
    await empty.drop()
    await rm(folder, { recursive: true })
  })
})
