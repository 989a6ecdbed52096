import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fen } from '#kit/model/money.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { campaignBody, marketingTemplate, memberWho } from '../../../../tools/testing/campaigns.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { putInForce } from '../../../../tools/testing/settings.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { eraseMember } from '../member/closing.server.ts'
import { type Campaign, costOf, type Reach, whyNotAgain, whyNotPaidAgain } from './model.ts'
import type { CampaignNumber } from './numbers/model.ts'
import { sampleTo } from './sample.model.ts'
import { sending } from './sending.server.ts'

const PAGE = 'member-message'
const PATH = '/members/campaign'
const ALL = ['list', 'detail', 'create', 'approve', 'sample', 'schedule', 'sendAgain', 'pause', 'resume', 'cancel']

const clock = stoppedClock(new Date('2026-03-10T10:00:00+08:00'))
let instance: TestInstance
let author: Caller
let templateId: string
beforeAll(async () => {
  // What leaves, leaves when a test says so: one that pauses a campaign has to come before the next message.
  instance = await openTestInstance({ clock, isSending: false })
  author = await desk()
  templateId = await marketingTemplate(instance, author)
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const desk = () => person(instance, { grants: { [PAGE]: ALL } })
async function agreed(count: number) {
  const members: Awaited<ReturnType<typeof memberWho>>[] = []
  for (let nth = 0; nth < count; nth += 1) members.push(await memberWho(instance, 'GIVEN'))
  return members
}
const phonesOf = (members: readonly { phone: string }[]) => members.map(({ phone }) => phone)
const write = async (phones: readonly string[], more: object = {}) => {
  const answer = await author.post<{ id: string }>(PATH, campaignBody(templateId, phones, more))
  expect(answer).toMatchObject({ code: 0 })
  return answer.data.id
}
const read = async (id: string) => (await author.get<Campaign>(`${PATH}/${id}`)).data
const numbers = async (id: string) =>
  (await author.get<{ records: CampaignNumber[] }>(`${PATH}/${id}/numbers?size=100`)).data.records
const step = (id: string, name: string, body: object = {}, by = author) => by.post(`${PATH}/${id}/${name}`, body)
const schedule = (id: string, startAt: string | null = null) => step(id, 'schedule', { startAt })
/** The campaign's numbers are handed to the messaging, and wait there for a call of their own. */
async function handOver(id: string) {
  await schedule(id)
  const { app } = instance
  await app.db.write(tx => sending.settle(ownChange(app, tx, clock.now(), 'test'), { id } as never, null))
}
/** Everything due is done, as long as something is. */
async function pass(seconds: number) {
  for (let passed = 0; passed < seconds; passed += 1) {
    await instance.outbox.run()
    clock.forward(1_000)
  }
  await instance.outbox.run()
}

test.each([
  [0, 450, 0],
  [1, 450, 5],
  [100, 450, 450],
  [101, 450, 455],
])('%i messages at %i fen a hundred cost %i fen', (parts, hundred, fen) => {
  expect(costOf(parts, hundred)).toBe(fen)
})

test.each([
  ['one colleague', ['1', null, null], ['1 toId']],
  ['three, and the same one only once', ['1', '2', '1'], ['1 toId', '2 secondId']],
  ['no second but a third', ['1', null, '3'], ['1 toId', '3 thirdId']],
])('a sample goes to %s', (_, [toId, secondId, thirdId], got) => {
  const to = sampleTo({ toId: toId as string, secondId: secondId ?? null, thirdId: thirdId ?? null })
  expect([...to].map(([id, field]) => `${id} ${field}`)).toEqual(got)
})

test('there is another try where a number failed, and none for those nobody knows about', () => {
  expect(whyNotAgain({ failed: 1 })).toBeUndefined()
  expect(whyNotAgain({ failed: 0 })?.code).toBe('nobody-failed')
})

test.each([
  ['stays within the limit', 4_000, null, 1_000, undefined],
  ['goes beyond the limit, which nobody agreed to', 4_000, null, 1_001, 'again-above-limit'],
  ['goes beyond the limit, which somebody agreed to', 9_000, '7', 2_000, undefined],
  ['goes beyond what somebody agreed to by as much as one decides alone', 12_000, '7', 2_000, undefined],
  ['goes beyond what somebody agreed to by more than one decides alone', 12_000, '7', 2_001, 'again-above-limit'],
])('another try that %s is judged by it', (_, spentFen, approverId, againFen, code) => {
  expect(whyNotPaidAgain({ spentFen: fen(spentFen), costFen: fen(9_000), approverId }, againFen, 5_000)?.code).toBe(
    code,
  )
})

describe('whom a campaign reaches', () => {
  test('is counted before it is written: repeated, invalid, strangers, without consent, opted out and lately written to are told apart', async () => {
    const [yes, lately] = await agreed(2)
    const [no, none] = [await memberWho(instance, 'WITHDRAWN'), await memberWho(instance)]
    const first = await write(phonesOf([lately as never]))
    await schedule(first)
    await pass(2)
    const pasted = [yes?.phone, yes?.phone, lately?.phone, no.phone, none.phone, '19999999999', '12345'] as string[]
    const { name: _name, ...asked } = campaignBody(templateId, pasted)
    const { data } = await author.post<Reach>(`${PATH}/reach`, asked)
    expect(data).toEqual({
      ...{ members: 4, repeated: 1, invalid: 1, strangers: 1, noConsent: 1, optedOut: 1, lately: 1, toSend: 1 },
      listNotAgreed: 0,
      ...{ costFen: 5, needsApproval: false },
    })
    const id = await write(pasted)
    expect(await read(id)).toMatchObject({
      ...{ status: 'DRAFT', members: 4, toSend: 1, withheld: 3, repeated: 1, invalid: 1, strangers: 1, costFen: 5 },
      body: '{name}家长您好，老学员立减 ¥200.00。拒收请回复R',
    })
    expect((await numbers(id)).map(({ status, cause }) => `${status} ${cause}`)).toEqual([
      'WAITING null',
      'WITHHELD LATELY',
      'WITHHELD OPTED_OUT',
      'WITHHELD NO_CONSENT',
    ])
  })

  test('is chosen by what members have in common too, and stays as it was written', async () => {
    const [one, other] = await agreed(2)
    const tagged = (id: string | undefined, tags: string[]) =>
      instance.app.db.query
        .updateTable('member')
        .set({ tags })
        .where('id', '=', id ?? '')
        .execute()
    await tagged(one?.id, ['CAREFUL'])
    const id = await write([], { audienceBy: 'FILTER', tags: ['CAREFUL'] })
    await tagged(other?.id, ['CAREFUL'])
    expect((await numbers(id)).map(({ memberId }) => memberId)).toEqual([one?.id])
  })

  test('is nobody outside the scope of whoever writes it', async () => {
    const [member] = await agreed(1)
    const narrow = await person(instance, { grants: { [PAGE]: ALL }, scope: 'SELF' })
    const { name: _name, ...asked } = campaignBody(templateId, [String(member?.phone)])
    expect((await narrow.post<Reach>(`${PATH}/reach`, asked)).data).toMatchObject({ members: 0, strangers: 1 })
  })

  test.each([
    ['no number', { numbers: '，' }, 'numbers'],
    ['no condition', { audienceBy: 'FILTER' }, 'numbers'],
    ['an unknown template', { templateId: '999999' }, 'templateId'],
    ['an empty hole', { filled: [] }, 'filled'],
    ['a hole filled with something else', { filled: [{ name: 'off', value: 'two hundred' }] }, 'filled'],
  ])('is asked for again where there is %s', async (_, wrong, field) => {
    const refused = await author.post<{ fields?: object }>(PATH, campaignBody(templateId, ['13800138000'], wrong))
    expect(refused.code).not.toBe(0)
    expect(refused.body).toContain(field)
  })
})

describe('a campaign', () => {
  test('goes out once to each number, and is done when all were handed over; reports say what became of each', async () => {
    const members = await agreed(3)
    const id = await write(phonesOf(members))
    expect(await schedule(id)).toMatchObject({ code: 0 })
    await pass(2)
    expect(await read(id)).toMatchObject({ status: 'DONE', sent: 3, toSend: 0, underWay: 0, spentFen: 14 })
    // The simulated provider tells after some seconds.
    clock.forward(60_000)
    await pass(1)
    const { delivered, failed, sent } = await read(id)
    expect([delivered + failed, sent]).toEqual([3, 0])
    const { rows } = await instance.app.db.read.pool.query(
      `select count(*)::int as n, count(distinct phone)::int as phones from message where about like 'campaign:${id}:%'`,
    )
    expect(rows).toEqual([{ n: 3, phones: 3 }])
  })

  test('above the limit waits for another person, who is not the one who wrote it', async () => {
    await putInForce(instance, 'campaign.approvalFen', 4)
    const id = await write(phonesOf(await agreed(1)))
    await putInForce(instance, 'campaign.approvalFen', 5_000)
    expect(await read(id)).toMatchObject({ needsApproval: true })
    expect((await schedule(id)).msg).toContain('approve it first')
    expect((await step(id, 'approve')).msg).toContain('approved by a colleague')
    expect(await step(id, 'approve', {}, await desk())).toMatchObject({ code: 0 })
    expect(await schedule(id)).toMatchObject({ code: 0 })
  })

  test('that is paused leaves the rest alone, goes on where it stopped, and cancelled says so of who got nothing', async () => {
    const id = await write(phonesOf(await agreed(60)))
    await schedule(id)
    await instance.outbox.run()
    expect(await step(id, 'pause')).toMatchObject({ code: 0 })
    await pass(3)
    expect(await read(id)).toMatchObject({ status: 'PAUSED', toSend: 10, sent: 50 })
    expect(await step(id, 'resume')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'SENDING' })
    await step(id, 'pause')
    expect(await step(id, 'cancel', { reason: 'wrong words' })).toMatchObject({ code: 0 })
    await pass(3)
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', toSend: 0, cancelled: 10, sent: 50 })
  })

  test('that is paused behind its last number is over when that one has left', async () => {
    const id = await write(phonesOf(await agreed(3)))
    await handOver(id)
    expect(await step(id, 'pause')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'PAUSED', toSend: 0, underWay: 3 })
    await pass(2)
    expect(await read(id)).toMatchObject({ status: 'DONE', toSend: 0, underWay: 0, sent: 3 })
    expect((await read(id)).endedAt).not.toBeNull()
  })

  test('asks again when each message leaves: who withdraws consent meanwhile gets nothing', async () => {
    const [stays, leaves] = await agreed(2)
    const id = await write(phonesOf([stays, leaves] as never))
    await sendEvent(instance, 'sms', { type: 'sms.replied', data: { phone: leaves?.phone, text: 'R' } })
    await instance.inbox.sweep()
    await schedule(id)
    await pass(2)
    expect((await numbers(id)).map(({ status, cause }) => `${status} ${cause}`)).toEqual([
      'SENT null',
      'WITHHELD OPTED_OUT',
    ])
    expect(await read(id)).toMatchObject({ status: 'DONE', sent: 1, withheld: 1 })
  })

  test.each([
    ['before it is begun', async () => {}],
    ['while it waits to leave', async (id: string) => void (await handOver(id))],
  ])('goes to no number that is not its member’s own by now, changed %s', async (_when, begin) => {
    const [stays, moves] = await agreed(2)
    const id = await write(phonesOf([stays, moves] as never))
    await begin(id)
    await instance.app.db.query
      .updateTable('member')
      .set({ phone: phoneAt(PHONES.test + 64_000 + Number(moves?.id)) })
      .where('id', '=', String(moves?.id))
      .execute()
    if ((await read(id)).status === 'DRAFT') await schedule(id)
    await pass(2)
    expect((await numbers(id)).map(({ status, cause }) => `${status} ${cause}`)).toEqual([
      'SENT null',
      'WITHHELD OTHER_NUMBER',
    ])
    expect(await read(id)).toMatchObject({ status: 'DONE', sent: 1, withheld: 1 })
  })

  test('waits for its hour, and through the quiet hours', async () => {
    const id = await write(phonesOf(await agreed(1)))
    expect((await schedule(id, '2026-03-01T10:00:00+08:00')).code).not.toBe(0)
    const at = new Date(clock.now().getTime() + 3_600_000)
    await schedule(id, at.toISOString())
    await pass(1)
    expect(await read(id)).toMatchObject({ status: 'SCHEDULED', toSend: 1 })
    clock.set('2026-03-10T22:30:00+08:00')
    await pass(1)
    author = await desk()
    expect(await read(id)).toMatchObject({ status: 'SCHEDULED', toSend: 1 })
    clock.set('2026-03-11T08:00:00+08:00')
    await pass(1)
    author = await desk()
    expect(await read(id)).toMatchObject({ status: 'DONE', sent: 1 })
  })

  test('sends the words that were agreed to, whatever is published meanwhile', async () => {
    const [member] = await agreed(1)
    const id = await write([String(member?.phone)])
    const body = '全新的正文。拒收请回复R'
    await instance.app.db.read.pool.query('update message_template set body = $1 where id = $2', [body, templateId])
    await instance.app.db.read.pool.query(
      `update message_template_edition set body = body || jsonb_build_object('body', $1::text) where template_id = $2`,
      [body, templateId],
    )
    await schedule(id)
    await pass(1)
    const sent = instance.app.db.query.selectFrom('message').select('body').where('member_id', '=', String(member?.id))
    expect((await sent.executeTakeFirstOrThrow()).body).toContain('老学员立减 ¥200.00')
  })
})

