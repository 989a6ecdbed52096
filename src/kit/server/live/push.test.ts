import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Hint, PUSHES, type PushType } from '#kit/model/contract.ts'
import { onServer } from '../../../../tools/testing/database.ts'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { listen, openSocket, sendEvent, type TestSocket } from '../../../../tools/testing/live.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import type { Source } from './event.ts'
import { push, withoutPhones } from './push.ts'

const PHONE = '13912345678'
const PAGES = [...new Set(Object.values(PUSHES).flatMap(({ page }) => (page === null ? [] : [page])))]
const ALL_PAGES = Object.fromEntries(PAGES.map(page => [page, ['list']]))

/** One event of each type, as its source sends it; `{key}` differs from run to run. */
const EVENTS: Readonly<Record<Exclude<PushType, 3>, [Source, Record<string, unknown>]>> = {
  1: ['app', { key: '{key}', phone: PHONE, product: '年度会员' }],
  2: ['app', { phone: PHONE, product: '年度会员', amountFen: 29_900, source: 'APP' }],
  4: ['app', { phone: PHONE, opusId: '77', reason: `请回电 ${PHONE}` }],
  5: ['app', { phone: PHONE, text: '静夜思' }],
  6: ['douyin', { phone: PHONE, orderNo: '{key}', product: '体验课' }],
  7: ['app', { phone: PHONE, product: '体验课' }],
  8: ['douyin', { orderNo: '{key}', leadMobile: PHONE, mobilePhone: PHONE }],
  9: ['app', { phone: PHONE, poster: '中秋' }],
  10: ['app', { phone: PHONE, waiting: 12 }],
  11: ['app', { phone: PHONE, opusId: '78' }],
}
const TYPES = Object.keys(EVENTS).map(Number) as (keyof typeof EVENTS)[]

let instance: TestInstance
let host: string
type Listener = Awaited<ReturnType<typeof person>>
let owner: Listener
beforeAll(async () => {
  instance = await openTestInstance()
  host = await listen(instance)
  owner = await person(instance, { grants: ALL_PAGES, scope: 'SELF' })
  await placeOrder(instance, { ownerId: owner.id, orgId: owner.orgId, memberName: '王小明', phone: PHONE })
})

/** Sends one event of a type and waits until it is applied. */
async function provoke(type: keyof typeof EVENTS): Promise<void> {
  const [source, data] = EVENTS[type]
  const key = randomUUID().slice(0, 8)
  const answer = await sendEvent(instance, source, {
    type: PUSHES[type].event,
    data: JSON.parse(JSON.stringify(data).replaceAll('{key}', key)),
  })
  expect(answer).toMatchObject({ code: 0, data: { repeated: false } })
  await instance.inbox.sweep()
}

/** What a socket was told so far, once everything said before has surely come. */
async function told(socket: TestSocket, { id, orgId }: Listener): Promise<PushType[]> {
  const mark = randomUUID()
  const grants = (await instance.app.sessions.actor(id))?.grants
  const page = PAGES.find(candidate => grants?.get(candidate)?.has('list'))
  if (page === undefined) {
    await delay(300)
  } else {
    const content = { type: 1, key: mark, content: '{}', page, ownerId: id, orgId } as const
    await instance.app.signals.send(instance.app.db.query, 'push', content)
    await socket.next(({ key }) => key === mark)
  }
  return typesOf(socket, mark)
}

/** What was pushed, beside the mark; the word that a record changed has no type, and a reach of its own. */
const typesOf = ({ pushes }: TestSocket, mark = ''): PushType[] =>
  pushes.filter(({ type, key }) => type !== undefined && key !== mark).map(({ type }) => type)

