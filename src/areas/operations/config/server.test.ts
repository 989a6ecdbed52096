import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settings as gifts } from '#areas/members/member/settings.model.ts'
import { CODES } from '#kit/model/contract.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { openSettings, settingsOf } from '#kit/server/setting/in-force.ts'
import {
  type Answer,
  type Caller,
  caller,
  cloneDatabase,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import type { SettingChange, ShownGroup, ShownSetting } from './model.ts'

const REFUSED: readonly number[] = [CODES.validation, CODES.rule, CODES.conflict]
const PATH = '/operations/config'
const PAGE = 'operate-config'
/** Holds at once: no money hangs on it. */
const DAYS = 'sales-request.discountDays'
/** Needs two people. */
const COINS = 'gift.coinsPerMonth'

describe('business settings', () => {
  let instance: TestInstance
  let second: TestInstance
  let proposer: Caller
  let checker: Caller

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    instance = await openTestInstance({ url })
    second = await openTestInstance({ url })
    const all = ['list', 'detail', 'create', 'confirm', 'refuse', 'withdraw']
    proposer = await person(instance, { name: 'Proposer', grants: { [PAGE]: all } })
    checker = await person(instance, { name: 'Checker', grants: { [PAGE]: all } })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const shown = async (key: string, who = proposer): Promise<ShownSetting> => {
    const { data } = await who.get<ShownGroup[]>(`${PATH}/settings`)
    return data.flatMap(({ settings }) => settings).find(setting => setting.key === key) as ShownSetting
  }
  const enter = async (
    key: string,
    value: unknown,
    who = proposer,
    more: object = {},
  ): Promise<Answer<{ id: string }>> => {
    const basedOn = (await shown(key, who)).change?.id ?? null
    return who.post(PATH, { key, value, reason: 'because', basedOn, ...more })
  }
  const entered = async (...given: Parameters<typeof enter>): Promise<string> => {
    const answer = await enter(...given)
    expect(answer).toMatchObject({ code: 0 })
    return answer.data.id
  }
  const read = async (id: string) => (await proposer.get<SettingChange & { labels: object }>(`${PATH}/${id}`)).data
  const coinsOn = async ({ app }: TestInstance) => (await settingsOf(app, gifts)).coinsPerMonth
  /** How long an instance goes by the old value, at most a second. */
  const seenOn = async (where: TestInstance, value: number) => {
    const begun = performance.now()
    while ((await coinsOn(where)) !== value && performance.now() - begun < 1_000) await sleep(5)
    return coinsOn(where)
  }

  test('are shown by group, each with its name, its bounds and its default, in the language of whoever looks', async () => {
    const { data } = await proposer.get<ShownGroup[]>(`${PATH}/settings`)
    const refunds = (groups: readonly ShownGroup[]) => groups.find(({ group }) => group === 'refund')?.settings[2]
    expect(data.map(({ title }) => title)).toEqual([
      'Closing accounts and pausing',
      'SMS campaigns',
      'Check-ins',
      'Gifts',
      'Attribution',
      'Poster shares',
      'Member tasks',
      'Works',
      'Platform orders',
      'Xiaohongshu orders',
      'Sales links',
      'Sales applications',
      'School teachers',
      'Refunds',
      'Unmatched payments',
      'CPA statements',
      'Marketing messages',
    ])
    expect(refunds(data)).toMatchObject({
      ...{ key: 'refund.l2Fen', name: 'Refund total that needs finance', unit: 'fen', money: true },
      ...{ default: 100_000, value: 100_000, min: 0, max: 1_000_000_000, change: null, proposal: null },
    })
    const chinese = await proposer.get<ShownGroup[]>(`${PATH}/settings`, { 'accept-language': 'zh-TW' })
    expect(refunds(chinese.data)?.name).toBe('須財務審批的退款合計')
  })

  test('each has a name and a sentence in every language', () => {
    const { texts, catalogue } = instance.app
    for (const { slice, name } of catalogue.settings.values())
      for (const key of ['settings', `setting.${name}`, `setting.${name}.help`])
        expect(texts.has(slice, key), `${slice} ${key}`).toBe(true)
  })

  test('one that no money hangs on holds at once, with who changed it, when and why', async () => {
    const id = await entered(DAYS, 9)
    expect(await shown(DAYS)).toMatchObject({
      ...{ value: 9, default: 14, proposal: null },
      change: { id, by: 'Proposer', decidedBy: null, reason: 'because' },
    })
    expect(await read(id)).toMatchObject({ status: 'IN_FORCE', before: 14, value: 9, applicantId: proposer.id })
  })

  test('a change tells its figures with what they count', async () => {
    const id = await entered(DAYS, 1)
    expect((await read(id)).labels).toMatchObject({
      name: { name: 'Days a discount is usable' },
      before: { name: '9 days' },
      value: { name: '1 day' },
    })
  })

  test('its history tells the figures with what they count, too', async () => {
    const id = await entered(DAYS, 11)
    const { data } = await proposer.get<{ diff: Record<string, unknown[]> }[]>(`${PATH}/${id}/timeline`)
    expect(data.at(-1)?.diff.value?.[1]).toBe('11 days')
  })

  test('a proposal says whether whoever looks may say yes to it: others may, who made it may not', async () => {
    const id = await entered(COINS, 1_234)
    const may = async (who: Caller) => (await shown(COINS, who)).proposal?.mayConfirm
    const reader = await person(instance, { grants: { [PAGE]: ['list'] } })
    expect([await may(checker), await may(proposer), await may(reader)]).toEqual([true, false, false])
    await proposer.post(`${PATH}/${id}/withdraw`, {})
  })

  test('what was set before is kept, and can be set again', async () => {
    const first = await entered(DAYS, 20)
    const next = await entered(DAYS, 21)
    expect(await read(first)).toMatchObject({ status: 'REPLACED', value: 20 })
    const back = await entered(DAYS, 20)
    expect(await read(next)).toMatchObject({ status: 'REPLACED' })
    expect(await read(back)).toMatchObject({ status: 'IN_FORCE', before: 21, value: 20, basedOn: next })
    const { data } = await proposer.get<{ records: SettingChange[] }>(`${PATH}?key=${DAYS}&size=100`)
    expect(data.records.slice(0, 3).map(({ value }) => value)).toEqual([20, 21, 20])
  })

  test.each([
    [0, /At least 1/],
    [91, /At most 90/],
    [1.5, /whole number/],
    ['soon', /whole number/],
  ])('%s days are refused at the field, with what would do', async (value, said) => {
    const answer = await enter(DAYS, value)
    expect(answer.code).not.toBe(0)
    expect((answer.data as unknown as { fields: Record<string, string> }).fields.value).toMatch(said)
  })

  test('nothing is changed without a reason, to what it is already, or under a name nobody declared', async () => {
    const fields = async (answer: Promise<Answer<unknown>>) =>
      Object.keys(((await answer).data as { fields: object } | null)?.fields ?? {})
    expect(await fields(enter(DAYS, 30, proposer, { reason: ' ' }))).toEqual(['reason'])
    expect(await fields(enter(DAYS, (await shown(DAYS)).value))).toEqual(['value'])
    expect(await fields(proposer.post(PATH, { key: 'no.such', value: 1, reason: 'x', basedOn: null }))).toEqual(['key'])
  })

  test('one that money hangs on waits for a second person, and holds on every instance within a second of the yes', async () => {
    const [before] = await Promise.all([coinsOn(instance), coinsOn(second)])
    const id = await entered(COINS, before + 500)
    expect(await shown(COINS)).toMatchObject({ value: before, proposal: { id, value: before + 500, by: 'Proposer' } })
    expect(await coinsOn(instance)).toBe(before)
    expect(await proposer.post(`${PATH}/${id}/confirm`)).toMatchObject({ code: CODES.rule })
    expect(await checker.post(`${PATH}/${id}/confirm`)).toMatchObject({ code: 0 })
    expect(await seenOn(second, before + 500)).toBe(before + 500)
    expect(await seenOn(instance, before + 500)).toBe(before + 500)
    expect(await shown(COINS)).toMatchObject({ change: { id, by: 'Proposer', decidedBy: 'Checker' }, proposal: null })
  })

  test('an instance that cannot hear the others asks the database each time', async () => {
    const deaf = { ...second.app, settings: openSettings({ on() {}, deaf: () => true }) }
    const before = await coinsOn({ ...second, app: deaf })
    const id = await entered(COINS, before + 1)
    await checker.post(`${PATH}/${id}/confirm`)
    expect(await coinsOn({ ...second, app: deaf })).toBe(before + 1)
  })

  test('a proposal that is declined or withdrawn changes nothing, and makes room for another', async () => {
    const { value } = await shown(COINS)
    const first = await entered(COINS, value + 10)
    expect(await enter(COINS, value + 11)).toMatchObject({
      data: { fields: { value: expect.stringMatching(/still waiting/) } },
    })
    expect(await proposer.post(`${PATH}/${first}/refuse`, { reason: 'no' })).toMatchObject({ code: CODES.rule })
    expect(await checker.post(`${PATH}/${first}/refuse`, {})).toMatchObject({ code: CODES.validation })
    expect(await checker.post(`${PATH}/${first}/refuse`, { reason: 'not now' })).toMatchObject({ code: 0 })
    const next = await entered(COINS, value + 10)
    expect(await checker.post(`${PATH}/${next}/withdraw`)).toMatchObject({ code: CODES.rule })
    expect(await proposer.post(`${PATH}/${next}/withdraw`)).toMatchObject({ code: 0 })
    expect(await shown(COINS)).toMatchObject({ value, proposal: null })
  })

  test('a withdrawn proposal does not stand again once another is open, or another value came into force', async () => {
    const { value } = await shown(COINS)
    const first = await entered(COINS, value + 12)
    await proposer.post(`${PATH}/${first}/withdraw`)
    const other = await entered(COINS, value + 13, checker)
    expect(await proposer.post(`${PATH}/${first}/withdraw/undo`)).toMatchObject({
      ...{ code: CODES.rule, data: null },
      msg: expect.stringContaining('still waiting'),
    })
    expect(await proposer.post(`${PATH}/${other}/confirm`)).toMatchObject({ code: 0 })
    expect(await proposer.post(`${PATH}/${first}/withdraw/undo`)).toMatchObject({
      ...{ code: CODES.rule, data: null },
      msg: expect.stringContaining('Another value has come into force since; propose it again'),
    })
    expect(await read(first)).toMatchObject({ status: 'WITHDRAWN' })
  })

  test('whoever proposed is told what became of it, and whoever may check finds it among the work to do', async () => {
    const { value } = await shown(COINS)
    const id = await entered(COINS, value + 20)
    const waiting = async (who: Caller) => (await who.get<{ count: number }[]>(`${PATH}/to-do`)).data[0]?.count
    expect([await waiting(checker), await waiting(proposer)]).toEqual([1, 0])
    await checker.post(`${PATH}/${id}/refuse`, { reason: 'no' })
    expect(await waiting(checker)).toBe(0)
  })

  test('of several who change one thing at once from the same value one is heard, and the others are told', async () => {
    for (const key of [DAYS, COINS]) {
      const { value, change } = await shown(key)
      const elsewhere = caller(second, checker.id, checker.token)
      const answers = await Promise.all(
        [1, 2, 3, 4, 5, 6].map(more =>
          (more % 2 ? proposer : elsewhere).post(PATH, {
            key,
            value: value + more,
            reason: 'race',
            basedOn: change?.id ?? null,
          }),
        ),
      )
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
      expect(answers.filter(({ code }) => REFUSED.includes(code))).toHaveLength(5)
    }
    const open = await shown(COINS)
    await proposer.post(`${PATH}/${open.proposal?.id}/withdraw`)
    await checker.post(`${PATH}/${open.proposal?.id}/withdraw`)
  })

  test('of two who check one proposal at once one is heard', async () => {
    const { value } = await shown(COINS)
    const id = await entered(COINS, value + 30)
    const third = await person(instance, { grants: { [PAGE]: ['list', 'detail', 'confirm', 'refuse'] } })
    const answers = await Promise.all([
      checker.post(`${PATH}/${id}/confirm`),
      caller(second, third.id, third.token).post(`${PATH}/${id}/refuse`, { reason: 'no' }),
    ])
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  test('who typed on a value that is no longer in force is asked to look first', async () => {
    const { change, value } = await shown(DAYS)
    await entered(DAYS, value + 1)
    const late = await proposer.post(PATH, { key: DAYS, value: value + 2, reason: 'late', basedOn: change?.id ?? null })
    expect(late).toMatchObject({ status: 409 })
    expect(late.msg).toMatch(/after you opened it/)
  })

  test.each(['list', 'create', 'confirm'] as const)('without the right to %s it is refused', async action => {
    const others = ['list', 'detail', 'create', 'confirm'].filter(one => one !== action)
    const who = await person(instance, { grants: { [PAGE]: others } })
    const answer = {
      list: () => who.get(`${PATH}/settings`),
      create: () => who.post(PATH, { key: DAYS, value: 8, reason: 'x', basedOn: null }),
      confirm: () => who.post(`${PATH}/1/confirm`),
    }[action]()
    expect(await answer).toMatchObject({ status: 403 })
  })
})
