import { beforeAll, expect, test } from 'vitest'
import { leadRegistered } from '#engines/lead/ending.server.ts'
import { arrive } from '#engines/lead/server.ts'
import type { Change } from '#kit/server/app.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'

const PATH = '/members/member/find-by-phone'
const LEFT = phoneAt(PHONES.test + 73_500)

let instance: TestInstance
let memberId: string
let seller: Awaited<ReturnType<typeof person>>
const grants = { 'member-list': ['list', 'detail'] }
beforeAll(async () => {
  instance = await openTestInstance()
  seller = await person(instance, { grants, scope: 'SELF' })
  memberId = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
  const work = <T>(step: (change: Change) => Promise<T>) =>
    instance.app.db.write(tx => step(ownChange(instance.app, tx, instance.clock.now(), 'test')))
  // A guardian left one number, and registered by another.
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner: null } as const
  const [arrived] = await work(change => arrive(change, [{ ...came, phone: LEFT, cameBy: 'FORM', key: 'form:1' }]))
  await work(change =>
    leadRegistered(change, String(arrived?.leadId), { id: memberId, owner: { id: seller.id, orgId: seller.orgId } }),
  )
})

test('a member is found by the number the guardian left before registering, in the list, in forms and everywhere', async () => {
  expect((await seller.post<{ ids: string[] }>(PATH, { phone: LEFT })).data.ids).toEqual([memberId])
  const chosen = await seller.post<{ id: string }[]>('/common/reference/member/find-by-phone', { phone: LEFT })
  expect(chosen.data.map(({ id }) => id)).toEqual([memberId])
  const { data } = await seller.post<{ records: { screen: string; id: string }[] }>('/common/search', { text: LEFT })
  expect(data.records).toContainEqual(expect.objectContaining({ screen: 'members/member', id: memberId }))
})

test('of somebody else’s member such a number tells no more than the member’s own: whom to ask', async () => {
  const other = await person(instance, { grants, scope: 'SELF' })
  const answer = await other.post(PATH, { phone: LEFT })
  expect(answer.code).not.toBe(0)
  expect(answer.body).not.toContain(`"${memberId}"`)
})

test('whoever has a number today is meant before whoever left it once', async () => {
  const now = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
  await instance.app.db.query.updateTable('member').set({ phone: LEFT }).where('id', '=', now).execute()
  expect((await seller.post<{ ids: string[] }>(PATH, { phone: LEFT })).data.ids).toEqual([now])
})
