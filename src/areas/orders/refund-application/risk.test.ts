import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtIn } from '#engines/rule/built-in.server.ts'
import { type BuiltInNode, declaredRules, nodeOf } from '#engines/rule/declared.server.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { runChain } from '#engines/rule/run.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { chanceFrom } from '../../../../tools/testing/chains.ts'
import {
  type Caller,
  cloneDatabase,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { somebodyWaits } from '../../../../tools/testing/locks.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'
import type { RefundApplication } from './model.ts'
import { type RiskFacts, riskOutcome, SHIPPED_RISK, tightened } from './risk.model.ts'
import { listeners } from './risk.server.ts'
import { askingReasons, L2_WHYS, standingReasons } from './second-approval.model.ts'

describe('the shipped chain', () => {
  const chance = chanceFrom(58)
  const whole = (least: number, most: number) => least + chance(most - least + 1)
  const library = {
    nodes: new Map([...declaredRules({ listeners }).nodes.values(), ...builtIn].map(node => [node.name, nodeOf(node)])),
    chains: new Map([['shipped', parse(SHIPPED_RISK).tree]]),
  }
  const near = (bound: number) => Math.max(0, bound + whole(-2, 2))
  const made = (): RiskFacts => {
    const [l2Fen, l2Days, suggestedFen] = [whole(0, 100), whole(0, 40), whole(1, 50)]
    const amountFen = Math.max(1, near(suggestedFen))
    return {
      amountFen,
      suggestedFen,
      beyondFen: Math.max(0, amountFen - suggestedFen),
      sumFen: near(l2Fen),
      l2Fen,
      daysSincePaid: near(l2Days),
      l2Days,
      refundsBefore: whole(0, 3),
      isOtherPayee: whole(0, 9) === 0,
      takesNothing: whole(0, 9) === 0,
      reason: 'NO_TIME',
      route: 'ORIGINAL',
      channel: 'STORE',
      lines: [],
    }
  }

  test('asks finance about exactly the refunds the code itself asks finance about', async () => {
    for (let nth = 0; nth < 500; nth += 1) {
      const facts = made()
      const { l2Fen, l2Days, amountFen, suggestedFen } = facts
      const own = [
        ...standingReasons(facts, { l2Fen, l2Days } as never),
        ...askingReasons({
          amountFen,
          suggestedFen,
          payee: facts.isOtherPayee ? 'OTHER' : null,
          takesNothing: facts.takesNothing,
        }),
      ]
      const run = await runChain(library, 'shipped', { facts })
      expect([run.isDone, riskOutcome.parse(Object.fromEntries(run.facts)).askL2 ?? false, facts]).toEqual([
        true,
        own.length > 0,
        facts,
      ])
    }
  })

  test('or any other never loosens what the code judged', () => {
    for (let nth = 0; nth < 500; nth += 1) {
      const l2Reasons = L2_WHYS.slice(0, 5).flatMap(why => (whole(0, 2) === 0 ? [{ why, value: nth }] : []))
      const own = { needsL2: l2Reasons.length > 0, l2Reasons }
      const outcome = { hold: whole(0, 1) === 1, holdReason: 'x', askL2: whole(0, 1) === 1 }
      const after = tightened(own, outcome, 3)
      expect(after.needsL2).toBe(own.needsL2 || outcome.askL2)
      expect(after.l2Reasons).toEqual(expect.arrayContaining(l2Reasons))
      expect(after.hold).toBe(outcome.hold ? 'HELD' : 'NONE')
      // What a chain may say at all: nothing of it is an amount, a level to pass over, or a state.
      expect(Object.keys(riskOutcome.parse({ ...outcome, needsL2: false, amountFen: 1, status: 'PAID' }))).toEqual([
        'hold',
        'holdReason',
        'askL2',
      ])
    }
  })
})

describe('a refund that is asked for', () => {
  const RULES = ['list', 'detail', 'create', 'update', 'drafts', 'publish', 'restore', 'acknowledge']
  const PAGE = 'order-refundApply'
  const [refunds, chains, scripts] = ['/orders/refund-application', '/system/rule-chain', '/system/rule-script']
  let instance: TestInstance
  let other: TestInstance
  let asker: Caller & { orgId: string }
  let decider: Caller
  let writer: Caller
  let publisher: Caller
  let chain: string

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    // A refund stands in judgement until the test says that it is judged.
    instance = await openTestInstance({ url, isSending: false })
    other = await openTestInstance({ url, isSending: false })
    const orders = { 'order-list': ['list', 'detail'] }
    asker = await person(instance, { grants: { ...orders, [PAGE]: ['list', 'detail', 'create', 'withdraw'] } })
    decider = await person(instance, { grants: { ...orders, [PAGE]: ['list', 'detail', 'approve', 'release'] } })
    writer = await person(instance, { grants: { 'liteflow-chain': RULES, 'liteflow-script': RULES } })
    publisher = await person(other, { grants: { 'liteflow-chain': RULES, 'liteflow-script': RULES } })
    const made = { chainId: 'risk', name: '风险', event: 'refundSubmitted', note: '', enabled: true }
    chain = (await writer.post<{ id: string }>(chains, { ...made, source: HOLDS })).data.id
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const HOLDS = 'IF(over.bind("fact", "amountFen").bind("than", 500), holdRefund.bind("reason", "大额"))'
  const versionOf = async () => (await writer.get<{ version: number; edition: number }>(`${chains}/${chain}`)).data
  /** Published on the other instance: what is asked for here runs by it at once. */
  async function publish(source?: string): Promise<void> {
    const fields = { name: '风险', event: 'refundSubmitted', note: '', enabled: true, source }
    if (source !== undefined)
      expect((await writer.put(`${chains}/${chain}`, { ...fields, version: (await versionOf()).version })).code).toBe(0)
    const { version } = await versionOf()
    expect((await publisher.post(`${chains}/${chain}/publish`, { version })).code).toBe(0)
  }
  async function submit(amountFen: number): Promise<string> {
    const order = await placeOrder(instance, { paidFen: 10_000, ownerId: asker.id, orgId: asker.orgId })
    const { data, code } = await asker.post<{ id: string }>(refunds, refundBody(order, amountFen))
    expect(code).toBe(0)
    return data.id
  }
  const read = async (id: string) => (await decider.get<RefundApplication>(`${refunds}/${id}`)).data
  async function judged(amountFen: number): Promise<RefundApplication> {
    const id = await submit(amountFen)
    expect(await read(id)).toMatchObject({ hold: 'JUDGING' })
    await instance.outbox.run()
    return read(id)
  }
  const approve = async ({ id }: Pick<RefundApplication, 'id'>) =>
    decider.post(`${refunds}/${id}/approve`, { version: (await read(id)).version })

  test('waits for nobody where no chain is in force', async () => {
    expect(await read(await submit(1_000))).toMatchObject({ hold: 'NONE', needsL2: false, ruleRuns: [] })
  })

  test('is held by its chain with the reason, and is approved once somebody else has released it', async () => {
    await publish()
    const held = await judged(1_000)
    expect(held).toMatchObject({ hold: 'HELD', holdReason: '大额', ruleRuns: [{ edition: 1, result: 'DECIDED' }] })
    expect(await approve(held)).toMatchObject({ code: 4006, msg: expect.stringContaining('holds this refund') })
    const release = { version: (await read(held.id)).version, reason: '已与家长核对' }
    expect((await decider.post(`${refunds}/${held.id}/release`, release)).code).toBe(0)
    expect((await approve(held)).code).toBe(0)
    const passed = await judged(400)
    expect(passed).toMatchObject({ hold: 'NONE', needsL2: false })
    expect((await approve(passed)).code).toBe(0)
    const runs = await writer.get<{ records: unknown[] }>(`${chains}/${chain}/runs`)
    expect(runs.data.records).toHaveLength(2)
  })

  test('takes the new path as soon as it is published on another instance, and the old one once that is rolled back', async () => {
    await publish('THEN(askL2)')
    expect(await judged(1_000)).toMatchObject({
      hold: 'NONE',
      needsL2: true,
      l2Reasons: [{ why: 'RULE', value: 2 }],
    })
    const { edition } = await versionOf()
    const back = { edition: 1, current: edition, reason: '先退回' }
    expect((await publisher.post(`${chains}/${chain}/restore`, back)).code).toBe(0)
    expect(await judged(1_000)).toMatchObject({ hold: 'HELD', needsL2: false })
  })

  test('is what a chain is tried on, for those who may try chains and read the refund, and for nobody else', async () => {
    const id = await submit(1_000)
    const asked = `${chains}/facts?event=refundSubmitted&recordId=${id}`
    const rules = { 'liteflow-chain': ['list', 'detail', 'try'] }
    const reads = { [PAGE]: ['list', 'detail'] }
    const trier = await person(instance, { grants: { ...rules, ...reads } })
    const { facts } = (await trier.get<{ facts: string }>(asked)).data
    expect(JSON.parse(facts)).toMatchObject({ amountFen: 1_000, isOtherPayee: false })
    const run = await trier.post<{ facts: string }>(`${chains}/try`, { source: HOLDS, facts })
    expect(JSON.parse(run.data.facts)).toMatchObject({ hold: true, holdReason: '大额' })
    expect((await trier.get(`${chains}/facts?event=moonRises&recordId=${id}`)).status).toBe(404)
    const blind = await person(instance, { grants: rules })
    const elsewhere = await person(instance, { grants: { ...rules, ...reads }, scope: 'SELF' })
    for (const refused of [blind, elsewhere]) expect((await refused.get(asked)).status).toBe(404)
    expect((await decider.get(asked)).status).toBe(403)
  })

  test('runs through its chain again when its withdrawal is taken back, whoever released it before', async () => {
    const { id } = await judged(1_000)
    const release = { version: (await read(id)).version, reason: '已与家长核对' }
    expect((await decider.post(`${refunds}/${id}/release`, release)).code).toBe(0)
    expect((await asker.post(`${refunds}/${id}/withdraw`, {})).code).toBe(0)
    expect((await asker.post(`${refunds}/${id}/withdraw/undo`)).code).toBe(0)
    expect(await read(id)).toMatchObject({ status: 'SUBMITTED', hold: 'JUDGING', releasedBy: null })
    await instance.outbox.run()
    expect(await read(id)).toMatchObject({ hold: 'HELD', holdReason: '大额' })
  })

  test('that has waited for its chain for more than ten minutes is let go on by somebody else', async () => {
    const id = await submit(1_000)
    const release = async () =>
      decider.post(`${refunds}/${id}/release`, { version: (await read(id)).version, reason: '规则没有回应' })
    expect((await release()).code).toBe(4006)
    const longAgo = new Date(Date.now() - 11 * 60_000).toISOString()
    const { query } = instance.app.db
    await query.updateTable('refund_application').set({ judging_since: longAgo }).where('id', '=', id).execute()
    expect((await release()).code).toBe(0)
    await instance.outbox.run()
    expect(await read(id)).toMatchObject({ hold: 'RELEASED' })
  })

  test('is judged by chain and scripts of one moment, whatever is published while they are read', async () => {
    const made = {
      nodeId: 'says',
      name: 'says',
      type: 'script',
      note: '',
      source: "return { hold: true, holdReason: 'one' }",
    }
    const { data: script } = await writer.post<{ id: string }>(scripts, made)
    expect((await publisher.post(`${scripts}/${script.id}/publish`, { version: 1 })).code).toBe(0)
    await publish('THEN(says)')
    const { edition } = await versionOf()
    const other = new pg.Client({ connectionString: instance.url })
    await other.connect()
    const put = (chainText: string, said: string, by: number) =>
      other.query(
        `with chain as (update rule_chain set source = '${chainText}', edition = edition + ${by} where id = ${chain})
         update rule_script set source = replace(source, '${by > 0 ? 'one' : 'two'}', '${said}') where id = ${script.id}`,
      )
    const id = await submit(1_000)
    // Both are published while whoever judges waits for the scripts.
    await other.query('begin; lock table rule_script in access exclusive mode')
    await put('THEN(says, askL2)', 'two', 1)
    const judging = instance.outbox.run()
    await somebodyWaits(sql => other.query(sql))
    await other.query('commit')
    await judging
    const { holdReason, needsL2, ruleRuns } = await read(id)
    expect({ holdReason, needsL2, edition: ruleRuns[0]?.edition }).toEqual({
      holdReason: 'two',
      needsL2: true,
      edition: edition + 1,
    })
    await put('THEN(says)', 'one', -1)
    await other.end()
  })

  test('has nothing done besides what is decided, and no chain within its own comes to ask for it', async () => {
    const fields = { chainId: 'inner', name: '内层', event: null, note: '', enabled: true }
    const { data: inner } = await writer.post<{ id: string }>(chains, { ...fields, source: 'THEN(askL2)' })
    const at = `${chains}/${inner.id}`
    const versionOfInner = async () => (await writer.get<{ version: number }>(at)).data.version
    const publishInner = async () => publisher.post(`${at}/publish`, { version: await versionOfInner() })
    expect((await publishInner()).code).toBe(0)
    await publish('THEN(inner)')
    const source = 'THEN(askL2, setTag.bind("tag", "QUIET"))'
    const { chainId: _, ...changed } = { ...fields, source, version: await versionOfInner() }
    expect((await writer.put(at, changed)).code).toBe(0)
    expect(await publishInner()).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('"风险" uses it and is about'),
    })
    // Nobody gets so far; what runs has nothing done all the same.
    const put = (text: string) =>
      instance.app.db.query.updateTable('rule_chain').set({ source: text }).where('id', '=', chain).execute()
    await put(source)
    const { memberId, needsL2, ruleRuns } = await judged(1_000)
    expect(needsL2).toBe(true)
    expect(JSON.parse(ruleRuns[0]?.outcome ?? '')).toMatchObject({ deeds: [{ node: 'setTag', result: 'NOT_HERE' }] })
    const { query } = instance.app.db
    expect(await query.selectFrom('member').select('tags').where('id', '=', memberId).execute()).toEqual([{ tags: [] }])
    expect(await query.selectFrom('outbox').select('id').where('kind', '=', 'rule-deed').execute()).toEqual([])
    await put('THEN(inner)')
  })

  test('is judged by the shipped chain where a script answers or throws what no database keeps', async () => {
    const bad = "'\\u0000\\ud800'"
    for (const [nodeId, source] of [
      ['badReason', `return { hold: true, holdReason: ${bad} }`],
      ['badFault', `throw new Error(${bad})`],
    ] as const) {
      const made = { nodeId, name: nodeId, type: 'script', note: '', source }
      const { data } = await writer.post<{ id: string; version: number }>(scripts, made)
      const { version } = (await writer.get<{ version: number }>(`${scripts}/${data.id}`)).data
      expect((await publisher.post(`${scripts}/${data.id}/publish`, { version })).code).toBe(0)
      await publish(`THEN(${nodeId})`)
      expect(await judged(1_000)).toMatchObject({ hold: 'NONE', ruleRuns: [{ edition: 0, result: 'FELL_BACK' }] })
      const chainNow = { version: (await versionOf()).version }
      expect((await publisher.post(`${chains}/${chain}/acknowledge`, chainNow)).code).toBe(0)
    }
  })

  /** Of others on this database, which could hold locks; one that merely passes by is waited for. */
  async function openTransactions(): Promise<number> {
    const { pool } = other.app.db.read
    const count = async () => Number((await pool.query(`select count(*) from pg_stat_activity ${OPEN}`)).rows[0].count)
    for (let tries = 0; tries < 10 && (await count()) > 0; tries += 1) await sleep(50)
    return count()
  }
  const OPEN = `where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`

  test('is judged while no transaction is open that could hold a lock', async () => {
    await publish('IF(over.bind("fact", "amountFen").bind("than", 900), askL2)')
    let open = -1
    const node = declaredRules(instance.app).nodes.get('over') as BuiltInNode
    const asked = vi.spyOn(node, 'run').mockImplementation(async () => {
      open = await openTransactions()
      return true
    })
    expect(await judged(1_000)).toMatchObject({ needsL2: true, ruleRuns: [{ result: 'DECIDED' }] })
    asked.mockRestore()
    expect(open).toBe(0)
  })

  test('is judged by the shipped chain within its time where its own fails or hangs, and somebody is told', async () => {
    await publish('WHILE(true).DO(IF(over.bind("fact", "amountFen").bind("than", 0), askL2))')
    const began = performance.now()
    const refund = await judged(1_000)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(refund).toMatchObject({ hold: 'NONE', needsL2: false, ruleRuns: [{ edition: 0, result: 'FELL_BACK' }] })
    const failed = (await publisher.get<{ failure: string }>(`${chains}/${chain}`)).data
    expect(failed).toMatchObject({ failure: expect.stringContaining('limit'), failedAt: expect.any(String) })
    const { version } = await versionOf()
    expect((await publisher.post(`${chains}/${chain}/acknowledge`, { version })).code).toBe(0)
    expect((await publisher.get(`${chains}/${chain}`)).data).toMatchObject({ failedAt: null, failure: '' })
  })
})
