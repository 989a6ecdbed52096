import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { type Caller, person } from '../../../../../tools/testing/instance.ts'
import { IS_LONG } from '../../../../../tools/testing/long.ts'
import {
  browse,
  codeFor,
  draft,
  found,
  insistently,
  openPartnerDesk,
  PAGE,
  type PartnerDesk,
  seenAt,
  seenIn,
  sent,
  step,
} from '../../../../../tools/testing/partner-desk.ts'
import { linkIn } from '../token.server.ts'

let desk: PartnerDesk
beforeAll(async () => {
  desk = await openPartnerDesk()
})
afterAll(async () => expect(await findBroken(desk.instance.app.db, desk.instance.catalogue)).toEqual([]))
const query = () => desk.instance.app.db.query
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a statement its partner confirms', () => {
  test('is confirmed with a code sent to its contact, and says who, when, how and to what', async () => {
    const id = await draft(desk)
    const token = await sent(desk, id)
    expect(await found(desk, id)).toMatchObject({ linkState: 'SENDING', linkBy: desk.keeper.id })
    const seen = await seenAt(desk, token)
    expect(await browse(desk, `${token}/code`, { seen })).toMatchObject({
      status: 302,
      headers: { location: `../${token}` },
    })
    expect(await found(desk, id)).toMatchObject({ linkState: 'ASKED', status: 'DRAFT' })
    expect((await browse(desk, token)).text).toContain('Code from the text message')
    const form = { seen, name: ' 王会计 ', code: (await codeFor(desk, token)).replace(/(...)/, '$1 ') }
    expect(await browse(desk, `${token}/confirm`, form)).toMatchObject({ status: 302 })
    expect(await found(desk, id)).toMatchObject({
      ...{
        status: 'CHANNEL_CONFIRMED',
        confirmedName: '王会计',
        confirmedVia: 'LINK',
        confirmedBy: null,
        digest: seen,
      },
      ...{ linkState: 'USED', confirmedAt: '2026-05-02T02:00:00Z' },
    })
    expect((await browse(desk, token)).text).toContain('王会计 confirmed this statement')
    // The code is gone with it.
    expect(await browse(desk, `${token}/confirm`, form)).toMatchObject({
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
    expect(await step(desk.keeper, id, 'approve')).toMatchObject({ code: 4006 })
    expect(await step(desk.finance, id, 'approve')).toMatchObject({ code: 0 })
  })

  test('is decided on by nobody who had entered the phone its code went to, and it says who that was', async () => {
    const id = await draft(desk)
    const of = query().selectFrom('settlement_statement').select('partner_id').where('id', '=', id)
    const entering = (by: Caller) =>
      query().updateTable('partner').set({ contact_by: by.id }).where('id', 'in', of).execute()
    await entering(desk.finance)
    const token = await sent(desk, id)
    const seen = await seenAt(desk, token)
    await browse(desk, `${token}/code`, { seen })
    const code = await codeFor(desk, token)
    // Whoever enters another phone after the code has left changes nothing about it.
    await entering(desk.keeper)
    expect(await browse(desk, `${token}/confirm`, { seen, name: 'Wang', code })).toMatchObject({ status: 302 })
    expect(await found(desk, id)).toMatchObject({ contactBy: desk.finance.id, linkBy: desk.keeper.id })
    expect(await step(desk.finance, id, 'approve')).toMatchObject({ code: 4006, msg: expect.stringContaining('phone') })
    const against = query()
      .updateTable('settlement_statement')
      .set({ approved_by: desk.finance.id, status: 'APPROVED' })
    await expect(against.where('id', '=', id).execute()).rejects.toThrow('settlement_statement_contact')
    const third = await person(desk.instance, { grants: { [PAGE]: ['list', 'detail', 'approve'] } })
    expect(await step(third, id, 'approve')).toMatchObject({ code: 0 })
  })

  test('says in its timeline when a code was asked for and from where, and when one was spoilt by guessing', async () => {
    const id = await draft(desk)
    const token = await sent(desk, id)
    const seen = await seenAt(desk, token)
    await browse(desk, `${token}/code`, { seen }, '192.0.2.30')
    const wrong = other(await codeFor(desk, token))
    const told = async () => {
      const lines = query().selectFrom('operation_log').select(['action', 'actor_id', 'address']).orderBy('id')
      const all = await lines.where('page', '=', PAGE).where('record_id', '=', id).execute()
      return all.filter(({ action }) => action !== 'sendLink')
    }
    const asked = { action: 'askCode', actor_id: null, address: '192.0.2.30' }
    for (let tries = 0; tries < 4; tries += 1)
      await browse(desk, `${token}/confirm`, { seen, name: 'Wang', code: wrong })
    expect(await told()).toEqual([asked])
    for (let tries = 0; tries < 3; tries += 1)
      await browse(desk, `${token}/confirm`, { seen, name: 'Wang', code: wrong }, '192.0.2.31')
    expect(await told()).toEqual([asked, { action: 'spoilCode', actor_id: null, address: '192.0.2.31' }])
  })

  test('takes a wrong code five times, and then no code at all', async () => {
    const id = await draft(desk)
    const token = await sent(desk, id)
    const seen = await seenAt(desk, token)
    await browse(desk, `${token}/code`, { seen })
    const code = await codeFor(desk, token)
    for (const left of ['4 tries', '3 tries', '2 tries', '1 try', '0 tries'])
      expect(await browse(desk, `${token}/confirm`, { seen, name: 'Wang', code: other(code) })).toMatchObject({
        status: 422,
        text: expect.stringContaining(left),
      })
    expect(await browse(desk, `${token}/confirm`, { seen, name: 'Wang', code })).toMatchObject({
      status: 429,
      text: expect.stringContaining('too often'),
    })
    expect(await found(desk, id)).toMatchObject({ status: 'DRAFT' })
    // Another code, a minute later, is good again.
    expect(await browse(desk, `${token}/code`, { seen })).toMatchObject({ status: 429 })
    desk.instance.clock.forward(60_000)
    await browse(desk, `${token}/code`, { seen })
    expect(
      await browse(desk, `${token}/confirm`, { seen, name: 'Wang', code: await codeFor(desk, token) }),
    ).toMatchObject({
      status: 302,
    })
  })

  test('a form with too few digits or no name is told so, and is no try', async () => {
    const token = await sent(desk, await draft(desk))
    const seen = await seenAt(desk, token)
    await browse(desk, `${token}/code`, { seen })
    for (const form of [
      { name: 'Wang', code: '12' },
      { name: ' ', code: '123456' },
      { name: '\n\u0000 ', code: '123456' },
    ])
      expect((await browse(desk, `${token}/confirm`, { seen, ...form })).status).toBe(422)
    const link = query()
      .selectFrom('statement_link')
      .select('tries')
      .where('id', '=', linkIn(desk.instance.app, token) ?? '')
    expect(await link.executeTakeFirstOrThrow()).toEqual({ tries: 0 })
  })

  test('by a code of another link, or an older one, is not confirmed', async () => {
    const [one, two] = [await sent(desk, await draft(desk)), await sent(desk, await draft(desk))]
    const [seenOne, seenTwo] = [await seenAt(desk, one), await seenAt(desk, two)]
    await browse(desk, `${one}/code`, { seen: seenOne })
    await browse(desk, `${two}/code`, { seen: seenTwo })
    const [codeOne, codeTwo] = [await codeFor(desk, one), await codeFor(desk, two)]
    if (codeOne !== codeTwo)
      expect(await browse(desk, `${two}/confirm`, { seen: seenTwo, name: 'Wang', code: codeOne })).toMatchObject({
        status: 422,
      })
    desk.instance.clock.forward(60_000)
    await browse(desk, `${two}/code`, { seen: seenTwo })
    if ((await codeFor(desk, two)) !== codeTwo)
      expect(await browse(desk, `${two}/confirm`, { seen: seenTwo, name: 'Wang', code: codeTwo })).toMatchObject({
        status: 422,
      })
  })

  test('that changed since it was looked at is shown anew, and not confirmed', async () => {
    const id = await draft(desk)
    const token = await sent(desk, id)
    const seen = await seenAt(desk, token)
    await browse(desk, `${token}/code`, { seen })
    const code = await codeFor(desk, token)
    expect(await step(desk.keeper, id, 'reckon')).toMatchObject({ code: 0 })
    expect(await found(desk, id)).toMatchObject({ linkState: 'ASKED' })
    expect(await step(desk.keeper, id, 'deduct', { amountFen: 100, reason: '素材违规' })).toMatchObject({ code: 0 })
    // The code the partner has is for what it was: the statement says that none is.
    expect(await found(desk, id)).toMatchObject({ linkState: 'SENT' })
    const told = await browse(desk, `${token}/confirm`, { seen, name: 'Wang', code })
    expect(told).toMatchObject({ status: 409, text: expect.stringContaining('has changed since') })
    expect(told.text).toContain('¥9.00')
    const fresh = seenIn(told.text)
    expect(fresh).not.toBe(seen)
    // The old code is for what it was.
    expect(await browse(desk, `${token}/confirm`, { seen: fresh, name: 'Wang', code })).toMatchObject({ status: 409 })
    expect(await found(desk, id)).toMatchObject({ status: 'DRAFT' })
  })

  test('goes back to a draft with finance, and its link with it', async () => {
    const id = await draft(desk)
    const token = await sent(desk, id)
    const seen = await seenAt(desk, token)
    await browse(desk, `${token}/code`, { seen })
    await browse(desk, `${token}/confirm`, { seen, name: 'Wang', code: await codeFor(desk, token) })
    expect(await step(desk.finance, id, 'reject', { reason: '金额不符' })).toMatchObject({ code: 0 })
    expect(await found(desk, id)).toMatchObject({
      status: 'DRAFT',
      linkState: 'NONE',
      confirmedVia: null,
      digest: null,
    })
    expect(await browse(desk, token)).toMatchObject({ status: 410 })
  })

  test('by many at once with the right code is confirmed by one of them', async () => {
    const id = await draft(desk)
    const token = await sent(desk, id)
    const seen = await seenAt(desk, token)
    await browse(desk, `${token}/code`, { seen })
    const code = await codeFor(desk, token)
    const many = Array.from({ length: IS_LONG ? 200 : 20 }, (_, at) =>
      insistently(desk, `${token}/confirm`, { seen, name: `Wang ${at}`, code }),
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
    const token = await sent(desk, await draft(desk))
    const seen = await seenAt(desk, token)
    await browse(desk, `${token}/code`, { seen })
    const wrong = other(await codeFor(desk, token))
    const guesses = Array.from({ length: IS_LONG ? 200 : 20 }, () =>
      insistently(desk, `${token}/confirm`, { seen, name: 'X', code: wrong }),
    )
    const answers = (await Promise.all(guesses)).map(({ status }) => status)
    expect(answers.filter(status => status === 422)).toHaveLength(5)
  })
})
