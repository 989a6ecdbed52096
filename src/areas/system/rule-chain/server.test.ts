import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import type { Tried } from './model.ts'

const [path, scripts] = ['/system/rule-chain', '/system/rule-script']
const ALL = ['list', 'detail', 'create', 'update', 'delete', 'drafts', 'publish', 'restore', 'try']

describe('a rule chain', () => {
  let instance: TestInstance
  let writer: Caller
  let publisher: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    writer = await person(instance, { grants: { 'liteflow-chain': ALL, 'liteflow-script': ALL } })
    publisher = await person(instance, { grants: { 'liteflow-chain': ALL, 'liteflow-script': ALL }, name: '复核人' })
    await script('score', 'script', 'return { risk: facts.amount / 10 }')
    await script('isRisky', 'boolean_script', 'return facts.risk > 5')
  })

  const publish = async (at: string) => {
    const { version } = (await writer.get<{ version: number }>(at)).data
    return publisher.post(`${at}/publish`, { version })
  }
  async function script(nodeId: string, type: string, source: string): Promise<string> {
    const { data } = await writer.post<{ id: string }>(scripts, { nodeId, name: nodeId, type, note: '', source })
    expect((await publish(`${scripts}/${data.id}`)).code).toBe(0)
    return data.id
  }
  const create = async (chainId: string, source: string, enabled = true) =>
    (await writer.post<{ id: string }>(path, { chainId, name: chainId, event: null, note: '', enabled, source })).data
      .id
  const tryOut = (source: string, facts = '{}') => writer.post<Tried>(`${path}/try`, { source, facts })

  test('with a mistake is kept as a draft and cannot be published, with the place of the mistake', async () => {
    const id = await create('wrong', 'THEN(\n  scor)')
    expect(await publish(`${path}/${id}`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('the first in line 2, column 3'),
    })
    expect((await writer.get(`${path}/${id}`)).data).toMatchObject({ status: 'DRAFT', edition: 0 })
  })

  test('is tried on given facts, and each step is told', async () => {
    const { data } = await tryOut('THEN(score, IF(isRisky, score.tag("again")))', '{"amount": 80}')
    expect(data).toMatchObject({ error: null, facts: '{"amount":80,"risk":8}' })
    expect(data.steps.map(({ nodeId, place, tag, output }) => [nodeId, place, tag, output])).toEqual([
      ['score', 5, null, '{"risk":8}'],
      ['isRisky', 15, null, 'true'],
      ['score', 24, 'again', '{"risk":8}'],
    ])
    expect(await tryOut('THEN(nobody)')).toMatchObject({ code: 4005, data: { fields: { source: expect.any(String) } } })
  })

  test('speaks of published scripts, and of chains that are published and enabled', async () => {
    const id = await create('inner', 'THEN(score)')
    expect((await tryOut('THEN(inner)', '{"amount": 10}')).code).toBe(4005)
    expect((await publish(`${path}/${id}`)).code).toBe(0)
    expect((await tryOut('THEN(inner)', '{"amount": 10}')).data).toMatchObject({
      error: null,
      facts: '{"amount":10,"risk":1}',
    })
    const off = await create('off', 'THEN(score)', false)
    await publish(`${path}/${off}`)
    expect((await tryOut('THEN(off)')).code).toBe(4005)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('and whatever script stands in another chain is not deleted, and names that chain', async () => {
    const scriptId = await script('held', 'script', '')
    const inner = await create('below', 'THEN(held)')
    await publish(`${path}/${inner}`)
    const outer = await create('above', 'THEN(below)')
    await publish(`${path}/${outer}`)
    expect((await writer.get(`${path}/${inner}`)).data).toMatchObject({ usedBy: ['above'] })
    expect((await writer.get(`${scripts}/${scriptId}`)).data).toMatchObject({ usedBy: ['below'] })
    expect(await writer.remove(`${path}/${inner}`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('"above" uses it'),
    })
    expect(await writer.remove(`${scripts}/${scriptId}`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('"below" uses it'),
    })
    expect((await writer.remove(`${path}/${outer}`)).code).toBe(0)
    expect((await writer.remove(`${path}/${inner}`)).code).toBe(0)
  })

  test('is not switched off while another chain asks it', async () => {
    const inner = await create('needed', 'THEN(score)')
    await publish(`${path}/${inner}`)
    await publish(`${path}/${await create('needing', 'THEN(needed)')}`)
    const { version } = (await writer.get<{ version: number }>(`${path}/${inner}`)).data
    const off = { name: 'needed', event: null, note: '', enabled: false, source: 'THEN(score)', version }
    expect((await writer.put(`${path}/${inner}`, off)).code).toBe(0)
    expect(await publish(`${path}/${inner}`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('"needing" uses it; it cannot be switched off'),
    })
  })

  test('that asks itself, directly or by way of others, is not published', async () => {
    const first = await create('first', 'THEN(score)')
    await publish(`${path}/${first}`)
    await publish(`${path}/${await create('second', 'THEN(first)')}`)
    const redraft = async (source: string) => {
      const { version } = (await writer.get<{ version: number }>(`${path}/${first}`)).data
      await writer.put(`${path}/${first}`, { name: 'first', event: null, note: '', enabled: true, source, version })
      return publish(`${path}/${first}`)
    }
    expect(await redraft('THEN(score, second)')).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('first → second → first'),
    })
    expect(await redraft('IF(isRisky, first)')).toMatchObject({ code: 4006 })
    expect(await redraft('first = THEN(score); THEN(first, score)')).toMatchObject({ code: 0 })
  })

  test('and a script never have the same name', async () => {
    const taken = { code: 4005, data: { fields: { chainId: expect.any(String) } } }
    const entered = { name: 'same', event: null, note: '', enabled: true, source: 'THEN(isRisky)' }
    expect(await writer.post(path, { ...entered, chainId: 'score' })).toMatchObject(taken)
    await create('onlyOnce', 'THEN(score)')
    const other = { nodeId: 'onlyOnce', name: 'same', type: 'script', note: '', source: '' }
    expect(await writer.post(scripts, other)).toMatchObject({
      code: 4005,
      data: { fields: { nodeId: expect.any(String) } },
    })
  })

  test('that was never published is read by those who may read drafts, and by nobody else', async () => {
    const id = await create('secret', 'THEN(score) // draft')
    const reader = await person(instance, { grants: { 'liteflow-chain': ['list', 'detail'] } })
    const read = await reader.get(`${path}/${id}`)
    expect(read.data).toMatchObject({ name: 'secret', source: '' })
    expect((await reader.get(path)).body).not.toContain('// draft')
    expect((await reader.get(`${path}/${id}/timeline`)).body).not.toContain('// draft')
    expect((await writer.get(`${path}/${id}/draft`)).data).toMatchObject({ body: { source: 'THEN(score) // draft' } })
    await publish(`${path}/${id}`)
    expect((await reader.get(`${path}/${id}`)).data).toMatchObject({ source: 'THEN(score) // draft' })
  })

  test('that speaks of a script in a remark or a tag only does not hold it', async () => {
    const scriptId = await script('aside', 'script', '')
    await publish(`${path}/${await create('speaks', 'THEN(score.tag("aside")) // not aside')}`)
    expect((await writer.get(`${scripts}/${scriptId}`)).data).toMatchObject({ usedBy: [] })
  })

  test('asks hundreds of scripts at once where nobody else waits', async () => {
    const { data } = await tryOut('FOR(300).parallel(true).DO(score)', '{"amount": 10}')
    expect([data.error, data.steps.length]).toEqual([null, 200])
  })

  test('is published by another person than the one who saved the draft', async () => {
    const id = await create('ownDraft', 'THEN(score)')
    const { version } = (await writer.get<{ version: number }>(`${path}/${id}`)).data
    expect(await writer.post(`${path}/${id}/publish`, { version })).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('a colleague has to read and publish it'),
    })
    expect((await writer.get(`${path}/${id}`)).data).toMatchObject({ edition: 0 })
    expect((await publish(`${path}/${id}`)).code).toBe(0)
  })

  test('is published by none of those who wrote at the draft, and saving it as it stands is not writing', async () => {
    const id = await create('shared', 'THEN(score)')
    const save = async (who: Caller, source: string) => {
      const { version } = (await who.get<{ version: number }>(`${path}/${id}`)).data
      const body = { name: 'shared', event: null, note: '', enabled: true, source, version }
      expect((await who.put(`${path}/${id}`, body)).code).toBe(0)
    }
    const tryToPublish = async (who: Caller) => {
      const { version } = (await who.get<{ version: number }>(`${path}/${id}`)).data
      return (await who.post(`${path}/${id}/publish`, { version })).code
    }
    await save(publisher, 'THEN(score)')
    expect(await tryToPublish(writer)).toBe(4006)
    expect(await tryToPublish(publisher)).toBe(0)
    await save(writer, 'THEN(score, score)')
    await save(publisher, 'THEN(score, score, score)')
    expect([await tryToPublish(writer), await tryToPublish(publisher)]).toEqual([4006, 4006])
    const third = await person(instance, { grants: { 'liteflow-chain': ALL } })
    expect(await tryToPublish(third)).toBe(0)
  })

  test('goes on deciding, or not, about its event when one person restores an older text', async () => {
    const id = await create('wasOff', 'THEN(score)', false)
    await publish(`${path}/${id}`)
    const { version } = (await writer.get<{ version: number }>(`${path}/${id}`)).data
    const body = { name: 'wasOff', event: null, note: '', enabled: true, source: 'THEN(score, score)', version }
    await writer.put(`${path}/${id}`, body)
    expect((await publish(`${path}/${id}`)).code).toBe(0)
    const back = { edition: 1, current: 2, reason: '先退回' }
    expect((await publisher.post(`${path}/${id}/restore`, back)).code).toBe(0)
    expect((await writer.get(`${path}/${id}`)).data).toMatchObject({ source: 'THEN(score)', enabled: true })
  })

  test('speaks of the nodes of the code, with their parameters', async () => {
    expect(
      (await tryOut('IF(over.bind("fact", "amount").bind("than", 5), score)', '{"amount": 10}')).data,
    ).toMatchObject({
      error: null,
      facts: '{"amount":10,"risk":1}',
    })
    for (const wrong of ['IF(over.bind("fact", "amount"), score)', 'IF(over.bind("fact", 5).bind("than", 5), score)'])
      expect((await tryOut(wrong, '{"amount": 10}')).code).toBe(4005)
  })

  test('is made for an event there is, one for each, and is not deleted while the event runs through it', async () => {
    const make = (chainId: string, event: string) =>
      writer.post<{ id: string }>(path, {
        chainId,
        name: chainId,
        event,
        note: '',
        enabled: true,
        source: 'THEN(askL2)',
      })
    const refused = { code: 4005, data: { fields: { event: expect.any(String) } } }
    expect(await make('never', 'moonRises')).toMatchObject(refused)
    const { id } = (await make('serving', 'refundSubmitted')).data
    // What is only drafted takes the event from nobody.
    const second = (await make('second2', 'refundSubmitted')).data
    expect((await publish(`${path}/${id}`)).code).toBe(0)
    expect(await publish(`${path}/${second.id}`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('has a rule chain already'),
    })
    expect(await writer.remove(`${path}/${id}`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('switch it off'),
    })
  })

  describe('that is for an event', () => {
    const make = async (chainId: string, event: string | null, source: string) => {
      const entered = { chainId, name: chainId, event, note: '', enabled: true, source }
      const { data } = await writer.post<{ id: string }>(path, entered)
      return data.id
    }
    const rewrite = async (at: string, entered: object) => {
      const { version } = (await writer.get<{ version: number }>(at)).data
      expect((await writer.put(at, { ...entered, version })).code).toBe(0)
      return publish(at)
    }

    test('and asks for a fact this does not hand in is not published, with the place; nor is what it asks changed to', async () => {
      const asks = (fact: string) => `IF(over.bind("fact", "${fact}").bind("than", 1), allocateByRules)`
      expect(await publish(`${path}/${await make('late', 'leadArrived', asks('huor'))}`)).toMatchObject({
        code: 4006,
        msg: expect.stringContaining('line 1, column 22'),
      })
      const needy = await script('byHour', 'boolean_script', 'return facts.hour > 12')
      const below = await make('belowLead', null, 'THEN(allocateByRules)')
      expect((await publish(`${path}/${below}`)).code).toBe(0)
      const id = await make('lead', 'leadArrived', 'IF(byHour, belowLead)')
      expect((await publish(`${path}/${id}`)).code).toBe(0)
      const why = { code: 4006, msg: expect.stringContaining('that event has no fact “amountFen”') }
      const of = { name: 'byHour', note: '', source: 'return facts.amountFen > 12' }
      expect(await rewrite(`${scripts}/${needy}`, of)).toMatchObject(why)
      const inner = { name: 'belowLead', event: null, note: '', enabled: true, source: asks('amountFen') }
      expect(await rewrite(`${path}/${below}`, inner)).toMatchObject(why)
      expect(await rewrite(`${path}/${below}`, { ...inner, source: asks('weekday') })).toMatchObject({ code: 0 })
      const spared = { ...of, source: 'return (facts.amountFen ?? 0) > 12' }
      expect(await rewrite(`${scripts}/${needy}`, spared)).toMatchObject({ code: 0 })
    })

    test('goes through a list of the record', async () => {
      const source = `ITERATOR(each.bind("fact", "lines")).DO(
        IF(overFact.bind("fact", "item.amountFen").bind("than", "item.suggestedFen"), askL2)
      )`
      const lines = [
        { amountFen: 900, suggestedFen: 900 },
        { amountFen: 700, suggestedFen: 300 },
      ]
      const { data } = await tryOut(source, JSON.stringify({ lines }))
      expect(data.error).toBeNull()
      expect(data.steps.map(({ nodeId }) => nodeId)).toEqual(['each', 'overFact', 'overFact', 'askL2'])
    })
  })

  test('is tried by those who may, and by nobody else', async () => {
    const reader = await person(instance, { grants: { 'liteflow-chain': ['list', 'detail'] } })
    expect((await reader.post(`${path}/try`, { source: 'THEN(score)', facts: '' })).status).toBe(403)
  })
})
