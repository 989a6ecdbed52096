import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ToDo } from '#kit/model/to-do.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { sweepFiles } from '#kit/server/storage/file.ts'
import { atOnce, type DeclaredJob } from '#kit/server/work/job.ts'
import { enrol, proof, uploaded } from '../../../../tools/testing/commerce.ts'
import { ogg } from '../../../../tools/testing/films.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent, sendFile } from '../../../../tools/testing/live.ts'
import { png } from '../../../../tools/testing/pictures.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Desk, DeskWork } from './desk.model.ts'
import type { Work } from './model.ts'
import { jobs } from './server.ts'

const PAGE = 'opus-list'
const PATH = '/members/work'
const GRANTS = {
  [PAGE]: ['list', 'detail', 'take', 'handOver', 'passReview', 'overturn', 'askReview', 'markExcellent', 'hide'],
}
const GOOD = { marks: [], scores: { strokes: 8, structure: 8, layout: 8 }, words: '写得好' }
const MINUTE = 60_000

let instance: TestInstance
let teacher: Caller
let colleague: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  teacher = await person(instance, { grants: GRANTS })
  colleague = await person(instance, { grants: GRANTS })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const tell = async (type: string, data: object, id: string = randomUUID()) => {
  const answer = await sendEvent(instance, 'app', { id, type, data: data as never })
  await instance.inbox.sweep()
  return answer
}
const picture = async () => (await sendFile(instance, 'app', png())).data.id
let count = 0
/** A pupil's work that waits, with a picture. */
async function handIn(memberId: string, more: object = {}): Promise<Work> {
  count += 1
  const opusId = `opus-${count}`
  const sent = await picture()
  const said = { memberId, opusId, kind: 'HOMEWORK', lesson: '横画', characters: '十土', pictures: [sent], ...more }
  await tell('opus.submitted', said)
  return only(memberId, opusId)
}
const listed = async (memberId: string) =>
  (await teacher.get<{ records: Work[] }>(`${PATH}?memberId=${memberId}&size=50`)).data.records
const only = async (memberId: string, opusId: string) =>
  (await listed(memberId)).find(work => work.opusId === opusId) as Work
const read = async (id: string) => (await teacher.get<Work>(`${PATH}/${id}`)).data
const take = (id: string, by = teacher) => by.post(`${PATH}/${id}/take`)
const comment = (id: string, by = teacher, body: object = GOOD) => by.post<Desk>(`${PATH}/${id}/comment`, body)
const letGo = (id: string, by = teacher, toId: string | null = null) => by.post(`${PATH}/${id}/let-go`, { toId })
async function runJob(name: string): Promise<number> {
  const job = jobs.find(one => one.name === name) as DeclaredJob
  return instance.app.db.write(tx => atOnce(job)(ownChange(instance.app, tx, instance.clock.now(), `job:${name}`)))
}
const release = () => {
  instance.clock.forward(2 * MINUTE + 1_000)
  return runJob('work-release')
}
const recorded = ({ id }: Caller) =>
  uploaded(instance, id, ogg(), { name: 'voice.ogg', type: 'audio/ogg', purpose: 'voice' })
/** Nothing left waiting from other tests. */
async function clear(): Promise<void> {
  const waiting = await instance.app.db.query
    .selectFrom('work')
    .select('id')
    .where('status', '=', 'SUBMITTED')
    .execute()
  for (const { id } of waiting) await teacher.post(`${PATH}/${id}/hide`, { reason: '下一场' })
}

