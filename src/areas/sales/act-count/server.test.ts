import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import type { StatisticAnswer } from '#kit/model/statistic.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import {
  type Caller,
  insist,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'

const SELLS = ['list', 'detail', 'claim', 'contact', 'followUp', 'markAdded', 'markIntent', 'assign']
const GRANTS = {
  ...{ 'sale-operate': ['list', 'detail'], 'sale-intentionCount': ['list', 'detail'], 'sale-salvage': SELLS },
  'member-list': ['list', 'detail', 'own', 'noteFollowUp'],
}
const CALL = { contactKind: 'PHONE', content: '介绍了体验课', level: null, nextAt: null, picture: [] }

let instance: TestInstance
let boss: Caller
let an: Caller & { orgId: string }
// Eleven in the evening in Shanghai.
const clock = stoppedClock(new Date('2026-11-16T15:00:00Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  boss = await person(instance, { grants: GRANTS, name: 'Boss' })
  an = await person(instance, { grants: GRANTS, scope: 'SELF', name: 'An' })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

let counter = PHONES.test + 660_000
/** A lead in An's hands. */
async function newLead(): Promise<{ id: string; phone: string }> {
  counter += 1
  const phone = phoneAt(counter)
  const came = { phone, name: null, source: 'APP', channel: 'STORE', consent: 'SELF', cameBy: 'FORM' as const }
  const owner = { id: an.id, orgId: an.orgId }
  const [arrived] = await insist(() =>
    instance.app.db.write(tx =>
      arrive(ownChange(instance.app, tx, clock.now(), 'test'), [{ ...came, key: phone, owner }]),
    ),
  )
  return { id: String(arrived?.leadId), phone }
}
const take = async (who: Caller, leadId: string, step: string, body: object = {}) =>
  expect(await who.post(`/sales/salvage/${leadId}/${step}`, body), step).toMatchObject({ code: 0 })

type Labelled = { readonly labels: Readonly<Record<string, { readonly name: string }>> }
/** Oldest first. */
const rowsOf = async <Row>(leadId: string, list: string, who = boss) =>
  (await who.get<{ records: (Row & Labelled)[] }>(`/sales/${list}?leadId=${leadId}`)).data.records.toReversed()
const numbersOf = async (list: string, basis: string, who = boss) =>
  (await who.get<StatisticAnswer>(`/sales/${list}/numbers`)).data.totals[basis]?.now ?? {}

describe('what is done with leads', () => {
  const actsOf = async (leadId: string, who = boss) =>
    (await rowsOf<{ act: string; way: string | null }>(leadId, 'act-count', who)).map(
      ({ labels, act, way }) => `${labels.ownerId?.name} ${act}${way === null ? '' : ` ${way}`}`,
    )

  test('is told once each, of whoever did it, also what was undone', async () => {
    const { id } = await newLead()
    await take(an, id, 'contact', CALL)
    clock.forward(1_000)
    await take(an, id, 'markAdded')
    await take(an, id, 'markAdded/undo')
    clock.forward(1_000)
    await take(boss, id, 'assign', { newOwnerId: boss.id })
    expect(await actsOf(id)).toEqual(['An FOLLOW_UP PHONE', 'An ADD', 'Boss ASSIGN'])
    // Whoever sees the own ones only sees no other's, though the lead is theirs no more.
    expect(await actsOf(id, an)).toEqual(['An FOLLOW_UP PHONE', 'An ADD'])
  })

  test('counts a word with whoever has registered once, said on the page of the lead or of the member', async () => {
    const { id, phone } = await newLead()
    const data = { phone, name: '林小满', source: 'APP', channel: 'STORE' }
    await sendEvent(instance, 'app', { type: 'member.registered', data })
    await instance.inbox.sweep()
    const member = instance.app.db.query.selectFrom('member').select('id').where('phone', '=', phone)
    const { id: memberId } = await member.executeTakeFirstOrThrow()
    await take(an, id, 'followUp', CALL)
    clock.forward(1_000)
    const noted = { followUpKind: 'CHAT', content: '约了试课', nextAt: null }
    expect(await an.post(`/members/member/${memberId}/noteFollowUp`, noted)).toMatchObject({ code: 0 })
    expect(await actsOf(id)).toEqual(['An FOLLOW_UP PHONE', 'An FOLLOW_UP CHAT'])
  })

  test('is added up by way, and at the hour it was done where we work', async () => {
    const { acts, followUps, calls, messages, changes } = await numbersOf('act-count', 'done')
    expect({ acts, followUps, calls, messages, changes }).toEqual({
      ...{ acts: 5, followUps: 3, calls: 2, messages: 1, changes: 2 },
    })
    const { data } = await boss.get<StatisticAnswer>('/sales/act-count/numbers?dimension=hour')
    const told = data.rows.filter(({ values }) => (values.done?.acts ?? 0) > 0)
    expect(told.map(({ key }) => key)).toEqual(['late'])
  })
})

describe('how likely a lead looks', () => {
  const judgedOf = async (leadId: string) =>
    (await rowsOf<{ was: string; level: string; turn: string; isLast: boolean }>(leadId, 'intention-count')).map(
      ({ was, level, turn, isLast }) => [was, level, turn, isLast],
    )

  test('is a judgement each time it is another than before; one that was a mistake was none', async () => {
    const { id } = await newLead()
    await take(an, id, 'contact', { ...CALL, level: 'C' })
    for (const level of ['C', null, 'A']) {
      clock.forward(1_000)
      await take(an, id, 'followUp', { ...CALL, level })
    }
    clock.forward(1_000)
    await take(an, id, 'markIntent', { level: 'B' })
    const before = [
      ['NONE', 'C', 'FIRST', false],
      ['C', 'A', 'RAISED', false],
    ]
    expect(await judgedOf(id)).toEqual([...before, ['A', 'B', 'LOWERED', true]])
    expect(await numbersOf('intention-count', 'judged')).toMatchObject({ judged: 3, nowA: 0, nowB: 1, lowered: 1 })
    await take(an, id, 'markIntent/undo')
    expect(await judgedOf(id)).toEqual([before[0], ['C', 'A', 'RAISED', true]])
    expect(await numbersOf('intention-count', 'judged')).toMatchObject({ judged: 2, nowA: 1, nowB: 0, lowered: 0 })
  })
})
