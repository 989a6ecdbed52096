import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { putInForce } from '../../../../tools/testing/chain-in-force.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { handIn } from '../../../../tools/testing/works.ts'
import type { Work } from './model.ts'

const GRANTS = { 'opus-list': ['list', 'detail', 'take'] }
const PATH = '/members/work'

describe('a work that is handed in where a chain is in force', () => {
  let instance: TestInstance
  let teacher: Caller
  let senior: Caller
  let accounts: Map<string, string>
  let write: (source: string) => Promise<void>
  beforeAll(async () => {
    // Nothing is decided before the test says so.
    instance = await openTestInstance({ isSending: false })
    teacher = await person(instance, { grants: GRANTS })
    senior = await person(instance, { grants: GRANTS })
    const clerk = await person(instance, { grants: { 'member-list': ['list'] } })
    const people = await instance.app.db.query.selectFrom('staff').select(['id', 'account']).execute()
    accounts = new Map(people.map(({ id, account }) => [id, account]))
    write = await putInForce(instance, 'workHandedIn', `THEN(handWork.bind("account", "${accounts.get(clerk.id)}"))`)
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const read = async (id: string) => (await teacher.get<Work>(`${PATH}/${id}`)).data
  async function triaged(memberId: string): Promise<Work> {
    const id = await handIn(instance, memberId)
    await instance.outbox.run()
    return read(id)
  }

  test('stays in the queue where the chain names somebody who may not comment', async () => {
    expect(await triaged(await enrol(instance))).toMatchObject({
      status: 'SUBMITTED',
      assigneeId: null,
      review: 'NONE',
    })
  })

  test('goes to the teacher the chain names, and is looked at again where it says so', async () => {
    await write(`IF(over.bind("fact", "worksBefore").bind("than", 0), reviewWork)
      .ELSE(handWork.bind("account", "${accounts.get(senior.id)}"))`)
    const memberId = await enrol(instance)
    expect(await triaged(memberId)).toMatchObject({ assigneeId: senior.id, review: 'NONE' })
    expect(await triaged(memberId)).toMatchObject({ assigneeId: null, review: 'DUE' })
  })

  test('waits in the queue as before there were chains: by the chain that was shipped, which decides too where another fails', async () => {
    const asBefore = { status: 'SUBMITTED', assigneeId: null, review: 'NONE' }
    await write('THEN(usualQueue)')
    expect(await triaged(await enrol(instance))).toMatchObject(asBefore)
    await write('WHILE(true).DO(IF(over.bind("fact", "worksBefore").bind("than", -1), reviewWork))')
    const work = await triaged(await enrol(instance))
    expect(work).toMatchObject(asBefore)
    const runs = await instance.app.db.query
      .selectFrom('rule_run')
      .select(['edition', 'result'])
      .where('event', '=', 'workHandedIn')
      .where('record_id', '=', work.id)
      .execute()
    expect(runs).toEqual([{ edition: 0, result: 'FELL_BACK' }])
  })

  test('is left to whoever took it before the chain had spoken', async () => {
    const id = await handIn(instance, await enrol(instance))
    expect(await teacher.post(`${PATH}/${id}/take`)).toMatchObject({ code: 0 })
    await instance.outbox.run()
    expect(await read(id)).toMatchObject({ status: 'LEASED', holderId: teacher.id, assigneeId: null })
  })
})
