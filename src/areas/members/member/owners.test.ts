import { beforeAll, expect, test } from 'vitest'
import { findBroken, repairKept } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { openTestInstance, org, person, type TestInstance } from '../../../../tools/testing/instance.ts'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

test('a member in another department than its owner is found, and mended with all that hangs on it', async () => {
  const owner = await person(instance, { grants: { 'member-list': ['own'] } })
  const memberId = await enrol(instance, { ownerId: owner.id })
  await buy(instance, memberId, await offer(instance, [grantOf('COINS', 10)]))
  const broken = async () => (await findBroken(instance.app.db, instance.catalogue)).map(({ name }) => name)
  expect(await broken()).toEqual([])
  const elsewhere = await org(instance)
  for (const table of ['member', 'sales_order'])
    await run(instance.app.db.query, `update ${table} set org_id = $1`, [elsewhere])
  expect(await broken()).toEqual(["a member is in the owner's department"])
  const mended = await repairKept(instance.app.db, instance.catalogue)
  expect(mended.map(({ name }) => name)).toEqual([
    "a member is in the owner's department",
    "sales_order: what belongs to a member is seen by the member's owner",
  ])
  expect(await broken()).toEqual([])
})