describe('a sample of a campaign', () => {
  beforeAll(async () => {
    templateId = await marketingTemplate(instance, author)
  })
  const sampleOf = async (id: string) => {
    const sent = instance.app.db.query.selectFrom('message').selectAll().where('about', 'like', `sample:${id}:%`)
    return sent.orderBy('id').execute()
  }
  const give = (colleague: Caller, phone: string | null) =>
    instance.app.db.query.updateTable('staff').set({ phone }).where('id', '=', colleague.id).execute()

  test('goes to colleagues with the words as the first recipient reads them, is in the log, and counts nowhere', async () => {
    const [one, other] = [await desk(), await desk()]
    await give(one, '13900001111')
    await give(other, '13900002222')
    const members = await agreed(2)
    const id = await write(phonesOf(members))
    const asked = { toId: one.id, secondId: other.id, thirdId: one.id }
    expect(await step(id, 'sample', asked)).toMatchObject({ code: 0 })
    await pass(1)
    const name = await instance.app.db.query
      .selectFrom('member')
      .select('name')
      .where('id', '=', String(members[0]?.id))
      .executeTakeFirstOrThrow()
    const sent = await sampleOf(id)
    expect(sent.map(row => [row.staff_id, row.phone, row.kind, row.is_test, row.sent_at !== null])).toEqual([
      [one.id, '13900001111', 'NOTICE', true, true],
      [other.id, '13900002222', 'NOTICE', true, true],
    ])
    expect(sent[0]?.body).toBe(`${name.name}家长您好，老学员立减 ¥200.00。拒收请回复R`)
    expect(sent[0]?.words_of_id).toBe(members[0]?.id)
    expect(await read(id)).toMatchObject({ status: 'DRAFT', toSend: 2, sent: 0, underWay: 0, spentFen: 0 })
    expect((await read(id)).sampledAt).not.toBeNull()
    const logged = instance.app.db.query
      .selectFrom('operation_log')
      .select('action')
      .where('page', '=', PAGE)
      .where('record_id', '=', id)
    expect((await logged.execute()).map(({ action }) => action)).toContain('sample')
    // Whoever was written to as an example is written to all the same.
    await schedule(id)
    await pass(2)
    expect(await read(id)).toMatchObject({ status: 'DONE', sent: 2 })
  })

  test('is forgotten with the member whose name stands in it', async () => {
    const one = await desk()
    await give(one, '13900005555')
    const [member] = await agreed(1)
    const id = await write([String(member?.phone)])
    await step(id, 'sample', { toId: one.id, secondId: null, thirdId: null })
    const { app } = instance
    await app.db.write(tx => eraseMember(ownChange(app, tx, clock.now(), 'test'), String(member?.id)))
    const [{ body, filled, phone }] = (await sampleOf(id)) as [Awaited<ReturnType<typeof sampleOf>>[0]]
    expect({ body, filled, phone }).toEqual({ body: '', filled: null, phone: null })
  })

  test('names whoever has no phone, and nothing leaves', async () => {
    const [one, other] = [await desk(), await desk()]
    await give(one, '13900003333')
    await give(other, null)
    const id = await write(phonesOf(await agreed(1)))
    const refused = await step(id, 'sample', { toId: one.id, secondId: other.id, thirdId: null })
    expect(refused.body).toContain('secondId')
    expect(refused.body).toContain('has no phone on record')
    expect(await sampleOf(id)).toEqual([])
  })

  test('goes to nobody who has nothing to do with campaigns', async () => {
    const stranger = await person(instance, { grants: { 'member-list': ['list'] } })
    await give(stranger, '13900004444')
    const id = await write(phonesOf(await agreed(1)))
    expect((await step(id, 'sample', { toId: stranger.id, secondId: null, thirdId: null })).code).not.toBe(0)
    expect(await sampleOf(id)).toEqual([])
  })
})

