import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#kit/model/time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { buy, enrol, grantOf, offer, proof } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'
import { putInForce } from '../../../../tools/testing/settings.ts'
import type { Member } from '../member/model.ts'
import type { Application } from './model.ts'

const PATH = '/members/application'
const REFUNDS = '/orders/refund-application'
const READ = ['list', 'detail']
const START = '2026-06-01T02:00:00Z'
const TODAY = '2026-06-01'
const DAY_MS = 86_400_000

let instance: TestInstance
let asker: Caller
let decider: Caller
let member: string
let orderId: string

beforeEach(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date(START)) })
  await signIn()
  member = await enrol(instance)
  orderId = (await buy(instance, member, await offer(instance, [grantOf('MEMBER_DAYS', 100)]))).orderId
})

/** Nobody stays signed in for days. */
async function signIn(): Promise<void> {
  const refunds = { 'order-refundApply': [...READ, 'create'], 'order-list': READ }
  asker = await person(instance, {
    grants: {
      ...refunds,
      'member-list': [...READ, 'update'],
      'apply-list': [...READ, 'create', 'withdraw', 'resume', 'keepAccount'],
    },
  })
  decider = await person(instance, { grants: { 'apply-list': [...READ, 'approve'] } })
}
async function daysLater(days: number): Promise<void> {
  instance.clock.forward(days * DAY_MS)
  await signIn()
}

const bodyOf = (pauseFrom: string, pauseDays: number) => ({
  ...{ kind: 'PAUSE', memberId: member, giftKind: null, quantity: null, couponId: null, newPhone: null },
  ...{ pauseFrom, pauseDays, reason: '期末停课', proof: [] as string[] },
})
const ask = (from: string, days: number) => asker.post<{ id: string }>(PATH, bodyOf(from, days))
async function asked(from: string, days: number): Promise<string> {
  const { code, data } = await ask(from, days)
  expect(code).toBe(0)
  return data.id
}
async function paused(from: string, days: number): Promise<string> {
  const id = await asked(from, days)
  expect(await decider.post(`${PATH}/${id}/approve`)).toMatchObject({ code: 0 })
  return id
}
const resume = (id: string) => asker.post(`${PATH}/${id}/resume`, { reason: '提前返校' })
const read = async (id: string) => (await asker.get<Application>(`${PATH}/${id}`)).data
const memberNow = async () => (await asker.get<Member>(`/members/member/${member}`)).data
const left = async () => {
  type Ledger = { balances: { kind: string; remaining: number }[]; entries: { cause: string; delta: number }[] }
  const { data } = await asker.get<Ledger>(`/members/member/${member}/ledger`)
  return data.balances.find(({ kind }) => kind === 'MEMBER_DAYS')?.remaining
}
const suggested = async () =>
  (await asker.get<{ suggestedFen: number }>(`${REFUNDS}/suggestion?orderId=${orderId}`)).data.suggestedFen
const day = (after: number) => addDays(TODAY, after)
const inOrder = async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])

