import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { listen, openSocket, sendEvent, sendFile } from '../../../../tools/testing/live.ts'
import { passedOn, photograph } from '../../../../tools/testing/photographs.ts'
import { type Share, weekOf, whyNotApproved } from './model.ts'

const PAGE = 'member-share'
const PATH = '/members/share'
const READ = ['list', 'detail']

let instance: TestInstance
let desk: Awaited<ReturnType<typeof person>>
// Sunday evening in Shanghai: a few hours later it is another week.
const clock = stoppedClock(new Date('2026-11-22T12:00:00Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  desk = await person(instance, { grants: { [PAGE]: [...READ, 'approve', 'reject'] } })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

let seeds = 0
const fresh = () => {
  seeds += 1
  return photograph(1_000 + seeds)
}
const tell = async (data: object, id: string = randomUUID()) => {
  const answer = await sendEvent(instance, 'app', { id, type: 'poster.shared', data: data as never })
  await instance.inbox.sweep()
  return answer
}
const send = async (picture: Buffer) => (await sendFile(instance, 'app', picture)).data.id
/** A share as it stands once its screenshot has been compared. */
async function share(memberId: string, picture?: Buffer, more: object = {}): Promise<Share> {
  const shareId = randomUUID()
  const pictures = [await send(picture ?? (await fresh()))]
  await tell({ memberId, poster: '中秋', shareId, pictures, ...more })
  await instance.outbox.run()
  return (await listed(memberId))[0] as Share
}
const listed = async (memberId: string, by: Caller = desk) =>
  (await by.get<{ records: Share[] }>(`${PATH}?memberId=${memberId}&sort=id:desc`)).data.records
const read = async (id: string, by: Caller = desk) => (await by.get<Share>(`${PATH}/${id}`)).data
const step = (id: string, name: string, body?: object) => desk.post(`${PATH}/${id}/${name}`, body)
const coinsOf = async (memberId: string) =>
  (
    await instance.app.db.query
      .selectFrom('member')
      .select('coins')
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow()
  ).coins

describe('a shared poster', () => {
  test('stands in one row however often it is told, and reaches those in charge as push 9', async () => {
    const memberId = await enrol(instance, { ownerId: desk.id, orgId: desk.orgId })
    const socket = await openSocket(await listen(instance), desk.token)
    const said = { memberId, poster: '中秋', shareId: 'S1', platform: 'XIAOHONGSHU' }
    await tell(said)
    await tell(said)
    const pushed = await socket.next(({ type }) => type === 9)
    expect(JSON.parse(pushed.content)).toMatchObject({ poster: '中秋', memberId })
    expect(await listed(memberId)).toMatchObject([
      { poster: '中秋', platform: 'XIAOHONGSHU', status: 'SUBMITTED', likeness: 'NONE', period: '2026-11-16' },
    ])
    socket.raw.close()
  })

  test('waits for its screenshot, which may come with a later word of it, and is not approved before', async () => {
    const memberId = await enrol(instance)
    const said = { memberId, poster: '中秋', shareId: 'S1' }
    await tell(said)
    const [first] = await listed(memberId)
    expect((await step(String(first?.id), 'approve')).msg).toContain('No screenshot')
    await tell({ ...said, pictures: [await send(await fresh())] })
    expect((await step(String(first?.id), 'approve')).msg).toContain('being compared')
    await instance.outbox.run()
    expect(await step(String(first?.id), 'approve')).toMatchObject({ code: 0 })
    await tell({ ...said, pictures: [await send(await fresh())] })
    expect(await listed(memberId)).toMatchObject([{ likeness: 'NEW', picture: [expect.any(String)] }])
  })

  test('on a platform we have no word for is one on another, and with a picture nobody sent is none', async () => {
    const memberId = await enrol(instance)
    await tell({ memberId, poster: '中秋', platform: 'KUAISHOU' })
    await tell({ memberId, poster: '国庆', pictures: [randomUUID()] })
    expect(await listed(memberId)).toMatchObject([{ poster: '中秋', platform: 'OTHER' }])
  })

  test('counts for the week it is in Shanghai, which begins on Monday', () => {
    expect(['2026-11-15', '2026-11-16', '2026-11-22', '2026-11-23'].map(weekOf)).toEqual([
      '2026-11-09',
      '2026-11-16',
      '2026-11-16',
      '2026-11-23',
    ])
  })

  test('is approved once it is seen that its screenshot is new, alike or the same, and never without one', () => {
    const open = (['NONE', 'PENDING', 'NEW', 'ALIKE', 'SAME'] as const).filter(
      likeness => !whyNotApproved({ likeness }),
    )
    expect(open).toEqual(['NEW', 'ALIKE', 'SAME'])
  })
})

describe('a screenshot', () => {
  test('that was there already is flagged with the share that has it, also turned, smaller and compressed', async () => {
    const [first, second, third] = [await enrol(instance), await enrol(instance), await enrol(instance)]
    const picture = await fresh()
    const earlier = await share(first, picture)
    const copy = await share(second, picture)
    const turned = await share(third, await passedOn['turned, smaller and compressed'](picture))
    expect([earlier, copy, turned].map(({ likeness }) => likeness)).toEqual(['NEW', 'SAME', 'ALIKE'])
    expect(await read(copy.id)).toMatchObject({
      like: { id: earlier.id, isSameMember: false, picture: earlier.picture },
    })
    expect(await read(turned.id)).toMatchObject({ like: { id: earlier.id, status: 'SUBMITTED' } })
    expect(await read(earlier.id)).toMatchObject({ like: null })
    const own = await share(first, await passedOn.mirrored(picture))
    expect(await read(own.id)).toMatchObject({ likeness: 'ALIKE', like: { isSameMember: true } })
  })

  test('of somebody else is not seen by whoever does not see that member', async () => {
    const seller = await person(instance, { grants: { [PAGE]: READ }, scope: 'SELF' })
    const [others, own] = [await enrol(instance), await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })]
    const picture = await fresh()
    const earlier = await share(others, picture)
    const copy = await share(own, picture)
    expect(await read(copy.id, seller)).toMatchObject({ likeness: 'SAME', like: { id: earlier.id } })
    expect(await seller.get(`${PATH}/${earlier.id}`)).toMatchObject({ code: 4004 })
    const links = await seller.post<Record<string, string>>('/common/file/links', {
      ids: [...earlier.picture, ...copy.picture],
    })
    expect(Object.keys(links.data)).toEqual(copy.picture)
  })
})

