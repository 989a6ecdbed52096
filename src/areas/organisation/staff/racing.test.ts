import { beforeAll, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import { codeBatch } from '../../../../tools/testing/codes.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  insist,
  openTestInstance,
  patiently,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'

const STAFF = '/organisation/staff'
const WORKS = {
  'member-list': ['list', 'detail', 'own', 'teach'],
  'order-list': ['list'],
  'product-exchange': ['list', 'detail', 'exportCodes'],
}
/** Who comes first is chance: each race is run so often. */
const ROUNDS = 3

let instance: TestInstance
let admin: Caller
let productId: string
beforeAll(async () => {
  instance = await openTestInstance()
  admin = await person(instance, { superAdmin: true })
  productId = await offer(instance, [grantOf('COINS', 10)])
})

const query = (text: string, values: unknown[] = []) => run(instance.app.db.query, text, values)
const colleague = (more: Parameters<typeof person>[1] = {}) =>
  person(instance, { grants: WORKS, scope: 'SELF', ...more })
const leave = (who: Caller, to: Caller) =>
  patiently(() => admin.post(`${STAFF}/${who.id}/leave`, { successorId: to.id }))
const handOver = (who: Caller, to: Caller) =>
  patiently(() => admin.post(`${STAFF}/${who.id}/handOver`, { successorId: to.id }))
const assign = (memberId: string, to: Caller) =>
  patiently(() => admin.post(`/members/member/${memberId}/assignOwner`, { newOwnerId: to.id, reason: 'race' }))
const teach = (memberId: string, by: Caller) =>
  patiently(() => admin.post(`/members/member/${memberId}/bindTeacher`, { teacherId: by.id }))
const ownersOf = async (memberIds: readonly string[]) =>
  (await query('select owner_id::text as id from member where id = any($1::bigint[]) order by id', [memberIds])).map(
    ({ id }) => id,
  )
const leftBehind = () => findBroken(instance.app.db, instance.catalogue)

async function seller(members: number) {
  const who = await colleague()
  const memberIds: string[] = []
  for (let at = 0; at < members; at += 1) memberIds.push(await enrol(instance, { ownerId: who.id }))
  return { ...who, memberIds }
}

test('nobody who leaves keeps a member, a pupil or an order that is given to him at that moment', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [who, to] = [await seller(2), await colleague()]
    const [given, taught] = [await enrol(instance, { ownerId: to.id }), await enrol(instance)]
    const [left] = await Promise.all([
      leave(who, to),
      assign(given, who),
      teach(taught, who),
      insist(() => buy(instance, who.memberIds[0] as string, productId)),
    ])
    expect(left).toMatchObject({ code: 0 })
    expect(await ownersOf([given, ...who.memberIds])).toEqual([to.id, to.id, to.id])
  }
  expect(await leftBehind()).toEqual([])
})

test('nobody who leaves gets a role, people or codes at that moment', async () => {
  const [{ id: roleId }] = (await query(`select id from role where code = 'SUPER_ADMIN'`)) as [{ id: string }]
  const role = await colleague()
  const [{ id: given }] = (await query('select id from role where code = $1', [role.role])) as [{ id: string }]
  for (let round = 0; round < ROUNDS; round += 1) {
    const [who, to, newcomer] = [await colleague(), await colleague(), await colleague()]
    const { id: batchId } = await codeBatch(instance, { applicantId: to.id, approvedBy: admin.id })
    const [{ version }] = (await query('select version from staff where id = $1', [newcomer.id])) as [
      { version: number },
    ]
    const [left] = await Promise.all([
      leave(who, to),
      patiently(() => admin.post(`/system/user/${who.id}/assignRoles`, { roleIds: [given, roleId] })),
      patiently(() => admin.put(`${STAFF}/${newcomer.id}`, { managerId: who.id, version })),
      patiently(() => who.post(`/products/code-batch/${batchId}/export-codes`)),
    ])
    expect(left).toMatchObject({ code: 0 })
  }
  expect(await leftBehind()).toEqual([])
})

test('a role is not given to who has left, and is taken from nobody by trying', async () => {
  const [who, to] = [await colleague(), await colleague()]
  await leave(who, to)
  const [{ id }] = (await query('select id from role where code = $1', [to.role])) as [{ id: string }]
  expect(await admin.post(`/system/user/${who.id}/assignRoles`, { roleIds: [id] })).toMatchObject({
    code: 4006,
    msg: expect.stringContaining('has left'),
  })
})

test('of two hand-overs at once each member goes to one of the two, and the history tells to whom', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [who, one, two] = [await seller(3), await colleague(), await colleague()]
    await Promise.all([handOver(who, one), handOver(who, two)])
    const owners = new Set(await ownersOf(who.memberIds))
    expect(owners.size).toBe(1)
    expect([one.id, two.id]).toContain([...owners][0])
  }
  expect(await leftBehind()).toEqual([])
})

test('who leaves to somebody who leaves at that moment leaves nothing with either', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [who, next, last] = [await seller(2), await seller(1), await colleague()]
    const [first, second] = await Promise.all([leave(who, next), leave(next, last)])
    expect(second).toMatchObject({ code: 0 })
    expect(await ownersOf(who.memberIds)).toEqual(first.code === 0 ? [last.id, last.id] : [who.id, who.id])
  }
  expect(await leftBehind()).toEqual([])
})

test('two who leave to each other do not both leave', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, two] = [await seller(1), await seller(1)]
    const answers = await Promise.all([leave(one, two), leave(two, one)])
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  }
  expect(await leftBehind()).toEqual([])
})