describe('the types of spec §7, provoked through the signed inbox', () => {
  test.each(TYPES)(
    'type %i reaches those who may open its screen and have the member in scope, and nobody else',
    async type => {
      const { page } = PUSHES[type]
      const others = Object.fromEntries(Object.entries(ALL_PAGES).filter(([key]) => key !== page))
      const may = await person(instance, { grants: { [page]: ['list'] }, scope: 'DEPARTMENT', orgId: owner.orgId })
      const mayNot = await person(instance, { grants: others })
      const elsewhere = await person(instance, { grants: ALL_PAGES, scope: 'DEPARTMENT' })
      const opensOnly = await person(instance, { grants: { [page]: [] } })
      const reached = [await openSocket(host, may.token), await openSocket(host, owner.token)]
      const missed: [TestSocket, Listener][] = []
      for (const who of [mayNot, elsewhere, opensOnly]) missed.push([await openSocket(host, who.token), who])
      await provoke(type)
      for (const socket of reached) {
        const got = await socket.next(sent => sent.type === type)
        expect(got).toEqual({ type, key: expect.any(String), content: expect.any(String), token: null })
        expect(JSON.parse(got.content)).toBeTypeOf('object')
        expect(JSON.stringify(got)).not.toContain(PHONE)
        socket.raw.close()
      }
      for (const [socket, who] of missed) {
        expect(await told(socket, who)).toEqual([])
        socket.raw.close()
      }
    },
  )

  test('a push says what it is about, with the phone masked', async () => {
    const socket = await openSocket(host, owner.token)
    await provoke(1)
    const browsed = await socket.next(({ type }) => type === 1)
    expect(JSON.parse(browsed.content)).toMatchObject({ product: '年度会员', name: '王小明', phone: '139****5678' })
    await provoke(2)
    const placed = await socket.next(({ type }) => type === 2)
    const { orderNo } = JSON.parse(placed.content)
    expect(JSON.parse(placed.content)).toMatchObject({ name: '王小明', amountFen: 29_900 })
    expect(placed.key).toBe(orderNo)
    await provoke(4)
    const failed = await socket.next(({ type }) => type === 4)
    expect(JSON.parse(failed.content).reason).toBe('请回电 139****5678')
    socket.raw.close()
  })

  test("what a pupil did reaches the pupil's teacher and whoever leads the teachers, and of orders neither", async () => {
    const grants = { 'member-list': ['list'], 'order-list': ['list'] }
    const teacher = await person(instance, { grants, scope: 'SELF' })
    const head = await person(instance, { grants, scope: 'DEPARTMENT', orgId: teacher.orgId })
    const bind = (teacherId: string | null) =>
      instance.app.db.query.updateTable('member').set({ teacher_id: teacherId }).where('phone', '=', PHONE).execute()
    await bind(teacher.id)
    const sockets = [await openSocket(host, teacher.token), await openSocket(host, head.token)]
    await provoke(2)
    await provoke(11)
    for (const socket of sockets) {
      await socket.next(({ type }) => type === 11)
      expect(typesOf(socket)).toEqual([11])
      socket.raw.close()
    }
    await bind(null)
  })

  test('what is said of an unknown member reaches only those who see everything', async () => {
    const all = await person(instance, { grants: ALL_PAGES })
    const admin = await person(instance, { superAdmin: true })
    const [wide, top, narrow] = [
      await openSocket(host, all.token),
      await openSocket(host, admin.token),
      await openSocket(host, owner.token),
    ]
    await sendEvent(instance, 'app', { type: PUSHES[10].event, data: { phone: '13800000001', waiting: 1 } })
    await wide.next(({ type }) => type === 10)
    await top.next(({ type }) => type === 10)
    expect(await told(narrow, owner)).toEqual([])
    for (const socket of [wide, top, narrow]) socket.raw.close()
  })
})

describe('rights that change', () => {
  const grant = async (staffId: string, page: string, held: boolean) => {
    await instance.app.db.write(async tx => {
      const role = await tx
        .selectFrom('staff_role')
        .select('role_id')
        .where('staff_id', '=', staffId)
        .executeTakeFirstOrThrow()
      const permission = await tx
        .selectFrom('permission as p')
        .innerJoin('permission as menu', 'menu.id', 'p.parent_id')
        .select('p.id')
        .where('menu.resource_code', '=', page)
        .where('p.resource_code', '=', 'list')
        .executeTakeFirstOrThrow()
      const row = { role_id: role.role_id, permission_id: permission.id }
      if (held) await tx.insertInto('role_permission').values(row).execute()
      else
        await tx
          .deleteFrom('role_permission')
          .where('role_id', '=', row.role_id)
          .where('permission_id', '=', row.permission_id)
          .execute()
      await instance.app.signals.send(tx, 'access', {})
    })
  }

  test('a right taken away ends the pushes at once, also those sent right behind it; given back, they come again', async () => {
    const somebody = await person(instance, { grants: ALL_PAGES })
    const socket = await openSocket(host, somebody.token)
    const colleague = await openSocket(host, (await person(instance, { grants: ALL_PAGES })).token)
    const say = (key: string) =>
      instance.app.db.write(tx => push(instance.app, tx, { type: 2, key, content: {}, ownerId: null, orgId: null }))
    await say('before')
    await socket.next(({ key }) => key === 'before')
    await grant(somebody.id, 'order-list', false)
    await say('without')
    await colleague.next(({ key }) => key === 'without')
    await grant(somebody.id, 'order-list', true)
    await say('after')
    await socket.next(({ key }) => key === 'after')
    expect(socket.pushes.filter(({ key }) => key).map(({ key }) => key)).toEqual(['before', 'after'])
    for (const open of [socket, colleague]) open.raw.close()
  })

  test('whose rights changed is told to ask for the menu again, each time, and nobody else is', async () => {
    const somebody = await person(instance, { grants: ALL_PAGES })
    const socket = await openSocket(host, somebody.token)
    const other = await person(instance, { grants: ALL_PAGES })
    const colleague = await openSocket(host, other.token)
    const hints = () => (socket.pushes as Partial<Hint>[]).filter(({ menu }) => menu === true).length
    await grant(somebody.id, 'order-list', false)
    await expect.poll(hints).toBe(1)
    await grant(somebody.id, 'order-list', true)
    await expect.poll(hints).toBe(2)
    expect(await told(colleague, other)).toEqual([])
    for (const open of [socket, colleague]) open.raw.close()
  })
})