describe('a pause', () => {
  test('changes nothing before another person agrees, and then ends the membership so many days later', async () => {
    expect(await memberNow()).toMatchObject({ membershipEndsOn: day(99), pause: null })
    const id = await asked(day(5), 10)
    expect(await memberNow()).toMatchObject({ membershipEndsOn: day(99), pause: null })
    expect(await asker.post(`${PATH}/${id}/approve`)).toMatchObject({ code: 4003 })
    expect(await decider.post(`${PATH}/${id}/approve`)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({
      status: 'APPROVED',
      pauseFrom: day(5),
      pausedUntil: day(14),
      pauseOverAt: null,
    })
    expect(await memberNow()).toMatchObject({ membershipEndsOn: day(109), pause: { from: day(5), until: day(14) } })
    const lines = await instance.app.db.read.pool.query(
      "select diff from operation_log where action = 'approve' and code = 0",
    )
    expect(JSON.stringify(lines.rows)).toContain(day(14))
    await inOrder()
  })

  test('lets no day pass while it lasts, neither for the member nor for a refund, and is over by the calendar', async () => {
    await daysLater(30)
    const id = await paused(day(31), 20)
    await daysLater(1)
    const [days, fen] = [await left(), await suggested()]
    expect(days).toBe(69)
    await daysLater(19)
    expect([await left(), await suggested()]).toEqual([days, fen])
    await instance.house.runJobs()
    expect(await read(id)).toMatchObject({ pauseOverAt: null })
    await daysLater(2)
    expect(await left()).toBe(68)
    expect(await suggested()).toBeLessThan(fen)
    await instance.house.runJobs()
    expect(await read(id)).toMatchObject({ pausedUntil: day(50), pauseOverAt: expect.any(String) })
    expect(await resume(id)).toMatchObject({ code: 4006 })
    expect(await memberNow()).toMatchObject({ membershipEndsOn: day(119), pause: null })
    await inOrder()
  })

  test('that is ended early gives only the days that were really paused', async () => {
    const id = await paused(TODAY, 30)
    await daysLater(10)
    expect(await resume(id)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'APPROVED', pausedUntil: day(9), pauseOverAt: expect.any(String) })
    expect(await memberNow()).toMatchObject({ membershipEndsOn: day(109), pause: null })
    expect(await left()).toBe(100)
    expect(await resume(id)).toMatchObject({ code: 4006, msg: expect.stringContaining('the pause is over') })
    await inOrder()
  })

  test('that is over by the calendar cannot be ended later, though nothing has said so yet', async () => {
    const id = await paused(TODAY, 5)
    await daysLater(8)
    expect(await resume(id)).toMatchObject({ code: 4006, msg: expect.stringContaining('the pause is over') })
    expect(await read(id)).toMatchObject({ pausedUntil: day(4) })
    expect(await memberNow()).toMatchObject({ membershipEndsOn: day(104) })
    await inOrder()
  })

  test('is told of the member in lists from its first day to its last, and no longer once it is ended', async () => {
    const listed = async () => {
      const { data } = await asker.get<{ records: Member[] }>('/members/member?isPaused=true')
      return data.records.map(({ id }) => id)
    }
    await paused(day(1), 3)
    expect(await listed()).toEqual([])
    await daysLater(1)
    await instance.house.runJobs()
    expect(await listed()).toEqual([member])
    await daysLater(2)
    await instance.house.runJobs()
    expect(await listed()).toEqual([member])
    await daysLater(1)
    await instance.house.runJobs()
    expect(await listed()).toEqual([])
    const id = await paused(day(4), 3)
    expect(await listed()).toEqual([member])
    await resume(id)
    expect(await listed()).toEqual([])
    await inOrder()
  })

  test('that is ended before it began leaves everything as it was', async () => {
    const id = await paused(day(5), 30)
    expect(await resume(id)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ pausedUntil: null, pauseOverAt: expect.any(String) })
    expect(await memberNow()).toMatchObject({ membershipEndsOn: day(99), pause: null })
    await inOrder()
  })

  test('agreed to after its first day begins on the day of the yes', async () => {
    const id = await asked(TODAY, 10)
    await daysLater(3)
    expect(await decider.post(`${PATH}/${id}/approve`)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ pauseFrom: day(3), pausedUntil: day(12) })
    expect(await memberNow()).toMatchObject({ membershipEndsOn: day(109) })
    await inOrder()
  })

  test('is agreed to once, however many agree at once', async () => {
    const id = await asked(TODAY, 10)
    const answers = await Promise.all([1, 2, 3].map(() => decider.post(`${PATH}/${id}/approve`)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await memberNow()).toMatchObject({ membershipEndsOn: day(109) })
  })
})

describe('a pause is refused, in words', () => {
  const said = async (from: string, days: number) => {
    const { code, data } = await ask(from, days)
    expect(code).toBe(4005)
    return (data as unknown as { fields: Record<string, string> }).fields
  }

  test('where the days are none that can be paused', async () => {
    expect(await said(day(-1), 5)).toEqual({ pauseFrom: 'A pause begins today or later' })
    expect(await said(day(91), 5)).toEqual({ pauseFrom: `A pause begins on ${day(90)} at the latest` })
    expect(await said(TODAY, 0)).toHaveProperty('pauseDays')
    expect(await said(TODAY, 181)).toHaveProperty('pauseDays')
    await putInForce(instance, 'closing.pauseDays', 20)
    expect(await said(TODAY, 21)).toEqual({ pauseDays: 'At most 20 days can be paused within 365 days; 20 left' })
  })

  test('of a second one while one stands, and beyond what a year allows', async () => {
    const id = await paused(TODAY, 170)
    expect(await said(day(80), 5)).toEqual({ memberId: expect.stringContaining(`from ${TODAY} to ${day(169)}`) })
    await daysLater(170)
    await instance.house.runJobs()
    expect(await read(id)).toMatchObject({ pauseOverAt: expect.any(String) })
    expect(await said(dayOf(instance.clock.now()), 11)).toEqual({ pauseDays: expect.stringContaining('10 left') })
  })

  test('of who has no days left', async () => {
    member = await enrol(instance)
    expect(await said(TODAY, 5)).toEqual({ memberId: 'This member has no membership days left to pause' })
  })

  test('while a refund is under way, also when that was asked for after the pause was', async () => {
    await daysLater(2)
    const id = await asked(day(2), 5)
    expect(await asker.post(REFUNDS, refundBody(orderId, await suggested()))).toMatchObject({ code: 0 })
    expect(await decider.post(`${PATH}/${id}/approve`)).toMatchObject({
      code: 4005,
      msg: expect.stringContaining('refund'),
    })
    expect(await read(id)).toMatchObject({ status: 'SUBMITTED', l1By: null, pausedUntil: null })
  })

  test('while the account is to be closed', async () => {
    const closing = { ...bodyOf(TODAY, 5), kind: 'CLOSE', pauseFrom: null, pauseDays: null }
    await asker.post(PATH, { ...closing, proof: [await proof(instance, asker.id)] })
    expect(await said(TODAY, 5)).toEqual({ memberId: expect.stringContaining('is to be closed') })
  })
})
