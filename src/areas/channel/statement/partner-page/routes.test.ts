import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unseal } from '#areas/system/message/writing.server.ts'
import { periodOf } from '#engines/settlement/period.model.ts'
import { openStatement, reckon } from '#engines/settlement/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import {
  type Caller,
  insist,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../../tools/testing/instance.ts'
import { IS_LONG } from '../../../../../tools/testing/long.ts'
import { PHONES, phoneAt } from '../../../../demo/builders.server.ts'
import { MOST_LINKS_A_DAY, type Statement } from '../model.ts'
import { source } from '../source.server.ts'
import { linkIn, tokenOf } from '../token.server.ts'

const PATH = '/channel/statement'
const PAGE = 'channelCpa'
const DAY_MS = 86_400_000

let instance: TestInstance
let [keeper, finance]: Caller[] = []
beforeAll(async () => {
  // What is sent stays where it can be read; and several write at once, or nobody would meet anybody.
  instance = await openTestInstance({
    clock: stoppedClock(new Date('2026-05-02T02:00:00Z')),
    isSending: false,
    connections: 32,
    waitMs: 60_000,
  })
  keeper = await person(instance, { grants: { [PAGE]: ['list', 'detail', 'sendLink', 'reckon', 'approve', 'deduct'] } })
  finance = await person(instance, { grants: { [PAGE]: ['list', 'detail', 'approve', 'reject'] } })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

const query = () => instance.app.db.query
let nth = 0

/** A draft of last month with one registration on it, of a partner who can be reached. */
async function draft(contact: { phone?: string | null; email?: string | null } = {}): Promise<string> {
  nth += 1
  const { phone = phoneAt(PHONES.test + 70_000 + nth), email = 'settle@example.com' } = contact
  const { id } = await query()
    .insertInto('partner')
    .values({
      platform: 'WEB',
      ...{ name: `合作方${nth}`, company: `<b>公司${nth}</b>`, channel: `LINKED_${nth}` },
      ...{ contact_name: '王会计', contact_phone: phone, contact_email: email },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await query()
    .insertInto('settlement_price')
    .values({
      kind: 'REGISTERED',
      status: 'APPROVED',
      ...{ partner_id: id, price_fen: 1_000, valid_from: '2026-01-01', freeze_days: 0, reason: '测试' },
      ended_at: '2026-01-01T00:00:00Z',
      ...{ applicant_id: keeper?.id ?? '', l1_by: finance?.id ?? '' },
    })
    .execute()
  await query()
    .insertInto('member')
    .values({
      ...{ name: '林小满', phone: phoneAt(PHONES.test + 75_000 + nth), source: 'APP', channel: `LINKED_${nth}` },
      created_at: '2026-04-05T10:00:00+08:00',
    })
    .execute()
  const { app } = instance
  return insist(() =>
    app.db.write(async tx => {
      const change = ownChange(app, tx, app.clock.now(), 'test')
      const statement = await openStatement(change, id, periodOf('2026-04-15'))
      await reckon(change, source, statement)
      return statement.id
    }),
  )
}

const step = (by: Caller | undefined, id: string, name: string, body: object = {}) =>
  (by as Caller).post(`${PATH}/${id}/${name}`, body)
const found = async (id: string) => (await (keeper as Caller).get<Statement>(`${PATH}/${id}`)).data

/** The token a partner was sent last, as it stands in the message. */
async function sent(id: string): Promise<string> {
  expect(await step(keeper, id, 'sendLink')).toMatchObject({ code: 0 })
  const { about, body } = await query()
    .selectFrom('message')
    .select(['about', 'body'])
    .where('about', 'like', 'statement-link:%')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const token = /\/partner\/([\w-]+)/.exec(body)?.[1] ?? ''
  expect(about).toBe(`statement-link:${linkIn(instance.app, token)}`)
  return token
}

let callers = 0
/** Somebody's browser, each time another one unless told. */
async function browse(url: string, form?: Record<string, string>, address?: string) {
  callers += 1
  const answer = await instance.http.inject({
    method: form ? 'POST' : 'GET',
    url: `/api/partner/${url}`,
    remoteAddress: address ?? `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`,
    headers: {
      'accept-language': 'en-GB,en;q=0.9',
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
  })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers }
}
/** Asks again while the console says it is too busy, as whoever reads that would. */
async function insistently(url: string, form: Record<string, string>) {
  for (;;) {
    const answer = await browse(url, form)
    if (answer.status !== 503) return answer
  }
}
const seenIn = (text: string): string => /name="seen" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? ''
const seenAt = async (token: string) => seenIn((await browse(token)).text)

/** The code the contact was sent last: it stands nowhere but in what is to be sent. */
async function codeFor(token: string): Promise<string> {
  const { sealed, body, filled } = await query()
    .selectFrom('message')
    .select(['sealed', 'body', 'filled'])
    .where('about', 'like', `statement-code:${linkIn(instance.app, token)}:%`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect({ body, filled }).toEqual({ body: '', filled: null })
  return unseal(instance.app, sealed as Buffer).filled.code ?? ''
}
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe("a partner's page", () => {
  test('shows its own statement in plain words, phones masked, and loads and runs nothing', async () => {
    const id = await draft()
    const token = await sent(id)
    const { status, text, headers } = await browse(token)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(text).toContain('Statement for 2026-04')
    expect(text).toContain('¥10.00')
    expect(text).toMatch(/1\d\d\*{4}\d{4}/)
    expect(text).not.toMatch(/1[3-9]\d{9}/)
    expect(text).not.toContain('林小满')
    // What people call themselves is text.
    expect(text).toContain('&lt;b&gt;公司')
    expect(text).not.toMatch(/<script|<img|<link|<b>/)
  })

  test('is in the language of whoever opens it', async () => {
    const token = await sent(await draft())
    const inLanguage = async (wish: string) =>
      (await instance.http.inject({ url: `/api/partner/${token}`, headers: { 'accept-language': wish } })).body
    expect(await inLanguage('pt-PT,pt;q=0.9')).toContain('<html lang="pt-BR">')
    expect(await inLanguage('fr-FR,zh-HK;q=0.8')).toContain('<html lang="zh-TW">')
    expect(await inLanguage('ja')).toContain('<html lang="zh-CN">')
  })

  test('changes nothing, however often it is looked at', async () => {
    const id = await draft()
    const token = await sent(id)
    const before = await found(id)
    for (let look = 0; look < 3; look += 1) expect((await browse(`${token}?from=mail`)).status).toBe(200)
    expect(await found(id)).toEqual(before)
  })

  test('opens for nobody who made up, bent or guessed a link', async () => {
    const token = await sent(await draft())
    const [id = '', until = '', signature = ''] = token.split(/-(.+?)-(.+)/)
    const bent = [
      `${Number(id) + 1}-${until}-${signature}`,
      `${id}-${(Number.parseInt(until, 36) + 1).toString(36)}-${signature}`,
      `${id}-${until}-${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
      `${id}-${until}-${'A'.repeat(24)}`,
      'x',
      "1'--",
      '9999999999999999999-z-z',
    ]
    for (const wrong of bent) {
      const { status, text } = await browse(encodeURIComponent(wrong))
      expect({ wrong, status }).toEqual({ wrong, status: 404 })
      expect(text).toContain('The link is incomplete or wrong')
    }
    const posted = await browse(`${bent[0]}/code`, { seen: 'a'.repeat(64) })
    expect(posted).toMatchObject({ status: 404, text: expect.stringContaining('The link is incomplete or wrong') })
  })

  test('of a link signed by us that nobody was sent says the same', async () => {
    const token = tokenOf(instance.app, '999999', new Date(instance.clock.now().getTime() + DAY_MS))
    expect(await browse(token)).toMatchObject({ status: 404 })
  })

  test('is over with its time, and with the next link', async () => {
    const id = await draft()
    const first = await sent(id)
    const second = await sent(id)
    expect(await browse(first)).toMatchObject({ status: 410, text: expect.stringContaining('no longer valid') })
    expect(await browse(second)).toMatchObject({ status: 200 })
    const begun = instance.clock.now()
    instance.clock.forward(14 * DAY_MS)
    expect(await browse(second)).toMatchObject({ status: 410, text: expect.stringContaining('has expired') })
    instance.clock.set(begun)
  })

  test('says on a page of its own what it cannot read, and when somebody comes too often', async () => {
    const token = await sent(await draft())
    const unread = await browse(`${token}/confirm`, { seen: 'no digest', surprise: '1' })
    expect(unread.status).toBe(422)
    expect(unread.headers['content-type']).toBe('text/html; charset=utf-8')
    const look = () => browse(token, undefined, '192.0.2.9')
    expect(await look()).toMatchObject({ status: 200 })
    await query().updateTable('attempt_gate').set({ attempts: 60 }).where('kind', '=', 'partner-page').execute()
    const shut = await look()
    expect(shut).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
    expect(shut.text).toContain('<html lang="en-US">')
  })
})

describe('a statement its partner confirms', () => {
  test('is confirmed with a code sent to its contact, and says who, when, how and to what', async () => {
    const id = await draft()
    const token = await sent(id)
    expect(await found(id)).toMatchObject({ linkState: 'SENDING', linkBy: keeper?.id })
    const seen = await seenAt(token)
    expect(await browse(`${token}/code`, { seen })).toMatchObject({ status: 302, headers: { location: `../${token}` } })
    expect(await found(id)).toMatchObject({ linkState: 'ASKED', status: 'DRAFT' })
    expect((await browse(token)).text).toContain('Code from the text message')
    const form = { seen, name: ' 王会计 ', code: (await codeFor(token)).replace(/(...)/, '$1 ') }
    expect(await browse(`${token}/confirm`, form)).toMatchObject({ status: 302 })
    expect(await found(id)).toMatchObject({
      ...{
        status: 'CHANNEL_CONFIRMED',
        confirmedName: '王会计',
        confirmedVia: 'LINK',
        confirmedBy: null,
        digest: seen,
      },
      ...{ linkState: 'USED', confirmedAt: '2026-05-02T02:00:00Z' },
    })
    expect((await browse(token)).text).toContain('王会计 confirmed this statement')
    // The code is gone with it.
    expect(await browse(`${token}/confirm`, form)).toMatchObject({
      status: 409,
      text: expect.stringContaining('confirmed already'),
    })
    const log = await query()
      .selectFrom('operation_log')
      .select(['actor_id', 'actor_name', 'address', 'diff'])
      .where('page', '=', PAGE)
      .where('record_id', '=', id)
      .where('action', '=', 'confirm')
      .execute()
    const address = expect.stringMatching(/^10\./)
    expect(log).toMatchObject([{ actor_id: null, actor_name: expect.stringMatching(/./), address }])
    // Who sent the link does not decide on what came of it.
    expect(await step(keeper, id, 'approve')).toMatchObject({ code: 4006 })
    expect(await step(finance, id, 'approve')).toMatchObject({ code: 0 })
  })

  test('is decided on by nobody who had entered the phone its code went to, and it says who that was', async () => {
    const id = await draft()
    const of = query().selectFrom('settlement_statement').select('partner_id').where('id', '=', id)
    const entering = (by: Caller | undefined) =>
      query()
        .updateTable('partner')
        .set({ contact_by: by?.id ?? null })
        .where('id', 'in', of)
        .execute()
    await entering(finance)
    const token = await sent(id)
    const seen = await seenAt(token)
    await browse(`${token}/code`, { seen })
    const code = await codeFor(token)
    // Whoever enters another phone after the code has left changes nothing about it.
    await entering(keeper)
    expect(await browse(`${token}/confirm`, { seen, name: 'Wang', code })).toMatchObject({ status: 302 })
    expect(await found(id)).toMatchObject({ contactBy: finance?.id, linkBy: keeper?.id })
    expect(await step(finance, id, 'approve')).toMatchObject({ code: 4006, msg: expect.stringContaining('phone') })
    const against = query()
      .updateTable('settlement_statement')
      .set({ approved_by: finance?.id ?? null, status: 'APPROVED' })
    await expect(against.where('id', '=', id).execute()).rejects.toThrow('settlement_statement_contact')
    const third = await person(instance, { grants: { [PAGE]: ['list', 'detail', 'approve'] } })
    expect(await step(third, id, 'approve')).toMatchObject({ code: 0 })
  })

  test('says in its timeline when a code was asked for and from where, and when one was spoilt by guessing', async () => {
    const id = await draft()
    const token = await sent(id)
    const seen = await seenAt(token)
    await browse(`${token}/code`, { seen }, '192.0.2.30')
    const wrong = other(await codeFor(token))
    const told = async () => {
      const lines = query().selectFrom('operation_log').select(['action', 'actor_id', 'address']).orderBy('id')
      const all = await lines.where('page', '=', PAGE).where('record_id', '=', id).execute()
      return all.filter(({ action }) => action !== 'sendLink')
    }
    const asked = { action: 'askCode', actor_id: null, address: '192.0.2.30' }
    for (let tries = 0; tries < 4; tries += 1) await browse(`${token}/confirm`, { seen, name: 'Wang', code: wrong })
    expect(await told()).toEqual([asked])
    for (let tries = 0; tries < 3; tries += 1)
      await browse(`${token}/confirm`, { seen, name: 'Wang', code: wrong }, '192.0.2.31')
    expect(await told()).toEqual([asked, { action: 'spoilCode', actor_id: null, address: '192.0.2.31' }])
  })

  test('takes a wrong code five times, and then no code at all', async () => {
    const id = await draft()
    const token = await sent(id)
    const seen = await seenAt(token)
    await browse(`${token}/code`, { seen })
    const code = await codeFor(token)
    for (const left of ['4 tries', '3 tries', '2 tries', '1 try', '0 tries'])
      expect(await browse(`${token}/confirm`, { seen, name: 'Wang', code: other(code) })).toMatchObject({
        status: 422,
        text: expect.stringContaining(left),
      })
    expect(await browse(`${token}/confirm`, { seen, name: 'Wang', code })).toMatchObject({
      status: 429,
      text: expect.stringContaining('too often'),
    })
    expect(await found(id)).toMatchObject({ status: 'DRAFT' })
    // Another code, a minute later, is good again.
    expect(await browse(`${token}/code`, { seen })).toMatchObject({ status: 429 })
    instance.clock.forward(60_000)
    await browse(`${token}/code`, { seen })
    expect(await browse(`${token}/confirm`, { seen, name: 'Wang', code: await codeFor(token) })).toMatchObject({
      status: 302,
    })
  })

  test('a form with too few digits or no name is told so, and is no try', async () => {
    const token = await sent(await draft())
    const seen = await seenAt(token)
    await browse(`${token}/code`, { seen })
    for (const form of [
      { name: 'Wang', code: '12' },
      { name: ' ', code: '123456' },
      { name: '\n\u0000 ', code: '123456' },
    ])
      expect((await browse(`${token}/confirm`, { seen, ...form })).status).toBe(422)
    const link = query()
      .selectFrom('statement_link')
      .select('tries')
      .where('id', '=', linkIn(instance.app, token) ?? '')
    expect(await link.executeTakeFirstOrThrow()).toEqual({ tries: 0 })
  })

  test('by a code of another link, or an older one, is not confirmed', async () => {
    const [one, two] = [await sent(await draft()), await sent(await draft())]
    const [seenOne, seenTwo] = [await seenAt(one), await seenAt(two)]
    await browse(`${one}/code`, { seen: seenOne })
    await browse(`${two}/code`, { seen: seenTwo })
    const [codeOne, codeTwo] = [await codeFor(one), await codeFor(two)]
    if (codeOne !== codeTwo)
      expect(await browse(`${two}/confirm`, { seen: seenTwo, name: 'Wang', code: codeOne })).toMatchObject({
        status: 422,
      })
    instance.clock.forward(60_000)
    await browse(`${two}/code`, { seen: seenTwo })
    if ((await codeFor(two)) !== codeTwo)
      expect(await browse(`${two}/confirm`, { seen: seenTwo, name: 'Wang', code: codeTwo })).toMatchObject({
        status: 422,
      })
  })

  test('that changed since it was looked at is shown anew, and not confirmed', async () => {
    const id = await draft()
    const token = await sent(id)
    const seen = await seenAt(token)
    await browse(`${token}/code`, { seen })
    const code = await codeFor(token)
    expect(await step(keeper, id, 'deduct', { amountFen: 100, reason: '素材违规' })).toMatchObject({ code: 0 })
    const told = await browse(`${token}/confirm`, { seen, name: 'Wang', code })
    expect(told).toMatchObject({ status: 409, text: expect.stringContaining('has changed since') })
    expect(told.text).toContain('¥9.00')
    const fresh = seenIn(told.text)
    expect(fresh).not.toBe(seen)
    // The old code is for what it was.
    expect(await browse(`${token}/confirm`, { seen: fresh, name: 'Wang', code })).toMatchObject({ status: 409 })
    expect(await found(id)).toMatchObject({ status: 'DRAFT' })
  })

  test('goes back to a draft with finance, and its link with it', async () => {
    const id = await draft()
    const token = await sent(id)
    const seen = await seenAt(token)
    await browse(`${token}/code`, { seen })
    await browse(`${token}/confirm`, { seen, name: 'Wang', code: await codeFor(token) })
    expect(await step(finance, id, 'reject', { reason: '金额不符' })).toMatchObject({ code: 0 })
    expect(await found(id)).toMatchObject({ status: 'DRAFT', linkState: 'NONE', confirmedVia: null, digest: null })
    expect(await browse(token)).toMatchObject({ status: 410 })
  })

  test('of a partner without a phone gets no link; without mail it goes by text message', async () => {
    expect(await step(keeper, await draft({ phone: null }), 'sendLink')).toMatchObject({ code: 4006 })
    await sent(await draft({ email: null }))
    const last = query().selectFrom('message').select(['channel', 'email']).orderBy('id', 'desc').limit(1)
    expect(await last.executeTakeFirstOrThrow()).toEqual({ channel: 'SMS', email: null })
  })

  test('is sent three links a day and no more, also by many at once, and on the next day again', async () => {
    const id = await draft()
    const many = Array.from({ length: 8 }, () => step(keeper, id, 'sendLink'))
    const codes = (await Promise.all(many)).map(({ code }) => code)
    expect(codes.filter(code => code === 0)).toHaveLength(MOST_LINKS_A_DAY)
    const words = expect.stringContaining('3 times today')
    expect(await step(keeper, id, 'sendLink')).toMatchObject({ code: 4006, msg: words })
    // Of another statement as before.
    await sent(await draft())
    const begun = instance.clock.now()
    instance.clock.forward(DAY_MS)
    await sent(id)
    instance.clock.set(begun)
  })

  test('by many at once with the right code is confirmed by one of them', async () => {
    const id = await draft()
    const token = await sent(id)
    const seen = await seenAt(token)
    await browse(`${token}/code`, { seen })
    const code = await codeFor(token)
    const many = Array.from({ length: IS_LONG ? 200 : 20 }, (_, at) =>
      insistently(`${token}/confirm`, { seen, name: `Wang ${at}`, code }),
    )
    const answers = (await Promise.all(many)).map(({ status }) => status)
    expect(answers.filter(status => status === 302)).toHaveLength(1)
    expect(new Set(answers.filter(status => status !== 302))).toEqual(new Set([409]))
    const lines = query()
      .selectFrom('operation_log')
      .select('id')
      .where('record_id', '=', id)
      .where('action', '=', 'confirm')
    expect(await lines.where('page', '=', PAGE).execute()).toHaveLength(1)
  })

  test('guessed at by many at once costs five tries, and not one more', async () => {
    const token = await sent(await draft())
    const seen = await seenAt(token)
    await browse(`${token}/code`, { seen })
    const wrong = other(await codeFor(token))
    const guesses = Array.from({ length: IS_LONG ? 200 : 20 }, () =>
      insistently(`${token}/confirm`, { seen, name: 'X', code: wrong }),
    )
    const answers = (await Promise.all(guesses)).map(({ status }) => status)
    expect(answers.filter(status => status === 422)).toHaveLength(5)
  })
})
