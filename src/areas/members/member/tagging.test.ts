import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deed, forgetDeeds } from '#engines/rule/deed.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { deedsOf, dryRun, putInForce, refusedFor } from '../../../../tools/testing/chain-in-force.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { handIn, triage } from '../../../../tools/testing/works.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { eraseMember } from './closing.server.ts'

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

  test('says so where the account was closed meanwhile', async () => {
    const gone = await enrol(instance)
    const work = await handIn(instance, gone)
    const { app } = instance
    await app.db.write(tx => eraseMember(ownChange(app, tx, app.clock.now(), 'test'), gone))
    await instance.outbox.run()
    expect(await deedsOf(instance, 'workHandedIn', work)).toEqual(['setTag CLOSED', 'setTag CLOSED'])
  })

  test('does it once where two consoles come to it at the same moment', async () => {
    const memberId = await enrol(instance)
    const id = await handIn(instance, memberId)
    const { app } = instance
    const payload = {
      event: 'workHandedIn',
      recordId: id,
      no: 'N',
      runId: '0',
      place: 0,
      node: 'setTag',
      bound: { tag: 'RENEWAL' },
    }
    const settle = () =>
      app.db.write(tx => deed.settle(ownChange(app, tx, app.clock.now(), 'test'), payload as never, undefined))
    await Promise.all([settle(), settle(), settle()])
    const { tags, version } = await memberOf(memberId)
    expect(tags).toEqual(['RENEWAL'])
    await settle()
    expect((await memberOf(memberId)).version).toBe(version)
    const marks = app.db.query.selectFrom('rule_deed').select('node').where('record_id', '=', id)
    expect(await marks.execute()).toHaveLength(1)
    // The chain itself comes to it after all, and finds one of its two done.
    await instance.outbox.run()
    expect(await deedsOf(instance, 'workHandedIn', id)).toEqual(['setTag DONE', 'setTag ALREADY'])
  })

  test('is remembered for two years, and forgotten then', async () => {
    const { app } = instance
    const left = async () =>
      Number(
        (await app.db.query.selectFrom('rule_deed').select(sql<string>`count(*)`.as('n')).executeTakeFirstOrThrow()).n,
      )
    const before = await left()
    expect(before).toBeGreaterThan(0)
    const inDays = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000)
    expect(await app.db.write(tx => forgetDeeds({ tx, now: inDays(729) }, 1_000))).toBe(0)
    expect(await app.db.write(tx => forgetDeeds({ tx, now: inDays(731) }, 1))).toBe(1)
    expect(await app.db.write(tx => forgetDeeds({ tx, now: inDays(731) }, 1_000))).toBe(before - 1)
    expect(await left()).toBe(0)
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
      .select(['lead_id as id', 'became_id as memberId'])
      .where('phone', 'in', phones)
      .orderBy('phone')
      .execute()
    const deeds = await Promise.all(begun.map(({ id }) => deedsOf(instance, 'leadArrived', id)))
    expect(deeds).toEqual([['setTag DONE'], ['setTag NO_MEMBER']])
    expect((await memberOf(begun[0]?.memberId ?? '')).tags).toEqual(['HIGH_INTENT'])
  })
})

describe('a chain that has more done than eight things', () => {
  test('has none of them done, and the shipped one decides; eight are done', async () => {
    const instance = await openTestInstance({ isSending: false })
    const notices = (count: number) =>
      Array.from({ length: count }, (_, at) => `notify.bind("to", "carer").bind("text", "第${at}件")`).join(', ')
    const write = await putInForce(instance, 'workHandedIn', `THEN(${notices(9)})`)
    const handedIn = async () => {
      const id = await handIn(instance, await enrol(instance))
      await instance.outbox.run()
      return id
    }
    const many = await handedIn()
    expect(await deedsOf(instance, 'workHandedIn', many)).toEqual([])
    const run = await instance.app.db.query
      .selectFrom('rule_run')
      .select(['result', 'fault'])
      .where('record_id', '=', many)
      .executeTakeFirstOrThrow()
    expect(run).toEqual({ result: 'FELL_BACK', fault: 'limit: 8 deeds' })
    await write(`THEN(${notices(8)})`)
    expect(await deedsOf(instance, 'workHandedIn', await handedIn())).toHaveLength(8)
  })
})