describe('a work that comes in', () => {
  test('stands in one row however often it is told, with its pictures and the attempt before it', async () => {
    const memberId = await enrol(instance)
    const first = await handIn(memberId)
    await tell('opus.submitted', {
      memberId,
      opusId: first.opusId,
      kind: 'HOMEWORK',
      lesson: '横画',
      pictures: [await picture()],
    })
    const second = await handIn(memberId)
    expect(await listed(memberId)).toHaveLength(2)
    expect(first).toMatchObject({
      attempt: 1,
      beforeId: null,
      characterCount: 2,
      status: 'SUBMITTED',
      picture: [expect.any(String)],
    })
    expect(second).toMatchObject({ attempt: 2, beforeId: first.id })
  })

  test('is not taken with a picture nobody sent, nor from a phone whose clock is ahead', async () => {
    const memberId = await enrol(instance)
    const said = { memberId, opusId: 'x', kind: 'PRACTICE', lesson: '撇' }
    await tell('opus.submitted', { ...said, pictures: [randomUUID()] })
    const at = new Date(instance.clock.now().getTime() + 60 * MINUTE).toISOString()
    await tell('opus.submitted', { ...said, opusId: 'y', pictures: [await picture()], at })
    expect(await listed(memberId)).toEqual([])
  })

  test('that was asked for before it was written gets its page later, and only then is given out', async () => {
    await clear()
    const memberId = await enrol(instance)
    const said = { memberId, opusId: 'book', text: '春眠' }
    await tell('copybook.requested', said)
    expect((await teacher.post<Desk>(`${PATH}/take-next`)).data.held).toEqual([])
    await tell('copybook.requested', { ...said, pictures: [await picture()] })
    const { data } = await teacher.post<Desk>(`${PATH}/take-next`)
    expect(data.held).toMatchObject([{ kind: 'COPYBOOK', pictures: [expect.any(String)] }])
    await letGo(data.held[0]?.id ?? '')
    expect(await listed(memberId)).toHaveLength(1)
  })

  test('of posture and of a copybook of one’s own keeps its row as well', async () => {
    const memberId = await enrol(instance)
    await tell('opus.posture-submitted', { memberId, opusId: 'p1', kind: 'GRIP' })
    await tell('copybook.requested', { memberId, text: '春眠不觉晓' })
    const rows = await listed(memberId)
    expect(rows.map(({ kind, characterCount }) => [kind, characterCount]).sort()).toEqual([
      ['COPYBOOK', 5],
      ['GRIP', 0],
    ])
  })

  test('of posture, and a copybook of one’s own, told before their pupil is registered, wait for that with their pages', async () => {
    const phone = phoneAt(PHONES.test + 71_000)
    const said = { phone, pictures: [await picture()] }
    await tell('opus.posture-submitted', { ...said, opusId: 'early', kind: 'POSTURE' })
    await tell('copybook.requested', { ...said, text: '春眠', pictures: [await picture()] })
    // As long as an event waits for another one.
    const { clock } = instance
    clock.forward(6 * 24 * 60 * MINUTE)
    await sweepFiles({ ...instance.app, files: { ...instance.app.files, removeUnknown: async () => 0 } })
    await tell('member.registered', { phone, name: '王小明', guardianName: '王建国', source: 'APP', channel: 'STORE' })
    clock.forward(60 * MINUTE)
    await instance.inbox.sweep()
    const found = await instance.app.db.query
      .selectFrom('work as w')
      .innerJoin('member as m', 'm.id', 'w.member_id')
      .select(['w.kind', sql<number>`cardinality(w.picture)`.as('pages')])
      .where('m.phone', '=', phone)
      .orderBy('w.kind')
      .execute()
    expect(found).toEqual([
      { kind: 'COPYBOOK', pages: 1 },
      { kind: 'POSTURE', pages: 1 },
    ])
    teacher = await person(instance, { grants: GRANTS })
    colleague = await person(instance, { grants: GRANTS })
  })
})

