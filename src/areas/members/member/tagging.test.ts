import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { deedsOf, dryRun, putInForce, refusedFor } from '../../../../tools/testing/chain-in-force.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { handIn, triage } from '../../../../tools/testing/works.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'

describe('a chain that sets a tag', () => {
  let instance: TestInstance
  const QUIET = 'THEN(setTag.bind("tag", "QUIET"), setTag.bind("tag", "QUIET"), setTag.bind("tag", "RENEWAL"))'
  beforeAll(async () => {
    instance = await openTestInstance({ isSending: false })
    await putInForce(instance, 'workHandedIn', QUIET)
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
  const memberOf = (id: string) =>
    instance.app.db.query
      .selectFrom('member')
      .select(['tags', 'version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const retag = (id: string, tags: string[]) =>
    instance.app.db.query.updateTable('member').set({ tags }).where('id', '=', id).execute()

  test('puts it on the member of the work once, and leaves to people what they took away', async () => {
    const memberId = await enrol(instance)
    await retag(memberId, ['SIBLING'])
    const id = await handIn(instance, memberId)
    await instance.outbox.run()
    expect((await memberOf(memberId)).tags).toEqual(['SIBLING', 'QUIET', 'RENEWAL'])
    await retag(memberId, ['SIBLING'])
    await triage(instance, id)
    expect((await memberOf(memberId)).tags).toEqual(['SIBLING'])
    const first = ['setTag DONE', 'setTag DONE']
    expect(await deedsOf(instance, 'workHandedIn', id)).toEqual([...first, 'setTag ALREADY', 'setTag ALREADY'])
  })

  test('changes nothing where the member has it', async () => {
    const memberId = await enrol(instance)
    await retag(memberId, ['QUIET', 'RENEWAL'])
    await handIn(instance, memberId)
    const before = await memberOf(memberId)
    await instance.outbox.run()
    expect(await memberOf(memberId)).toEqual(before)
  })

  test('says so where the member has as many as there may be', async () => {
    const full = await enrol(instance)
    await retag(
      full,
      Array.from({ length: 20 }, (_, at) => `T${at}`),
    )
    const work = await handIn(instance, full)
    await instance.outbox.run()
    expect(await deedsOf(instance, 'workHandedIn', work)).toEqual(['setTag FULL', 'setTag FULL'])
  })

  test('cannot be published where it names no tag there is', async () => {
    expect(await refusedFor(instance, null, 'THEN(setTag.bind("tag", "NONE"))')).toContain('line 1, column 25')
  })

  test('does nothing when it is tried', async () => {
    const marked = () => instance.app.db.query.selectFrom('rule_deed').selectAll().execute()
    const before = await marked()
    expect(await dryRun(instance, QUIET)).toMatchObject({ error: null, steps: [{ nodeId: 'setTag' }, {}, {}] })
    await instance.outbox.run()
    expect(await marked()).toEqual(before)
  })

  test('is refused for refunds', async () => {
    expect(await refusedFor(instance, 'refundSubmitted', 'THEN(setTag.bind("tag", "QUIET"))')).toContain('column 6')
  })

  test('reaches a lead who is a member by now, and says so where one has not registered', async () => {
    await putInForce(instance, 'leadArrived', 'THEN(setTag.bind("tag", "HIGH_INTENT"))')
    const phones = [phoneAt(PHONES.test + 71_000), phoneAt(PHONES.test + 71_001)]
    const told = (type: string, data: Record<string, unknown>) =>
      sendEvent(instance, 'app', { id: randomUUID(), type, data })
    for (const phone of phones)
      await told('registration.reached', { phone, step: 'PHONE', source: 'APP', channel: 'STORE' })
    await instance.inbox.sweep()
    await told('member.registered', { phone: phones[0], name: '林小满', source: 'APP', channel: 'STORE' })
    await instance.inbox.sweep()
    await instance.outbox.run()
    const begun = await instance.app.db.query
      .selectFrom('registration')
      .select(['id', 'became_id as memberId'])
      .where('phone', 'in', phones)
      .orderBy('phone')
      .execute()
    const deeds = await Promise.all(begun.map(({ id }) => deedsOf(instance, 'leadArrived', id)))
    expect(deeds).toEqual([['setTag DONE'], ['setTag NO_MEMBER']])
    expect((await memberOf(begun[0]?.memberId ?? '')).tags).toEqual(['HIGH_INTENT'])
  })
})
