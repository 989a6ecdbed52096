import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOTHING_IN_COMMON } from '#engines/audience/model.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { atOnce, type DeclaredJob } from '#kit/server/work/job.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent, sendFile } from '../../../../tools/testing/live.ts'
import { IS_LONG } from '../../../../tools/testing/long.ts'
import { passedOn, photograph } from '../../../../tools/testing/photographs.ts'
import { png } from '../../../../tools/testing/pictures.ts'
import { isOverdue, type Reach, type Task } from './model.ts'
import { jobs } from './server.ts'

const PAGE = 'member-task'
const PATH = '/members/task'
const READ = ['list', 'detail']
const ALL = { [PAGE]: [...READ, 'create', 'approve', 'sendBack', 'cancel'] }

/** More than are given in one transaction. */
const MANY = IS_LONG ? 10_000 : 450
/** Members like this one, of the same owner. */
const COPIES = `
  insert into member (name, phone, source, level, channel, status, owner_id, org_id, created_at)
  select m.name, '139' || lpad((70000000 + n)::text, 8, '0'), m.source, m.level, m.channel, m.status, m.owner_id, m.org_id, m.created_at
  from member m, generate_series(1, $2::int) as n where m.id = $1`

let instance: TestInstance
let desk: Caller
const clock = stoppedClock(new Date('2026-11-18T04:00:00Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  desk = await person(instance, { grants: ALL })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const NOBODY = { audienceBy: 'FILTER', ...NOTHING_IN_COMMON, numbers: '' }
const TASK = { title: '写一首古诗', note: '', dueOn: '2026-11-20', target: 3, rewardCoins: 15 }
/** A person whose members are the audience, so that no test meets another's. */
async function audienceOf(count: number) {
  const owner = await person(instance, { grants: { 'member-list': READ } })
  const ids: string[] = []
  for (let nth = 0; nth < count; nth += 1) ids.push(await enrol(instance, { ownerId: owner.id, orgId: owner.orgId }))
  return { ids, fits: { ...NOBODY, ofOwnerId: owner.id } }
}
const counted = (fits: object, by = desk) => by.post<Reach>(`${PATH}/reach`, fits)
const give = (fits: object, more: object = {}, by = desk) =>
  by.post<{ id: string }>(PATH, { ...TASK, ...fits, ...more })
const listed = async (memberId: string) =>
  (await desk.get<{ records: Task[] }>(`${PATH}?memberId=${memberId}`)).data.records
const only = async (memberId: string) => (await listed(memberId))[0] as Task
/** One member with one task. */
async function given(more: object = {}): Promise<Task> {
  const { ids, fits } = await audienceOf(1)
  expect(await give(fits, more)).toMatchObject({ code: 0 })
  return only(String(ids[0]))
}
const tell = async (type: string, data: object) => {
  await sendEvent(instance, 'app', { id: randomUUID(), type, data: data as never })
  await instance.inbox.sweep()
}
const sendProof = async ({ id, memberId }: Task, picture: Buffer) => {
  const { data } = await sendFile(instance, 'app', picture)
  await tell('task.submitted', { memberId, taskId: id, pictures: [data.id] })
}
/** Its picture has been compared by then. */
const prove = async (task: Task, picture = png()) => {
  await sendProof(task, picture)
  await instance.outbox.run()
}
const read = async (id: string, by: Caller = desk) => (await by.get<Task>(`${PATH}/${id}`)).data
const step = (id: string, name: string, body?: object) => desk.post(`${PATH}/${id}/${name}`, body)
/** As often as there is something left to do: a run takes some hundreds. */
async function runJob(): Promise<void> {
  const work = atOnce(jobs[0] as DeclaredJob)
  while (
    (await instance.app.db.write(tx => work(ownChange(instance.app, tx, instance.clock.now(), 'job:overdue-tasks')))) >
    0
  );
}
const coinsOf = async (memberId: string) =>
  (
    await instance.app.db.query
      .selectFrom('member')
      .select('coins')
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow()
  ).coins

const freeze = (memberId: string) =>
  instance.app.db.query.updateTable('member').set({ status: 'FROZEN' }).where('id', '=', memberId).execute()
const tasksOf = async (ids: readonly string[]) => (await Promise.all(ids.map(listed))).map(({ length }) => length)

describe('a task', () => {
  test('is given to exactly the members who fit when it is given, and who fits later has none', async () => {
    const { ids, fits } = await audienceOf(3)
    await freeze(String(ids[2]))
    expect((await counted(fits)).data).toEqual({ members: 2, repeated: 0, invalid: 0, strangers: 0 })
    expect(await give(fits)).toMatchObject({ code: 0 })
    expect(await tasksOf(ids)).toEqual([1, 1, 0])
    const task = await only(String(ids[0]))
    expect(task).toMatchObject({ ...TASK, status: 'OPEN', progress: 0, creatorId: desk.id, ownerId: fits.ofOwnerId })
    expect((await desk.get<Task>(`${PATH}/${task.id}`)).data.together).toEqual({ members: 2, awaiting: 0 })
    const late = await enrol(instance, { ownerId: fits.ofOwnerId })
    expect((await counted(fits)).data.members).toBe(3)
    expect(await tasksOf([late])).toEqual([0])
  })

  test('goes to pasted numbers too; what is repeated, no number or a stranger is told before', async () => {
    const { ids } = await audienceOf(1)
    const found = instance.app.db.query.selectFrom('member').select('phone').where('id', '=', String(ids[0]))
    const { phone } = await found.executeTakeFirstOrThrow()
    const pasted = { ...NOBODY, audienceBy: 'NUMBERS', numbers: `${phone}\n${phone}，19999999999\n12345` }
    expect((await counted(pasted)).data).toEqual({ members: 1, repeated: 1, invalid: 1, strangers: 1 })
    expect(await give(pasted)).toMatchObject({ code: 0 })
    expect(await tasksOf(ids)).toEqual([1])
  })

  test('says of numbers that mostly reach nobody only so often a day, and then of none', async () => {
    const { ids } = await audienceOf(1)
    const found = instance.app.db.query.selectFrom('member').select('phone').where('id', '=', String(ids[0]))
    const phone = String((await found.executeTakeFirstOrThrow()).phone)
    const curious = await person(instance, { grants: ALL, scope: 'ALL' })
    const among = (numbers: readonly string[]) =>
      counted({ ...NOBODY, audienceBy: 'NUMBERS', numbers: numbers.join('\n') }, curious)
    const strangers = Array.from({ length: 200 }, (_, nth) => `1999999${String(nth).padStart(4, '0')}`)
    // Told once, a list is told again, as a form does while it is filled in.
    for (let nth = 0; nth < 3; nth += 1)
      expect((await among(strangers)).data).toMatchObject({ members: 0, strangers: 200 })
    expect((await among([phone])).data).toMatchObject({ members: 1, strangers: 0 })
    // The one that is known buys no other guess, however often it stands beside one.
    for (const numbers of [['19999990500'], [phone, '19999990501'], [phone, '19999990502']])
      expect(await among(numbers)).toMatchObject({ data: { fields: { numbers: expect.stringContaining('Too many') } } })
    expect((await among(strangers)).code).toBe(0)
  })

  test.each([
    ['nobody in particular', {}, 'numbers'],
    ['yesterday', { dueOn: '2026-11-17', levels: ['TRIAL'] }, 'dueOn'],
    ['more coins than a task may promise', { rewardCoins: 51, levels: ['TRIAL'] }, 'rewardCoins'],
    ['strangers', { audienceBy: 'NUMBERS', numbers: '19999999999' }, 'numbers'],
  ])('for %s is not given', async (_, wrong, field) => {
    const refused = await give(NOBODY, wrong)
    expect(refused).toMatchObject({ data: { fields: { [field]: expect.any(String) } } })
  })

  test('is given to nobody outside the sight of whoever gives it', async () => {
    const { fits } = await audienceOf(1)
    const stranger = await person(instance, { grants: ALL, scope: 'SELF' })
    expect((await counted(fits, stranger)).data.members).toBe(0)
    expect((await give(fits, {}, stranger)).code).not.toBe(0)
  })

  test(`for ${MANY} members is given a part at a time, to each once`, async () => {
    const { ids, fits } = await audienceOf(1)
    await instance.app.db.read.pool.query(COPIES, [ids[0], MANY - 1])
    const { data } = await give(fits)
    const together = async () => (await desk.get<Task>(`${PATH}/${data.id}`)).data.together
    expect(await together()).toEqual({ members: MANY, awaiting: MANY - 200 })
    await instance.outbox.run()
    expect(await together()).toEqual({ members: MANY, awaiting: 0 })
    const { rows } = await instance.app.db.read.pool.query(
      `select count(*)::int as n, count(distinct member_id)::int as members from member_task where owner_id = $1`,
      [fits.ofOwnerId],
    )
    expect(rows).toEqual([{ n: MANY, members: MANY }])
  })

  test('that two people give at once is one task of each member; a cancelled one may be given anew, and stays cancelled then', async () => {
    const { ids, fits } = await audienceOf(4)
    const other = await person(instance, { grants: ALL })
    const answers = await Promise.all([give(fits), give(fits, {}, other), give(fits)])
    expect(answers.map(({ code }) => code === 0).filter(Boolean)).toHaveLength(1)
    expect(await tasksOf(ids)).toEqual([1, 1, 1, 1])
    const { id } = await only(String(ids[0]))
    await step(id, 'cancel', { reason: '发错了' })
    expect(await give(fits)).toMatchObject({ code: 0 })
    expect(await tasksOf(ids)).toEqual([2, 1, 1, 1])
    expect((await step(id, 'cancel/undo')).code).not.toBe(0)
  })

  test('goes forward as the app tells, never back, and belongs to its member alone', async () => {
    const task = await given()
    const told = (memberId: string, progress: number) =>
      tell('task.progressed', { memberId, taskId: task.id, progress })
    await told(task.memberId, 2)
    await told(task.memberId, 1)
    await told(await enrol(instance), 3)
    expect(await only(task.memberId)).toMatchObject({ progress: 2, status: 'OPEN' })
    await told(task.memberId, 900)
    expect(await only(task.memberId)).toMatchObject({ progress: 3 })
  })

  test('is overdue when its day has ended in Shanghai, and may still be proved', async () => {
    const [late, waiting] = [await given(), await given()]
    await prove(waiting)
    const now = clock.now()
    clock.set('2026-11-20T23:59:00+08:00')
    await runJob()
    expect((await only(late.memberId)).status).toBe('OPEN')
    clock.set('2026-11-21T00:00:00+08:00')
    await runJob()
    expect((await only(late.memberId)).status).toBe('OVERDUE')
    expect((await only(waiting.memberId)).status).toBe('SUBMITTED')
    await prove(late)
    expect((await only(late.memberId)).status).toBe('SUBMITTED')
    clock.set(now)
  })

  test('waits for nobody once it was proved: what waits for us is not overdue', () => {
    const states = (['OPEN', 'SUBMITTED', 'DONE', 'OVERDUE', 'CANCELLED'] as const).filter(status =>
      isOverdue({ status, dueOn: '2026-11-17' }, '2026-11-18'),
    )
    expect(states).toEqual(['OPEN'])
    expect(isOverdue({ status: 'OPEN', dueOn: '2026-11-18' }, '2026-11-18')).toBe(false)
  })
})

describe('proof', () => {
  test('is approved once, with the coins that were promised, by whichever of two who press at once', async () => {
    const task = await given()
    await prove(task)
    expect(await only(task.memberId)).toMatchObject({ status: 'SUBMITTED', progress: 3, picture: [expect.any(String)] })
    const other = await person(instance, { grants: ALL })
    const pressed = await Promise.all([desk, other].map(by => by.post(`${PATH}/${task.id}/approve`)))
    expect(pressed.map(({ code }) => code).sort()).toEqual([0, 4006])
    expect(await only(task.memberId)).toMatchObject({ status: 'DONE', earnedCoins: 15 })
    await prove(task)
    expect(await only(task.memberId)).toMatchObject({ status: 'DONE', earnedCoins: 15 })
    expect(await coinsOf(task.memberId)).toBe(15)
  })

  test('that is sent back comes again, and earns once all the same', async () => {
    const task = await given()
    await prove(task)
    expect(await step(task.id, 'sendBack')).toMatchObject({ code: 4005 })
    await step(task.id, 'sendBack', { reason: '看不清' })
    expect(await only(task.memberId)).toMatchObject({ status: 'OPEN', returnedFor: '看不清' })
    await prove(task)
    expect(await only(task.memberId)).toMatchObject({ status: 'SUBMITTED', returnedFor: null })
    await step(task.id, 'approve')
    expect(await coinsOf(task.memberId)).toBe(15)
  })

  test('without picture and word is none, and neither is that of a cancelled task; the cancelling can be taken back', async () => {
    const task = await given()
    await tell('task.submitted', { memberId: task.memberId, taskId: task.id })
    expect((await only(task.memberId)).status).toBe('OPEN')
    await step(task.id, 'cancel', { reason: '活动结束' })
    await prove(task)
    expect((await only(task.memberId)).status).toBe('CANCELLED')
    expect(await step(task.id, 'cancel/undo')).toMatchObject({ code: 0 })
    await tell('task.submitted', { memberId: task.memberId, taskId: task.id, words: '请回电 13912345678' })
    expect(await only(task.memberId)).toMatchObject({ status: 'SUBMITTED', words: '请回电 139****5678' })
  })

  test('of who is frozen is approved and earns nothing', async () => {
    const task = await given()
    await prove(task)
    await freeze(task.memberId)
    expect(await step(task.id, 'approve')).toMatchObject({ code: 0 })
    expect(await only(task.memberId)).toMatchObject({ status: 'DONE', earnedCoins: 0 })
  })
})

describe('a picture sent as proof', () => {
  test('that was there already is flagged with the task that has it, also turned, smaller and compressed', async () => {
    const tasks = [await given(), await given(), await given()] as const
    const picture = await photograph(7_001)
    await prove(tasks[0], picture)
    await prove(tasks[1], picture)
    await prove(tasks[2], await passedOn['turned, smaller and compressed'](picture))
    const [first, copy, turned] = await Promise.all(tasks.map(({ id }) => read(id)))
    expect([first, copy, turned].map(task => task?.likeness)).toEqual(['NEW', 'SAME', 'ALIKE'])
    expect([first, copy, turned].map(task => task?.like?.id)).toEqual([undefined, tasks[0].id, tasks[0].id])
    expect(copy?.like).toMatchObject({ isSameMember: false, status: 'SUBMITTED', picture: first?.picture })
    const found = await desk.get<{ records: Task[] }>(`${PATH}?likeness=ALIKE`)
    expect(found.data.records.map(({ id }) => id)).toContain(tasks[2].id)
  })

  test('is not approved before it was compared, and with words alone there is nothing to compare', async () => {
    const [pictured, said] = [await given(), await given()]
    await sendProof(pictured, await photograph(7_002))
    expect((await step(pictured.id, 'approve')).msg).toContain('being compared')
    await instance.outbox.run()
    expect(await step(pictured.id, 'approve')).toMatchObject({ code: 0 })
    await tell('task.submitted', { memberId: said.memberId, taskId: said.id, words: '写完了' })
    expect(await read(said.id)).toMatchObject({ status: 'SUBMITTED', likeness: 'NONE' })
    expect(await step(said.id, 'approve')).toMatchObject({ code: 0 })
  })

  test('is compared anew where another comes after it was sent back, and never with what the task itself had', async () => {
    const [task, other] = [await given(), await given()]
    const [first, second] = [await photograph(7_003), await photograph(7_004)]
    await prove(other, second)
    await prove(task, first)
    await step(task.id, 'sendBack', { reason: '看不清' })
    await prove(task, first)
    expect(await read(task.id)).toMatchObject({ likeness: 'NEW', like: null })
    await step(task.id, 'sendBack', { reason: '看不清' })
    await prove(task, second)
    expect(await read(task.id)).toMatchObject({ likeness: 'SAME', like: { id: other.id } })
  })

  test('of somebody else is not seen by whoever does not see that member', async () => {
    const [others, own] = [await given(), await given()]
    const picture = await photograph(7_005)
    await prove(others, picture)
    await prove(own, picture)
    const seller = await person(instance, { grants: { [PAGE]: READ }, scope: 'SELF' })
    await instance.app.db.query
      .updateTable('member_task')
      .set({ owner_id: seller.id, org_id: seller.orgId })
      .where('id', '=', own.id)
      .execute()
    await instance.app.db.query
      .updateTable('member')
      .set({ owner_id: seller.id, org_id: seller.orgId })
      .where('id', '=', own.memberId)
      .execute()
    const seen = await read(own.id, seller)
    expect(seen).toMatchObject({ likeness: 'SAME', like: { id: others.id } })
    const links = await seller.post<Record<string, string>>('/common/file/links', {
      ids: [...seen.picture, ...(seen.like?.picture ?? [])],
    })
    expect(Object.keys(links.data)).toEqual(seen.picture)
  })
})