describe('the desk', () => {
  test('takes a comment that is sent again, because nobody heard the answer, for the one that came', async () => {
    await clear()
    const memberId = await enrol(instance)
    const { id } = await handIn(memberId)
    await take(id)
    const sent = () => teacher.post<Desk>(`${PATH}/${id}/comment`, GOOD, { 'idempotency-key': `comment-${id}` })
    for (let nth = 0; nth < 2; nth += 1) {
      const { code, data } = await sent()
      expect([code, data.said.map(one => one.id).includes(id)]).toEqual([0, true])
    }
    expect((await comment(id)).code).not.toBe(0)
  })

  test('gives the oldest of what waits, two at most, and never the same to two', async () => {
    await clear()
    const memberId = await enrol(instance)
    const works = []
    for (let nth = 0; nth < 3; nth += 1) {
      works.push(await handIn(memberId))
      instance.clock.forward(1_000)
    }
    const [a, b] = await Promise.all([
      teacher.post<Desk>(`${PATH}/take-next`),
      colleague.post<Desk>(`${PATH}/take-next`),
    ])
    const held = [a, b].flatMap(({ data }) => data.held.map(({ id }) => id))
    expect(held.sort()).toEqual(
      works
        .slice(0, 2)
        .map(({ id }) => id)
        .sort(),
    )
    await teacher.post(`${PATH}/take-next`)
    expect(await teacher.post(`${PATH}/take-next`)).toMatchObject({ code: 4006 })
    for (const { id } of (await teacher.get<Desk>(`${PATH}/desk`)).data.held) await letGo(id)
    for (const { id } of (await colleague.get<Desk>(`${PATH}/desk`)).data.held) await letGo(id, colleague)
  })

  test('gives what was handed to somebody before works of own pupils, and those before the department’s, however long each has waited', async () => {
    await clear()
    const mine = await enrol(instance)
    await instance.app.db.query.updateTable('member').set({ teacher_id: teacher.id }).where('id', '=', mine).execute()
    await handIn(await enrol(instance))
    instance.clock.forward(1_000)
    const own = await handIn(mine)
    instance.clock.forward(1_000)
    const handed = await handIn(await enrol(instance))
    await take(handed.id, colleague)
    await letGo(handed.id, colleague, teacher.id)
    const given = async () => (await teacher.post<Desk>(`${PATH}/take-next`)).data.held.map(({ id }) => id)
    expect(await given()).toEqual([handed.id])
    expect((await given()).toSorted()).toEqual([handed.id, own.id].toSorted())
    for (const { id } of [handed, own]) await letGo(id)
  })

  test('shows whoever holds a work its pictures, the attempt before and what was said of it', async () => {
    await clear()
    const memberId = await enrol(instance)
    const first = await handIn(memberId)
    await take(first.id)
    const mark = { picture: 0, shape: 'PIN', points: [[1, 1]], fault: 'SIZE', words: '写小一点' }
    await comment(first.id, teacher, { ...GOOD, marks: [mark] })
    await release()
    const second = await handIn(memberId)
    await take(second.id)
    const [held] = (await teacher.get<Desk>(`${PATH}/desk`)).data.held as [DeskWork]
    const before = { no: first.no, score: 80, words: '写得好', marks: [mark] }
    expect(held).toMatchObject({ id: second.id, attempt: 2, before })
    expect(held.pictures).toHaveLength(1)
    await letGo(second.id)
  })

  test('fifty who take at once from thirty works hold each at most once, and none is lost', async () => {
    await clear()
    const memberId = await enrol(instance)
    const works = await Promise.all(Array.from({ length: 30 }, () => handIn(memberId)))
    const people = await Promise.all(Array.from({ length: 10 }, () => person(instance, { grants: GRANTS })))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => (people[nth % 10] as Caller).post<Desk>(`${PATH}/take-next`)),
    )
    expect(answers.filter(({ code }) => code !== 0 && code !== 4006)).toEqual([])
    const holders = await instance.app.db.query
      .selectFrom('work')
      .select(['id', 'holder_id', 'status'])
      .where(
        'id',
        'in',
        works.map(({ id }) => id),
      )
      .execute()
    const held = holders.filter(({ status }) => status === 'LEASED')
    expect(held).toHaveLength(20)
    expect(
      Math.max(
        ...Object.values(Object.groupBy(held, ({ holder_id }) => String(holder_id))).map(own => own?.length ?? 0),
      ),
    ).toBe(2)
    instance.clock.forward(31 * MINUTE)
    expect(await runJob('work-leases')).toBe(20)
    expect(
      await instance.app.db.query.selectFrom('work').select('id').where('status', '=', 'LEASED').execute(),
    ).toEqual([])
  })

  test('hands a work to the colleague it is meant for, and to nobody else', async () => {
    await clear()
    const work = await handIn(await enrol(instance))
    await take(work.id)
    expect(await letGo(work.id, teacher, colleague.id)).toMatchObject({ code: 0 })
    expect(await take(work.id)).toMatchObject({ code: 4006 })
    expect((await teacher.post<Desk>(`${PATH}/take-next`)).data.held).toEqual([])
    expect((await colleague.post<Desk>(`${PATH}/take-next`)).data.held).toMatchObject([{ id: work.id }])
    await letGo(work.id, colleague)
    expect(await read(work.id)).toMatchObject({ status: 'SUBMITTED', assigneeId: null })
  })
})