describe('a reach that changes', () => {
  const hints = (socket: TestSocket) =>
    (socket.pushes as Partial<Hint>[]).flatMap(({ reach, menu }) => (reach ? ['reach'] : menu ? ['menu'] : []))
  const scopeOfRole = (staffId: string, scope: string) =>
    instance.app.db.write(async tx => {
      await sql`update role set scope = ${scope} where id = (select role_id from staff_role where staff_id = ${staffId})`.execute(
        tx,
      )
      await instance.app.sessions.changed(tx)
    })

  test('is told to whom it is about within a second, and to nobody else; what may be done stays, and the menu with it', async () => {
    const somebody = await person(instance, { grants: ALL_PAGES, scope: 'DEPARTMENT' })
    const colleague = await person(instance, { grants: ALL_PAGES, scope: 'DEPARTMENT' })
    const [socket, other] = [await openSocket(host, somebody.token), await openSocket(host, colleague.token)]
    await scopeOfRole(somebody.id, 'SELF')
    await expect.poll(() => hints(socket), { timeout: 1_000 }).toEqual(['reach'])
    // Everybody was read again: who reaches what he did hears nothing.
    expect(await told(other, colleague)).toEqual([])
    expect(hints(other)).toEqual([])
    for (const open of [socket, other]) open.raw.close()
  })

  test('by another department or more people below is told, too', async () => {
    const somebody = await person(instance, { grants: ALL_PAGES, scope: 'SELF_AND_SUBORDINATES' })
    const socket = await openSocket(host, somebody.token)
    await person(instance, { managerId: somebody.id })
    await instance.app.db.write(tx => instance.app.sessions.changed(tx, [somebody.id]))
    await expect.poll(() => hints(socket)).toEqual(['reach'])
    await instance.app.db.write(tx => instance.app.sessions.changed(tx, [somebody.id]))
    expect(await told(socket, somebody)).toEqual([])
    expect(hints(socket)).toEqual(['reach'])
    socket.raw.close()
  })
})

test('a push made early and committed late arrives behind one made after it', async () => {
  const socket = await openSocket(host, owner.token)
  const say = (key: string) => ({ type: 2, key, content: {}, ownerId: owner.id, orgId: null }) as const
  await instance.app.db.write(async tx => {
    await push(instance.app, tx, say('slow'))
    await instance.app.db.write(other => push(instance.app, other, say('quick')))
    await socket.next(({ key }) => key === 'quick')
  })
  await socket.next(({ key }) => key === 'slow')
  // What happened before may still be told meanwhile.
  expect(socket.pushes.filter(({ type }) => type === 2).map(({ key }) => key)).toEqual(['quick', 'slow'])
  socket.raw.close()
})

describe('several instances', () => {
  test('a push made on one reaches the sockets of the other', async () => {
    const second = await openTestInstance({ url: instance.url, clock: instance.clock })
    const there = await listen(second)
    const socket = await openSocket(there, owner.token)
    await provoke(5)
    await socket.next(({ type }) => type === 5, 1_000)
    socket.raw.close()
  })

  test('an instance that cannot hear for seconds misses nothing and repeats nothing', async () => {
    const name = new URL(instance.url).pathname.slice(1)
    const url = new URL(instance.url)
    url.searchParams.set('application_name', 'deaf-one')
    const deaf = await openTestInstance({ url: url.href, clock: instance.clock })
    const there = await listen(deaf)
    const socket = await openSocket(there, owner.token)
    // Others may be told of something else meanwhile.
    const heard = () => socket.pushes.filter(({ type }) => type === 2).map(({ key }) => key)
    const say = (key: string) =>
      instance.app.db.write(tx => push(instance.app, tx, { type: 2, key, content: {}, ownerId: owner.id, orgId: null }))
    await say('heard')
    await socket.next(({ key }) => key === 'heard')
    await onServer(instance.url, async client => {
      // Nobody new comes in, and the connection that listens is cut; those that ask stay.
      await client.query(`alter database ${name} with allow_connections false`)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = $1 and application_name = 'deaf-one' and query in ('listen signal', 'select 1')`,
        [name],
      )
    })
    try {
      await expect.poll(() => deaf.app.signals.deaf()).toBe(true)
      for (let n = 1; n <= 5; n += 1) await say(`missed-${n}`)
      await delay(2_500)
      expect(heard()).toEqual(['heard'])
    } finally {
      await onServer(instance.url, client => client.query(`alter database ${name} with allow_connections true`))
    }
    await socket.next(({ key }) => key === 'missed-5', 5_000)
    await say('last')
    await socket.next(({ key }) => key === 'last')
    expect(heard()).toEqual(['heard', ...[1, 2, 3, 4, 5].map(n => `missed-${n}`), 'last'])
    expect(deaf.app.signals.deaf()).toBe(false)
  })
})

test.each([
  ['请回电 13912345678', '请回电 139****5678'],
  ['138-0013-8000/138 0013 8000', '138****8000/138****8000'],
  ['order 202611150000000001', 'order 202611150000000001'],
])('"%s" is told as "%s"', (said, shown) => {
  expect(withoutPhones(said)).toBe(shown)
})