describe('coins', () => {
  test('come with the first approved share of a week, once however often it is pressed, and again the next week', async () => {
    const memberId = await enrol(instance)
    const [one, two] = [await share(memberId), await share(memberId)]
    const pressed = await Promise.all([step(one.id, 'approve'), step(one.id, 'approve'), step(two.id, 'approve')])
    expect(pressed.map(({ code }) => code).sort()).toEqual([0, 0, 4006])
    expect(await coinsOf(memberId)).toBe(10)
    expect((await listed(memberId)).map(({ rewardCoins }) => rewardCoins).sort()).toEqual([0, 10])
    const now = clock.now()
    clock.forward(5 * 3_600_000)
    const next = await share(memberId)
    expect(next.period).toBe('2026-11-23')
    await step(next.id, 'approve')
    expect(await coinsOf(memberId)).toBe(20)
    clock.set(now)
  })

  test('are not given to who is frozen, nor for what is rejected; a rejection needs a reason and can be taken back', async () => {
    const [frozen, memberId] = [await enrol(instance), await enrol(instance)]
    const [cold, late] = [await share(frozen), await share(memberId)]
    await instance.app.db.query.updateTable('member').set({ status: 'FROZEN' }).where('id', '=', frozen).execute()
    expect(await step(cold.id, 'approve')).toMatchObject({ code: 0 })
    expect(await step(late.id, 'reject')).toMatchObject({ code: 4005 })
    expect(await step(late.id, 'reject', { reason: '看不到海报' })).toMatchObject({ code: 0 })
    expect(await read(late.id)).toMatchObject({ status: 'REJECTED', rejectedFor: '看不到海报', decidedBy: desk.id })
    expect(await step(late.id, 'reject/undo')).toMatchObject({ code: 0 })
    expect(await read(late.id)).toMatchObject({ status: 'SUBMITTED', rejectedFor: null, decidedBy: null })
    expect([await coinsOf(frozen), await coinsOf(memberId)]).toEqual([0, 0])
  })
})
