import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { browse, draft, openPartnerDesk, type PartnerDesk, sent, step } from '../../../../tools/testing/partner-desk.ts'
import { MOST_LINKS_A_DAY } from './model.ts'

const DAY_MS = 86_400_000

let desk: PartnerDesk
beforeAll(async () => {
  desk = await openPartnerDesk()
})
afterAll(async () => expect(await findBroken(desk.instance.app.db, desk.instance.catalogue)).toEqual([]))
const last = () =>
  desk.instance.app.db.query.selectFrom('message').select(['channel', 'email', 'body']).orderBy('id', 'desc').limit(1)

describe('a link to a statement', () => {
  test('is over with its time, and with the next link', async () => {
    const id = await draft(desk)
    const first = await sent(desk, id)
    const second = await sent(desk, id)
    expect(await browse(desk, first)).toMatchObject({ status: 410, text: expect.stringContaining('no longer valid') })
    expect(await browse(desk, second)).toMatchObject({ status: 200 })
    const begun = desk.instance.clock.now()
    desk.instance.clock.forward(14 * DAY_MS)
    expect(await browse(desk, second)).toMatchObject({ status: 410, text: expect.stringContaining('has expired') })
    desk.instance.clock.set(begun)
  })

  test('is sent to no partner without a phone; without mail it goes by text message', async () => {
    expect(await step(desk.keeper, await draft(desk, { phone: null }), 'sendLink')).toMatchObject({ code: 4006 })
    await sent(desk, await draft(desk, { email: null }))
    expect(await last().executeTakeFirstOrThrow()).toMatchObject({ channel: 'SMS', email: null })
  })

  test('is sent three times a day and no more, also by many at once, and on the next day again', async () => {
    const id = await draft(desk)
    const many = Array.from({ length: 8 }, () => step(desk.keeper, id, 'sendLink'))
    const codes = (await Promise.all(many)).map(({ code }) => code)
    expect(codes.filter(code => code === 0)).toHaveLength(MOST_LINKS_A_DAY)
    const words = expect.stringContaining('3 times today')
    expect(await step(desk.keeper, id, 'sendLink')).toMatchObject({ code: 4006, msg: words })
    // Of another statement as before.
    await sent(desk, await draft(desk))
    // As if those had been sent the day before.
    const { query } = desk.instance.app.db
    const sentAt = new Date(desk.instance.clock.now().getTime() - DAY_MS)
    await query.updateTable('statement_link').set({ sent_at: sentAt }).where('statement_id', '=', id).execute()
    await sent(desk, id)
  })

  test('is not sent by mail while nobody outside could open it, and it is said what to set', async () => {
    const { env } = desk.instance.app
    const id = await draft(desk)
    try {
      Object.assign(env, { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'school@example.com' })
      const words = expect.stringContaining('PARTNER_URL')
      expect(await step(desk.keeper, id, 'sendLink')).toMatchObject({ code: 4006, msg: words })
      Object.assign(env, { PARTNER_URL: 'https://settle.example/partner' })
      await sent(desk, id)
      expect((await last().executeTakeFirstOrThrow()).body).toContain('https://settle.example/partner/')
    } finally {
      Object.assign(env, { SMTP_URL: undefined, MAIL_FROM: undefined, PARTNER_URL: undefined })
    }
  })
})
