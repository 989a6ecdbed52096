import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Desk, DeskWork } from '#areas/members/work/desk.model.ts'
import type { Work } from '#areas/members/work/fields.model.ts'
import { jobs } from '#areas/members/work/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { atOnce, type DeclaredJob } from '#kit/server/work/job.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { webm } from '../../../../tools/testing/films.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent, sendFile } from '../../../../tools/testing/live.ts'
import { png } from '../../../../tools/testing/pictures.ts'

const PATH = '/members/video-work'
const ALL = ['list', 'detail', 'take', 'handOver', 'markExcellent', 'unmarkExcellent', 'hide']
const MOMENT = { picture: 0, shape: 'TIME', points: [], second: 2.4, fault: 'SIZE', words: '收笔慢一点' }
const GOOD = { marks: [MOMENT], scores: { strokes: 8, structure: 8, layout: 8 }, words: '写得好' }

let instance: TestInstance
let teacher: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  teacher = await person(instance, {
    grants: { 'video-opus': ALL, 'opus-list': ALL },
  })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const send = async (bytes: Buffer, purpose: string) => (await sendFile(instance, 'app', bytes, { purpose })).data.id
async function tell(memberId: string, more: object = {}): Promise<void> {
  const said = { memberId, opusId: randomUUID(), lesson: '横画', seconds: 8, video: randomUUID(), ...more }
  await sendEvent(instance, 'app', { type: 'opus.video-submitted', data: said })
  await instance.inbox.sweep()
}
const listed = async (memberId: string, path = PATH) =>
  (await teacher.get<{ records: Work[] }>(`${path}?memberId=${memberId}&size=50`)).data.records
/** A pupil's film that waits. */
async function handIn(memberId: string, more: object = {}): Promise<Work> {
  await tell(memberId, { video: await send(webm(), 'video'), ...more })
  return (await listed(memberId))[0] as Work
}
async function commented(memberId: string): Promise<Work> {
  const work = await handIn(memberId)
  await teacher.post(`${PATH}/${work.id}/take`)
  await teacher.post(`${PATH}/${work.id}/comment`, GOOD)
  instance.clock.forward(121_000)
  const job = jobs.find(({ name }) => name === 'work-release') as DeclaredJob
  await instance.app.db.write(tx => atOnce(job)(ownChange(instance.app, tx, instance.clock.now(), 'job:work-release')))
  return work
}

describe('a film a pupil hands in', () => {
  test('stands in one row of its own list, with its length, its cover and the film before it', async () => {
    const memberId = await enrol(instance)
    const opusId = randomUUID()
    const first = await handIn(memberId, { opusId, cover: await send(png(), 'image') })
    await tell(memberId, { opusId, video: await send(webm(), 'video') })
    expect(await listed(memberId)).toHaveLength(1)
    expect(first).toMatchObject({ attempt: 1, durationSeconds: 8, kind: 'PRACTICE', status: 'SUBMITTED' })
    expect([first.video, first.picture].map(({ length }) => length)).toEqual([1, 1])
    expect(await handIn(memberId)).toMatchObject({ attempt: 2, beforeId: first.id, picture: [] })
    expect(await listed(memberId, '/members/work')).toEqual([])
  })

  test('is not taken with a film nobody sent, nor with a picture in its place', async () => {
    const memberId = await enrol(instance)
    await tell(memberId)
    await tell(memberId, { video: await send(png(), 'image') })
    await tell(memberId, { video: await send(webm(), 'video'), seconds: 601 })
    expect(await listed(memberId)).toEqual([])
  })
})

describe('the desk of films', () => {
  test('gives films and no pictures, plays them by a link, and keeps what is said with its moment', async () => {
    const memberId = await enrol(instance)
    await handIn(memberId)
    const { data } = await teacher.post<Desk>(`${PATH}/take-next`)
    expect(data.held).toMatchObject([{ durationSeconds: 8 }])
    const [work] = data.held as [DeskWork]
    const film = await instance.http.inject({ url: String(work.video) })
    expect(film.headers['content-type']).toBe('video/webm')
    expect((await teacher.post<Desk>('/members/work/take-next')).data.held).toEqual([])
    expect(await teacher.post(`/members/work/${work.id}/comment`, GOOD)).toMatchObject({ status: 404 })
    const wrong = { ...MOMENT, second: 601 }
    expect(await teacher.post(`${PATH}/${work.id}/comment`, { ...GOOD, marks: [wrong] })).toMatchObject({ code: 4005 })
    expect(await teacher.post(`${PATH}/${work.id}/comment`, GOOD)).toMatchObject({ code: 0 })
    const { data: said } = await teacher.get<{ marks: object[] }[]>(`${PATH}/${work.id}/comments`)
    expect(said).toMatchObject([{ marks: [MOMENT] }])
    await teacher.post(`${PATH}/${work.id}/take-back`)
    await teacher.post(`${PATH}/${work.id}/let-go`, { toId: null })
  })

  test('is for whoever may take films: a right to pictures opens none', async () => {
    const other = await person(instance, { grants: { 'opus-list': ALL } })
    const work = await handIn(await enrol(instance))
    expect(await other.post(`${PATH}/take-next`)).toMatchObject({ status: 403 })
    expect(await other.post(`/members/work/${work.id}/take`)).toMatchObject({ status: 404 })
    expect(await other.post(`/common/file/${work.video[0]}/link`)).toMatchObject({ code: 4004 })
    expect(await teacher.post(`/common/file/${work.video[0]}/link`)).toMatchObject({ code: 0 })
  })
})

describe('an excellent film', () => {
  const said = async (act: 'given' | 'withdrawn', memberId: string, purpose: string) => {
    instance.clock.forward(1_000)
    const words = {
      memberId,
      by: '陈家长',
      purposes: [purpose],
      ...(act === 'given' ? { textVersion: 'C2025-03' } : {}),
    }
    await sendEvent(instance, 'app', { type: `consent.${act}`, data: words })
    await instance.inbox.sweep()
  }

  test('is shown only where the guardian agreed to works shown and to films, and no longer once either is taken back', async () => {
    const memberId = await enrol(instance)
    const { id } = await commented(memberId)
    const mark = () => teacher.post(`${PATH}/${id}/markExcellent`)
    expect(await mark()).toMatchObject({ code: 4006 })
    await said('given', memberId, 'DISPLAY')
    expect(await mark()).toMatchObject({ code: 4006 })
    await said('given', memberId, 'VIDEO')
    expect(await mark()).toMatchObject({ code: 0 })
    await said('withdrawn', memberId, 'VIDEO')
    expect((await listed(memberId))[0]).toMatchObject({ isExcellent: false, score: 80 })
  })
})
