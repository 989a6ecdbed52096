import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { rulesInForce } from '#engines/rule/in-force.server.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { runChain } from '#engines/rule/run.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ask } from '#kit/server/change/question.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import type { KnownFacts, Tried } from './model.ts'

const path = '/system/rule-script'

describe('a rule script', () => {
  let instance: TestInstance
  let writer: Caller
  let publisher: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    writer = await person(instance, {
      grants: { 'liteflow-script': ['list', 'detail', 'create', 'update', 'drafts', 'publish', 'try'] },
    })
    publisher = await person(instance, { grants: { 'liteflow-script': ['list', 'detail', 'publish'] }, name: '复核人' })
  })

  const create = async (nodeId: string, source: string) =>
    (await writer.post<{ id: string }>(path, { nodeId, name: '评分', type: 'boolean_script', note: '', source })).data
      .id
  const publish = async (id: string) => {
    const { version } = (await writer.get<{ version: number }>(`${path}/${id}`)).data
    return publisher.post(`${path}/${id}/publish`, { version })
  }
  const tryOut = (type: string, source: string, facts = '{}') =>
    writer.post<Tried>(`${path}/try`, { type, source, facts })

  test('that is no JavaScript is kept as a draft and cannot be published, with the reason', async () => {
    const id = await create('wrong', 'return facts.amount >')
    expect(await publish(id)).toMatchObject({ code: 4006, msg: expect.stringContaining('has a syntax error') })
    expect((await writer.get(`${path}/${id}`)).data).toMatchObject({ status: 'DRAFT', edition: 0 })
  })

  test('is not published by whoever saved its draft, nor under the name of a node of the code', async () => {
    const id = await create('twoRead', 'return true')
    const { version } = (await writer.get<{ version: number }>(`${path}/${id}`)).data
    expect(await writer.post(`${path}/${id}/publish`, { version })).toMatchObject({ code: 4006 })
    expect((await publish(id)).code).toBe(0)
    expect(await publish(await create('askL2', 'return true'))).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('built-in node'),
    })
  })

  test('is compiled when it is published, and not run', async () => {
    const id = await create('endless', 'for (;;);')
    expect((await publish(id)).code).toBe(0)
    expect((await writer.get(`${path}/${id}`)).data).toMatchObject({ status: 'PUBLISHED', edition: 1 })
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('is called by one id, which no other script has', async () => {
    await create('once', 'return true')
    const again = { nodeId: 'once', name: '再来', type: 'script', note: '', source: '' }
    expect(await writer.post(path, again)).toMatchObject({
      code: 4005,
      data: { fields: { nodeId: expect.any(String) } },
    })
  })

  test('is tried on given facts, as a chain would ask it, and nothing of that is kept', async () => {
    const answer = async (...asked: Parameters<typeof tryOut>) => (await tryOut(...asked)).data
    expect(await answer('boolean_script', 'return facts.amount > 5', '{"amount": 9}')).toMatchObject({
      answer: 'true',
      error: null,
    })
    expect(await answer('script', 'defaultContext.setData("risk", 2)')).toMatchObject({ answer: '{"risk":2}' })
    expect(await answer('switch_script', 'return "far"')).toMatchObject({ answer: '"far"', error: null })
    expect(await answer('boolean_script', 'return "yes"')).toMatchObject({ answer: null, error: { code: 'answer' } })
    expect(await answer('boolean_script', 'const a = 1\nreturn facts.a.b')).toMatchObject({
      error: { code: 'script', line: 2 },
    })
    expect(await answer('for_script', 'for (;;);')).toMatchObject({ error: { code: 'time' } })
  })

  test('is tried on an object of JSON and nothing else', async () => {
    for (const facts of ['[1]', '{', '3'])
      expect(await tryOut('script', '', facts)).toMatchObject({
        code: 4005,
        data: { fields: { facts: expect.any(String) } },
      })
    expect((await tryOut('script', '', '')).code).toBe(0)
  })

  test('may ask what the events tell of their records, called as people of each language call it', async () => {
    const { facts } = (await writer.get<KnownFacts>(`${path}/known`)).data
    expect(facts).toContainEqual({ name: 'amountFen', title: 'Amount (fen)', kind: 'whole', fields: [] })
    expect(new Set(facts.map(({ name }) => name)).size).toBe(facts.length)
    const outsider = await person(instance, { grants: { 'liteflow-script': ['list'] } })
    expect((await outsider.get(`${path}/known`)).status).toBe(403)
  })

  test('that is tried keeps none waiting that an event asks, however many people try one that never ends', async () => {
    await publish(await create('isSlow', 'return facts.amount > 5'))
    const { library } = await ask(instance.app, rulesInForce, { event: 'refundSubmitted' })
    const chains = new Map([['main', parse('NOT(isSlow)').tree]])
    const decided = () => runChain({ ...library, chains }, 'main', { facts: { amount: 9 } })
    // Either process is there before it is measured against the other.
    await Promise.all([decided(), tryOut('script', '')])
    const grants = { 'liteflow-script': ['try'] }
    const people = await Promise.all(Array.from({ length: 8 }, () => person(instance, { grants })))
    let ended = 0
    const trials = people.map(async who => {
      await who.post(`${path}/try`, { type: 'script', source: 'for (;;);', facts: '' })
      ended += 1
    })
    await Promise.race(trials)
    expect((await decided()).steps).toMatchObject([{ nodeId: 'isSlow', output: true }])
    expect(ended).toBeLessThan(people.length)
    await Promise.all(trials)
  })

  test('is not published where so many are that one more would leave another out', async () => {
    const id = await create('oneMore', 'return true')
    const { query } = instance.app.db
    await sql`insert into rule_script (node_id, name, type, source, note, edition, status)
      select 'many' || n, 'Many', 'boolean_script', 'return true', '', 1, 'PUBLISHED' from generate_series(1, 500) n`.execute(
      query,
    )
    expect(await publish(id)).toMatchObject({ code: 4006, msg: expect.stringContaining('500 are published') })
    await sql`delete from rule_script where node_id ~ '^many'`.execute(query)
    expect((await publish(id)).code).toBe(0)
  })

  test('is tried by those who may, and by nobody else', async () => {
    const reader = await person(instance, { grants: { 'liteflow-script': ['list', 'detail'] } })
    expect((await reader.post(`${path}/try`, { type: 'script', source: '', facts: '' })).status).toBe(403)
  })
})
