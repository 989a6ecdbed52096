import { beforeAll, expect, test } from 'vitest'
import type { PathStep } from '#engines/lead/path.model.ts'
import { arrive } from '#engines/lead/server.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { buy, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'

const PHONE = '13988880001'
const clock = stoppedClock(new Date('2026-11-10T04:00:00Z'))

let instance: TestInstance
let seller: Caller & { orgId: string }
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  const grants = { 'member-list': ['list', 'detail', 'own'] }
  seller = await person(instance, { grants, scope: 'SELF', name: '顾问甲' })
})

const came = (key: string, owner: { id: string; orgId: string } | null) =>
  instance.app.db.write(tx =>
    arrive(ownChange(instance.app, tx, clock.now(), key), [
      {
        phone: PHONE,
        name: null,
        source: 'DOUYIN',
        channel: 'OTHER',
        consent: 'APP_TERMS',
        cameBy: 'REGISTRATION',
        key,
        owner,
      },
    ]),
  )

test('the way of a member is told from the first trace of the number to the first payment, to whoever sees the member; how much was paid to whoever sees the order', async () => {
  await came('first', { id: seller.id, orgId: seller.orgId })
  clock.set('2026-11-11T04:00:00Z')
  await came('second', null)
  await came('second', null)
  clock.set('2026-11-12T04:00:00Z')
  const data = { phone: PHONE, name: '李小墨', source: 'APP', channel: 'OTHER' }
  await sendEvent(instance, 'app', { type: 'member.registered', data })
  await instance.inbox.sweep()
  const { id } = await instance.app.db.query
    .selectFrom('member')
    .select('id')
    .where('phone', '=', PHONE)
    .executeTakeFirstOrThrow()
  clock.set('2026-11-13T04:00:00Z')
  await buy(instance, id, await offer(instance, [grantOf('MEMBER_DAYS', 30)]))
  const { data: path } = await seller.get<PathStep[]>(`/members/member/${id}/lead-path`)
  const told = path.map(({ at, kind, source, times, owner }) => [at.slice(0, 10), kind, source, times, owner])
  expect(told).toEqual([
    ['2026-11-10', 'CAME', 'DOUYIN', 1, null],
    ['2026-11-10', 'OWNED', null, 1, '顾问甲'],
    ['2026-11-11', 'AGAIN', 'DOUYIN', 2, null],
    ['2026-11-12', 'REGISTERED', 'DOUYIN', 1, null],
    ['2026-11-13', 'BOUGHT', null, 1, null],
  ])
  const paid = (steps: readonly PathStep[]) => steps.filter(({ kind }) => kind === 'BOUGHT').map(({ fen }) => fen)
  expect(paid(path)).toEqual([null])
  const cashier = await person(instance, { grants: { 'member-list': ['list', 'detail'], 'order-list': ['list'] } })
  const { data: seen } = await cashier.get<PathStep[]>(`/members/member/${id}/lead-path`)
  expect(paid(seen)).toEqual([expect.any(Number)])
  const stranger = await person(instance, { grants: { 'member-list': ['list', 'detail'] }, scope: 'SELF' })
  expect(await stranger.get(`/members/member/${id}/lead-path`)).toMatchObject({ status: 404 })
})
