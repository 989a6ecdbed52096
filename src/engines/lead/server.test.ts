import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { beginRun } from '#kit/server/work/job.ts'
import { grantOf, offer } from '../../../tools/testing/commerce.ts'
import { insist, openTestInstance, person, type TestInstance } from '../../../tools/testing/instance.ts'
import { somebodyWaits } from '../../../tools/testing/locks.ts'
import { memberHandedOver, writeOwnerChange } from '../../areas/members/member/handing-over.server.ts'
import { memberPaid } from '../../areas/members/member/paying.server.ts'
import { events } from '../../areas/members/member/server.ts'
import { staffHandedOver } from '../../areas/organisation/staff/belongings.server.ts'
import { PHONES, phoneAt } from '../../demo/builders.server.ts'
import { leadGivenUp, leadsTried, reopenLead, takeBackLeads } from './ending.server.ts'
import { forgetNumber } from './forgetting.server.ts'
import type { Arrival, Owner } from './model.ts'
import { giveLeads, handOverLeads, returnLeads } from './owning.server.ts'
import { arrive, jobs } from './server.ts'
import { touchMembers } from './touching.server.ts'

let instance: TestInstance
let owner: Owner
let other: Owner
let productId: string

beforeAll(async () => {
  instance = await openTestInstance()
  const own = { 'member-list': ['list', 'detail', 'own'] }
  owner = await person(instance, { grants: own })
  other = await person(instance, { grants: own, name: '接手人' })
  productId = await offer(instance, [grantOf('MEMBER_DAYS', 30)])
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

let counter = PHONES.test + 40_000
function newPhone(): string {
  counter += 1
  return phoneAt(counter)
}
const arrival = (phone: string, more: Partial<Arrival> = {}): Arrival => ({
  phone,
  name: null,
  source: 'DOUYIN',
  channel: 'DOUYIN_LIVE',
  consent: 'APP',
  cameBy: 'REGISTRATION',
  key: 'registration',
  owner: null,
  ...more,
})
const comes = async (phone: string, more: Partial<Arrival> = {}) => {
  const [arrived] = await instance.changing(change => arrive(change, [arrival(phone, more)]))
  return arrived as NonNullable<typeof arrived>
}
const leadOf = async (phone: string) => String((await comes(phone)).leadId)
const leads = (phone: string) =>
  instance.app.db.query.selectFrom('lead').selectAll().where('phone', '=', phone).orderBy('id').execute()
const spans = (leadId: string) =>
  instance.app.db.query
    .selectFrom('lead_owner')
    .select(['owner_id', 'got', 'until', 'end_kind', 'end_reason'])
    .where('lead_id', '=', leadId)
    .orderBy('id')
    .execute()
const register = (phone: string) =>
  insist(() =>
    instance.app.db.write(async tx => {
      const event = events.find(({ type }) => type === 'member.registered')
      const data = event?.data.parse({ phone, name: '林小满', source: 'APP', channel: 'STORE' })
      const { app, clock } = instance
      await event?.apply({ app, tx, now: clock.now(), source: 'app', key: `register-${phone}` }, data)
    }),
  )
const memberOf = (phone: string) =>
  instance.app.db.query.selectFrom('member').selectAll().where('phone', '=', phone).executeTakeFirst()

describe('a number that comes', () => {
  test('is one open lead, however many bring it at once, and its path counts them', async () => {
    const phone = newPhone()
    const all = await Promise.all(Array.from({ length: 50 }, () => comes(phone)))
    expect(all.filter(({ result }) => result === 'NEW')).toHaveLength(1)
    const found = await leads(phone)
    expect(found).toMatchObject([{ status: 'UNASSIGNED', owner_id: null }])
    const path = instance.app.db.query
      .selectFrom('lead_touch')
      .select('times')
      .where('lead_id', '=', found[0]?.id ?? '')
    expect(await path.execute()).toEqual([{ times: 50 }])
  })

  test('twice in one list is one lead', async () => {
    const phone = newPhone()
    const twice = await instance.changing(change => arrive(change, [arrival(phone), arrival(phone, { key: 'again' })]))
    expect(twice.map(({ result }) => result)).toEqual(['NEW', 'OPEN'])
    expect(await leads(phone)).toHaveLength(1)
  })

  test('of a member makes no lead', async () => {
    const phone = newPhone()
    await register(phone)
    expect(await comes(phone)).toEqual({ phone, result: 'MEMBER', leadId: null })
    expect(await leads(phone)).toEqual([])
  })

  test('from a list leaves an open lead as it is: neither its owner nor its path changes', async () => {
    const phone = newPhone()
    await comes(phone, { owner })
    const [before] = await leads(phone)
    expect(await comes(phone, { cameBy: 'IMPORT', key: 'list', owner: other })).toMatchObject({ result: 'OPEN' })
    expect(await leads(phone)).toEqual([before])
  })

  test('again after the lead ended is a new one', async () => {
    const phone = newPhone()
    const id = await leadOf(phone)
    await instance.changing(change => leadGivenUp(change, id, 'INVALID'))
    expect(await comes(phone)).toMatchObject({ result: 'NEW' })
    expect((await leads(phone)).map(({ status }) => status)).toEqual(['INVALID', 'UNASSIGNED'])
  })

  test('while its person registers ends as a member and never as an open lead beside one', async () => {
    const phones = Array.from({ length: 25 }, newPhone)
    await Promise.all(phones.flatMap(phone => [comes(phone), register(phone)]))
    const open = await sql`
      select from lead where phone = any(${phones}::text[]) and ended_at is null and member_id is null`.execute(
      instance.app.db.query,
    )
    expect(open.rows).toEqual([])
    for (const phone of phones) expect(await memberOf(phone)).toBeDefined()
  })
})

describe('whoever registers', () => {
  test('is tied to the lead, which is followed on, and keeps its owner and where it came from', async () => {
    const phone = newPhone()
    const { leadId } = await comes(phone, { owner })
    await register(phone)
    const member = await memberOf(phone)
    expect(member).toMatchObject({ owner_id: owner.id, org_id: owner.orgId, channel: 'DOUYIN_LIVE', source: 'DOUYIN' })
    expect(await leads(phone)).toMatchObject([
      { status: 'TRIAL', member_id: member?.id, owner_id: owner.id, ended_at: null, registered_at: expect.anything() },
    ])
    expect(await spans(String(leadId))).toMatchObject([{ owner_id: owner.id, until: null }])
  })

  test('and pays is a deal, once, of whoever followed it then', async () => {
    const phone = newPhone()
    const { leadId } = await comes(phone, { owner })
    await register(phone)
    const memberId = String((await memberOf(phone))?.id)
    for (const _ of [1, 2])
      await instance.changing(change => announce(change, memberPaid, { memberId, paidFen: 99_00 }))
    expect(await leads(phone)).toMatchObject([{ status: 'DEAL', owner_id: owner.id, ended_at: expect.anything() }])
    expect(await spans(String(leadId))).toMatchObject([{ owner_id: owner.id, end_kind: 'DEAL' }])
  })

  test('has come as far as ever, whatever becomes of it later', async () => {
    const phone = newPhone()
    const { leadId } = await comes(phone, { owner })
    const far = async () => (await leads(phone))[0]?.furthest
    expect(await far()).toBe('CAME')
    await register(phone)
    expect(await far()).toBe('REGISTERED')
    const memberId = String((await memberOf(phone))?.id)
    await instance.changing(change => leadsTried(change, memberId))
    await instance.changing(change => leadGivenUp(change, String(leadId), 'LOST'))
    expect(await far()).toBe('TRIED')
    await instance.changing(change => reopenLead(change, String(leadId)))
    await instance.changing(change => announce(change, memberPaid, { memberId, paidFen: 100 }))
    await instance.changing(change => leadsTried(change, memberId))
    expect(await far()).toBe('PAID')
  })

  test('and tries a lesson after the lead was given up has tried one', async () => {
    const phone = newPhone()
    const { leadId } = await comes(phone, { owner })
    await register(phone)
    await instance.changing(change => leadGivenUp(change, String(leadId), 'LOST'))
    const memberId = String((await memberOf(phone))?.id)
    await instance.changing(change => leadsTried(change, memberId))
    expect(await leads(phone)).toMatchObject([{ status: 'LOST', furthest: 'TRIED' }])
  })

  test('goes on with all its number came by, also before it was given up once', async () => {
    const phone = newPhone()
    const first = await comes(phone, { key: 'form:a', cameBy: 'FORM' })
    await instance.changing(change => leadGivenUp(change, String(first.leadId), 'INVALID'))
    await comes(phone, { key: 'form:b', cameBy: 'FORM', link: { code: 'abcd2345', productId } })
    await register(phone)
    await comes(phone, { key: 'form:c', cameBy: 'FORM' })
    const memberId = String((await memberOf(phone))?.id)
    const touches = instance.app.db.query.selectFrom('lead_touch').select('key').where('member_id', '=', memberId)
    const keys = (await touches.execute()).map(({ key }) => key)
    expect(keys.sort()).toEqual(['form:a', 'form:b', 'form:c', 'link:abcd2345', 'registered'])
  })

  test('from a lead that is nobody’s waits with it in the pool', async () => {
    const phone = newPhone()
    await comes(phone)
    await register(phone)
    expect(await leads(phone)).toMatchObject([{ status: 'UNASSIGNED', owner_id: null, member_id: expect.anything() }])
  })

  test('without a lead is a member as before, of the source the app names', async () => {
    const phone = newPhone()
    await register(phone)
    expect(await memberOf(phone)).toMatchObject({ owner_id: null, channel: 'STORE', source: 'APP' })
  })
})

describe('the product a lead names', () => {
  const named = async (phone: string) => (await leads(phone)).at(-1)?.product_id
  const another = () => offer(instance, [grantOf('MEMBER_DAYS', 7)])

  test('is what the link sells it came by, before what it was begun with, in whatever order both are told', async () => {
    const begun = { key: 'registration', productId: await another() }
    const linked = { key: 'form:linked', cameBy: 'FORM', link: { code: 'prod2345', productId } } as const
    for (const told of [
      [begun, linked],
      [linked, begun],
    ]) {
      const phone = newPhone()
      for (const more of told) await comes(phone, more)
      expect(await named(phone)).toBe(productId)
    }
  })

  test('is what was bought on a platform, before what it was begun with', async () => {
    const phone = newPhone()
    await comes(phone, { productId: await another() })
    await register(phone)
    const came = { source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'PLATFORM_ORDER' }
    const bought = { ...came, key: 'platform:DOUYIN:1', cameBy: 'PLATFORM_ORDER', productId } as const
    const memberId = String((await memberOf(phone))?.id)
    await instance.changing(change => touchMembers(change, [{ id: memberId, touches: [bought] }]))
    expect(await named(phone)).toBe(productId)
  })

  test('is the last of two that tell it as well, and stays when something comes that names none', async () => {
    const phone = newPhone()
    await comes(phone, { key: 'form:1', cameBy: 'FORM', productId, at: new Date('2026-11-02T00:00:00Z') })
    await comes(phone, {
      key: 'form:2',
      cameBy: 'FORM',
      productId: await another(),
      at: new Date('2026-11-01T00:00:00Z'),
    })
    await comes(phone, { key: 'form:3', cameBy: 'FORM' })
    expect(await named(phone)).toBe(productId)
  })

  test('is none where nothing names one', async () => {
    const phone = newPhone()
    await comes(phone)
    expect(await named(phone)).toBeNull()
  })
})

describe('a lead in somebody’s hands', () => {
  test('keeps in dated spans who had it', async () => {
    const phone = newPhone()
    const { leadId } = await comes(phone, { owner })
    instance.clock.forward(60_000)
    await instance.changing(change => giveLeads(change, [String(leadId)], other, 'ASSIGNED'))
    instance.clock.forward(60_000)
    await instance.changing(change => returnLeads(change, [String(leadId)], { left: 'RETURNED', reason: 'NO_ANSWER' }))
    expect(await spans(String(leadId))).toMatchObject([
      { owner_id: owner.id, got: 'ALLOCATED', end_kind: 'MOVED' },
      { owner_id: other.id, got: 'ASSIGNED', end_kind: 'RETURNED', end_reason: 'NO_ANSWER' },
    ])
    expect(await leads(phone)).toMatchObject([
      { status: 'RETURNED', owner_id: null, org_id: null, previous_owner_id: other.id, times_returned: 1 },
    ])
  })

  test('goes on from whoever had it last, also where what moves it began before that', async () => {
    const phone = newPhone()
    const { app, clock } = instance
    const began = clock.now()
    clock.forward(60_000)
    const { leadId } = await comes(phone, { owner })
    const since = async () =>
      (
        await sql<{ since: string; until: string | null }>`
        select since, until from lead_owner where lead_id = ${leadId} order by id`.execute(app.db.query)
      ).rows
    await app.db.write(tx => giveLeads(ownChange(app, tx, began, 'test'), [String(leadId)], other, 'ASSIGNED'))
    const at = clock.now().toISOString()
    expect(await since()).toEqual([
      { since: at, until: at },
      { since: at, until: null },
    ])
  })

  test('that was given by mistake and taken back has not been returned', async () => {
    const phone = newPhone()
    const id = await leadOf(phone)
    await instance.changing(change => giveLeads(change, [id], owner, 'ASSIGNED'))
    await instance.changing(change => returnLeads(change, [id], { left: 'MOVED', reason: null }))
    expect(await leads(phone)).toMatchObject([{ status: 'UNASSIGNED', previous_owner_id: null, times_returned: 0 }])
  })

  test('takes its member along, and goes along with its member', async () => {
    const phone = newPhone()
    const { leadId } = await comes(phone, { owner })
    await register(phone)
    await instance.changing(change => giveLeads(change, [String(leadId)], other, 'CLAIMED'))
    expect(await memberOf(phone)).toMatchObject({ owner_id: other.id, org_id: other.orgId })
    await instance.changing(change => returnLeads(change, [String(leadId)], { left: 'EXPIRED', reason: null }))
    expect(await memberOf(phone)).toMatchObject({ owner_id: null, org_id: null })
    const memberId = String((await memberOf(phone))?.id)
    await instance.changing(async change => {
      const now = { owner_id: owner.id, org_id: owner.orgId, owner_since: change.now }
      await change.tx.updateTable('member').set(now).where('id', '=', memberId).execute()
      await writeOwnerChange(change, { memberId, fromId: null, toId: owner.id, reason: '' })
      await announce(change, memberHandedOver, { memberIds: [memberId], ownerId: owner.id, orgId: owner.orgId })
    })
    expect(await leads(phone)).toMatchObject([{ owner_id: owner.id, status: 'TRIAL' }])
  })

  test('goes along when all of that person’s work is handed over', async () => {
    const leaver = await person(instance, { grants: { 'member-list': ['own'] } })
    const [open, ended] = [newPhone(), newPhone()]
    await comes(open, { owner: leaver })
    await comes(ended, { owner: leaver })
    await register(ended)
    await instance.changing(async change => {
      const memberId = String((await memberOf(ended))?.id)
      await announce(change, memberPaid, { memberId, paidFen: 99_00 })
    })
    const to = { fromId: leaver.id, toId: other.id, toName: '接手人', orgId: other.orgId, isLeave: true }
    await instance.changing(change => announce(change, staffHandedOver, to))
    const [lead] = await leads(open)
    expect(lead).toMatchObject({ owner_id: other.id, org_id: other.orgId, status: 'ASSIGNED' })
    expect(await spans(String(lead?.id))).toMatchObject([
      { until: expect.anything() },
      { got: 'HANDED_OVER', until: null },
    ])
    expect(await leads(ended)).toMatchObject([{ owner_id: other.id, status: 'DEAL' }])
  })

  test('stays with whoever is given it in the very moment all of a leaver’s work is handed over', async () => {
    const [leaver, successor] = [await person(instance), await person(instance)]
    const phone = newPhone()
    const { leadId } = await comes(phone, { owner: leaver })
    const { app, clock } = instance
    let handedOver: Promise<void> | undefined
    await app.db.write(async tx => {
      await giveLeads(ownChange(app, tx, clock.now(), 'test'), [String(leadId)], other, 'ASSIGNED')
      const beside = app.db.query.transaction()
      handedOver = beside.execute(second =>
        handOverLeads(ownChange(app, second, clock.now(), 'test'), leaver.id, successor),
      )
      await somebodyWaits(text => sql.raw(text).execute(tx))
    })
    await handedOver
    expect(await leads(phone)).toMatchObject([{ owner_id: other.id, org_id: other.orgId }])
    expect((await spans(String(leadId))).map(({ owner_id, got }) => [owner_id, got])).toEqual([
      [leaver.id, 'ALLOCATED'],
      [other.id, 'ASSIGNED'],
    ])
  })
})

describe('a lead that ended by mistake', () => {
  test('is open again, unless somebody with the number came meanwhile', async () => {
    const [alone, followed] = [newPhone(), newPhone()]
    const ids = [await leadOf(alone), await leadOf(followed)]
    for (const id of ids) await instance.changing(change => leadGivenUp(change, id, 'INVALID'))
    await comes(followed)
    expect(await instance.changing(change => reopenLead(change, String(ids[0])))).toBe(true)
    expect(await instance.changing(change => reopenLead(change, String(ids[1])))).toBe(false)
    expect(await leads(alone)).toMatchObject([{ status: 'UNASSIGNED', ended_at: null }])
  })

  test('is not followed again once its member has paid', async () => {
    const phone = newPhone()
    const { leadId } = await comes(phone, { owner })
    await register(phone)
    const memberId = String((await memberOf(phone))?.id)
    await instance.changing(change => leadGivenUp(change, String(leadId), 'LOST'))
    await instance.changing(change => announce(change, memberPaid, { memberId, paidFen: 99_00 }))
    expect(await instance.changing(change => reopenLead(change, String(leadId)))).toBe(false)
    expect(await leads(phone)).toMatchObject([{ status: 'LOST', ended_at: expect.anything() }])
  })

  test('is taken back whole while nobody did anything with it, and named where somebody did', async () => {
    const [untouched, dealtOut, again, assigned] = [newPhone(), newPhone(), newPhone(), newPhone()]
    const ids: string[] = []
    for (const phone of [untouched, dealtOut, again, assigned]) ids.push(await leadOf(phone))
    instance.clock.forward(1_000)
    await instance.changing(change => giveLeads(change, ids.slice(1, 2), other, 'ALLOCATED'))
    await comes(again)
    await instance.changing(({ call, ...change }) =>
      giveLeads({ ...change, call: { ...call, actor: owner as never } }, ids.slice(3), other, 'ASSIGNED'),
    )
    expect(await instance.changing(change => takeBackLeads(change, ids))).toEqual([again, assigned])
    expect(await leads(untouched)).toHaveLength(1)
    expect(await instance.changing(change => takeBackLeads(change, ids.slice(0, 2)))).toEqual([])
    expect([...(await leads(untouched)), ...(await leads(dealtOut))]).toEqual([])
  })

  test('is named where it came by something else that is told only now, though it happened before', async () => {
    const phone = newPhone()
    const id = await leadOf(phone)
    const { app, clock } = instance
    const yesterday = new Date(clock.now().getTime() - 86_400_000)
    await comes(phone, { cameBy: 'FORM', key: 'form:late', at: yesterday })
    const back = () => app.db.write(tx => takeBackLeads(ownChange(app, tx, clock.now(), 'test'), [id]))
    expect(await back()).toEqual([phone])
    expect(await leads(phone)).toHaveLength(1)
  })

  const byOwner = ({ call, ...change }: Change): Change => ({ ...change, call: { ...call, actor: owner as never } })

  test('is taken back too where it was dealt out by rules somebody put in force since', async () => {
    const phone = newPhone()
    const id = await leadOf(phone)
    instance.clock.forward(1_000)
    await instance.changing(change => giveLeads(byOwner(change), [id], other, 'ALLOCATED'))
    expect(await instance.changing(change => takeBackLeads(change, [id]))).toEqual([])
    expect(await leads(phone)).toEqual([])
  })

  test('stays where somebody gets it in the very moment it would be taken back', async () => {
    const phone = newPhone()
    const id = await leadOf(phone)
    instance.clock.forward(1_000)
    const { app, clock } = instance
    // Not among the changes that stand in line: those begin anew once it is their turn.
    const beside = app.db.query.transaction()
    let taken: Promise<readonly string[]> | undefined
    await app.db.write(async tx => {
      await giveLeads(byOwner(ownChange(app, tx, clock.now(), 'test')), [id], other, 'CLAIMED')
      taken = beside.execute(second => takeBackLeads(ownChange(app, second, clock.now(), 'test'), [id]))
      await somebodyWaits(text => sql.raw(text).execute(tx))
    })
    expect(await taken).toEqual([phone])
    expect(await leads(phone)).toMatchObject([{ owner_id: other.id, status: 'ASSIGNED' }])
  })
})

describe('a number is forgotten', () => {
  test('when its person asks for it, whatever state the lead is in', async () => {
    const phone = newPhone()
    const id = await leadOf(phone)
    await instance.changing(change => forgetNumber(change, phone))
    const lead = await instance.app.db.query.selectFrom('lead').selectAll().where('id', '=', id).executeTakeFirst()
    expect(lead).toMatchObject({ phone: null, name: null, status: 'INVALID' })
  })

  test('by itself half a year after it led nowhere, and no earlier', async () => {
    const [old, late] = [newPhone(), newPhone()]
    const ids = [await leadOf(old), await leadOf(late)]
    await instance.changing(change => leadGivenUp(change, String(ids[0]), 'INVALID'))
    instance.clock.forward(179 * 86_400_000)
    await instance.changing(change => leadGivenUp(change, String(ids[1]), 'INVALID'))
    instance.clock.forward(2 * 86_400_000)
    await instance.changing(
      change =>
        jobs[0]?.work(
          change,
          beginRun([], new AbortController().signal, () => {}),
        ) ?? Promise.resolve(0),
    )
    const numbers = await sql`select phone from lead where id = any(${ids}::bigint[]) order by id`.execute(
      instance.app.db.query,
    )
    expect(numbers.rows).toEqual([{ phone: null }, { phone: late }])
  })
})