describe('a campaign that is over, sent again to those that failed', () => {
  const messagesOf = (id: string) =>
    instance.app.db.query
      .selectFrom('message')
      .select(['id', 'member_id', 'about', 'status'])
      .where('about', 'like', `campaign:${id}:%`)
      .orderBy('id')
      .execute()
  const report = (messageId: string, delivered: boolean) =>
    sendEvent(instance, 'sms', {
      type: 'sms.reported',
      data: { key: `${messageId}-1`, delivered, fault: 'SWITCHED_OFF', said: 'X' },
    })
  /** Sent, and then this became of each: yes, no, or nobody knows. */
  async function over(fates: readonly (boolean | null)[]) {
    const members = await agreed(fates.length)
    const id = await write(phonesOf(members))
    await schedule(id)
    await pass(1)
    for (const [nth, { id: messageId }] of (await messagesOf(id)).entries()) {
      const fate = fates[nth]
      if (typeof fate === 'boolean') await report(messageId, fate)
    }
    await instance.inbox.sweep()
    return { id, members }
  }
  const forget = (id: string) =>
    instance.app.db.query
      .updateTable('message')
      .set({ status: 'UNKNOWN' })
      .where('about', 'like', `campaign:${id}:%`)
      .where('status', '=', 'SENDING')
      .execute()
  const states = async (id: string) =>
    (await numbers(id)).map(({ status, cause, attempt }) => `${status} ${cause} ${attempt}`)

  test('writes once more to those, once each, however often it is asked for; not to who got it or whom nobody knows about', async () => {
    const { id } = await over([true, false, null, false])
    await forget(id)
    expect(await read(id)).toMatchObject({ status: 'DONE', delivered: 1, failed: 2, sent: 1 })
    const asked = await Promise.all([step(id, 'sendAgain'), step(id, 'sendAgain'), step(id, 'sendAgain')])
    expect(asked.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await read(id)).toMatchObject({ status: 'SENDING', failed: 0, toSend: 2, endedAt: null })
    await pass(3)
    expect(
      (await messagesOf(id)).map(({ about, member_id }) => about.replace(`campaign:${id}:${member_id}`, '')),
    ).toEqual(['', '', '', '', ':2', ':2'])
    expect(await read(id)).toMatchObject({ status: 'DONE', delivered: 1, failed: 0, sent: 3, toSend: 0 })
    expect((await states(id)).map(one => one.at(-1))).toEqual(['1', '2', '1', '2'])
    // Neither try can be told of as the other.
    const second = (await messagesOf(id)).filter(({ about }) => about.endsWith(':2'))
    await report(String(second[0]?.id), false)
    await instance.inbox.sweep()
    expect(await read(id)).toMatchObject({ status: 'DONE', failed: 1, sent: 2 })
    expect(await step(id, 'sendAgain')).toMatchObject({ code: 0 })
    await pass(2)
    expect(await read(id)).toMatchObject({ status: 'DONE', failed: 0, sent: 3 })
  })

  test('asks again for consent and for the last time: who refused meanwhile, or got another offer, gets nothing', async () => {
    const { id, members } = await over([false, false])
    const [refused, offered] = members
    await sendEvent(instance, 'sms', { type: 'sms.replied', data: { phone: refused?.phone, text: 'R' } })
    await instance.inbox.sweep()
    const other = await write([String(offered?.phone)])
    await schedule(other)
    await pass(1)
    expect(await step(id, 'sendAgain')).toMatchObject({ code: 0 })
    await pass(2)
    expect(await states(id)).toEqual(['WITHHELD OPTED_OUT 2', 'WITHHELD LATELY 2'])
    expect(await read(id)).toMatchObject({ status: 'DONE', failed: 0, withheld: 2 })
  })

  test('waits through the quiet hours', async () => {
    const { id } = await over([false])
    clock.set('2026-03-12T22:30:00+08:00')
    author = await desk()
    expect(await step(id, 'sendAgain')).toMatchObject({ code: 0 })
    await pass(1)
    expect(await read(id)).toMatchObject({ status: 'SENDING', toSend: 1 })
    clock.set('2026-03-13T08:00:00+08:00')
    await pass(1)
    author = await desk()
    expect(await read(id)).toMatchObject({ status: 'DONE', sent: 1 })
  })

  test('costs what one person may decide, or has been agreed to', async () => {
    const { id } = await over([false])
    await putInForce(instance, 'campaign.approvalFen', 9)
    expect((await step(id, 'sendAgain')).msg).toContain('more than the approval limit')
    expect(await read(id)).toMatchObject({ status: 'DONE', failed: 1, toSend: 0 })
    await putInForce(instance, 'campaign.approvalFen', 5_000)
    expect(await step(id, 'sendAgain')).toMatchObject({ code: 0 })
    await pass(1)
  })

  test('is not offered where nothing failed', async () => {
    const { id } = await over([true])
    expect((await step(id, 'sendAgain')).msg).toContain('no number failed')
  })
})