describe('a work that was lost while it lay on the desk', () => {
  test('is taken again by whoever had it, also from the queue of the department, unless somebody else is at it', async () => {
    await clear()
    const alone = await person(instance, { grants: GRANTS, scope: 'SELF' })
    const again = (id: string) => alone.post<Desk>(`${PATH}/${id}/take-again`)
    const work = await handIn(await enrol(instance))
    await alone.post(`${PATH}/take-next`)
    instance.clock.forward(31 * MINUTE)
    expect((await again(work.id)).data.held).toMatchObject([{ id: work.id }])
    instance.clock.forward(31 * MINUTE)
    await runJob('work-leases')
    expect(await take(work.id, alone)).toMatchObject({ status: 404 })
    expect((await again(work.id)).data.held).toMatchObject([{ id: work.id }])
    instance.clock.forward(31 * MINUTE)
    await runJob('work-leases')
    await take(work.id)
    expect(await again(work.id)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('your time with it ran out'),
    })
    await letGo(work.id, teacher, colleague.id)
    expect(await again(work.id)).toMatchObject({ status: 404 })
    await letGo(work.id, colleague)
  })
})

describe('a comment', () => {
  test('is refused once the time with the work has run out, and changes nothing', async () => {
    const work = await handIn(await enrol(instance))
    await take(work.id)
    instance.clock.forward(31 * MINUTE)
    expect(await comment(work.id)).toMatchObject({ code: 4006 })
    expect(await read(work.id)).toMatchObject({ status: 'LEASED', score: null })
    await runJob('work-leases')
    expect(await read(work.id)).toMatchObject({ status: 'SUBMITTED', holderId: null })
  })

  test('needs points for every criterion and faults we have a word for', async () => {
    const work = await handIn(await enrol(instance))
    await take(work.id)
    expect(await comment(work.id, teacher, { ...GOOD, scores: { strokes: 8 } })).toMatchObject({ code: 4005 })
    const mark = { picture: 0, shape: 'PIN', points: [[1, 2]], fault: 'NO-SUCH', words: '' }
    expect(await comment(work.id, teacher, { ...GOOD, marks: [mark] })).toMatchObject({ code: 4005 })
    for (const elsewhere of [
      { ...mark, fault: null, picture: 1 },
      { ...mark, fault: null, shape: 'TIME', points: [], second: 3 },
    ])
      expect(await comment(work.id, teacher, { ...GOOD, marks: [elsewhere] })).toMatchObject({
        data: { fields: { marks: expect.stringContaining('work') } },
      })
    await letGo(work.id)
  })

  test('can be taken back for two minutes with what was said, and then reaches the pupil and earns coins once', async () => {
    const memberId = await enrol(instance)
    const work = await handIn(memberId)
    await take(work.id)
    await comment(work.id)
    const back = await teacher.post<{ said: object }>(`${PATH}/${work.id}/take-back`)
    expect(back.data.said).toEqual({ ...GOOD, voice: [] })
    await comment(work.id)
    await release()
    expect(await teacher.post(`${PATH}/${work.id}/take-back`)).toMatchObject({ code: 4006 })
    expect(await read(work.id)).toMatchObject({ status: 'RELEASED', score: 80, rewardCoins: 5 })
    await teacher.post(`${PATH}/${work.id}/askReview`)
    expect(await teacher.post(`${PATH}/${work.id}/overturn`, { reason: '看错' })).toMatchObject({ code: 4006 })
    await colleague.post(`${PATH}/${work.id}/overturn`, { reason: '看错了' })
    expect(await take(work.id)).toMatchObject({ code: 4006 })
    await take(work.id, colleague)
    await comment(work.id, colleague, { ...GOOD, scores: { strokes: 9, structure: 9, layout: 9 } })
    await release()
    expect(await read(work.id)).toMatchObject({ status: 'RELEASED', score: 90, rewardCoins: 5, review: 'PASSED' })
    await instance.outbox.run()
  })

  test('that is to be looked at again is told, however many others were said before it', async () => {
    const work = await handIn(await enrol(instance))
    await take(work.id)
    await comment(work.id)
    await release()
    // Five hundred are looked through for what waits; these came first, and wait for nobody.
    await sql`
      insert into work (id, no, opus_id, member_id, kind, lesson, status, score, commenter_id, commented_at, submitted_at)
        overriding system value
      select -n, 'OLD' || n, 'old-' || n, member_id, kind, lesson, status, score, commenter_id, commented_at, submitted_at
      from work cross join generate_series(1, 501) n where id = ${work.id}`.execute(instance.app.db.query)
    await teacher.post(`${PATH}/${work.id}/askReview`)
    const { data } = await colleague.get<ToDo[]>(`${PATH}/to-do`)
    expect(data.find(({ step }) => step === 'passReview')).toMatchObject({ count: 1, isMore: false })
    await sql`delete from work where id < 0`.execute(instance.app.db.query)
  })

  test('may be spoken: it is heard where it is read, comes back with what is taken back, and is nobody else’s recording', async () => {
    const work = await handIn(await enrol(instance))
    await take(work.id)
    const voice = [await recorded(teacher)]
    for (const other of [randomUUID(), await recorded(colleague), await proof(instance, teacher.id)])
      expect(await comment(work.id, teacher, { ...GOOD, voice: [other] })).toMatchObject({ code: 4005 })
    await comment(work.id, teacher, { ...GOOD, voice })
    const back = await teacher.post<{ said: object }>(`${PATH}/${work.id}/take-back`)
    expect(back.data.said).toEqual({ ...GOOD, voice })
    await comment(work.id, teacher, { ...GOOD, voice })
    await release()
    expect((await colleague.get(`${PATH}/${work.id}/comments`)).data).toMatchObject([{ voice }, { voice }])
    expect(await colleague.post(`/common/file/${voice[0]}/link`)).toMatchObject({ code: 0 })
  })

  test('of a poor work earns nothing, and a work sent back says why', async () => {
    const memberId = await enrol(instance)
    const [poor, returned] = [await handIn(memberId), await handIn(memberId)]
    await take(poor.id)
    await comment(poor.id, teacher, { ...GOOD, scores: { strokes: 3, structure: 3, layout: 3 } })
    await release()
    expect(await read(poor.id)).toMatchObject({ status: 'RELEASED', rewardCoins: 0 })
    await take(returned.id)
    expect(await teacher.post(`${PATH}/${returned.id}/send-back`, { reason: '太暗' })).toMatchObject({ code: 0 })
    expect(await read(returned.id)).toMatchObject({ status: 'RETURNED', returnedFor: '太暗', holderId: null })
  })
})
