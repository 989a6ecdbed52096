import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import {
  browse,
  draft,
  found,
  openPartnerDesk,
  type PartnerDesk,
  seenIn,
  sent,
} from '../../../../../tools/testing/partner-desk.ts'
import { tokenOf } from '../token.server.ts'

const DAY_MS = 86_400_000

let desk: PartnerDesk
beforeAll(async () => {
  desk = await openPartnerDesk()
})
afterAll(async () => expect(await findBroken(desk.instance.app.db, desk.instance.catalogue)).toEqual([]))

describe("a partner's page", () => {
  test('shows its own statement in plain words, phones masked, and loads and runs nothing', async () => {
    const id = await draft(desk)
    const token = await sent(desk, id)
    const { status, text, headers } = await browse(desk, token)
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

  test('tells on a phone too what each line came to: every cell knows its head', async () => {
    const { text } = await browse(desk, await sent(desk, await draft(desk)))
    expect(text).toContain('<td data-head="Result">')
    expect(text).toContain('<td class="figure" data-head="Settled (¥)">')
    // A phone has no room for eight columns.
    expect(text).toMatch(/@media \(max-width: 600px\) \{[^}]*td::before \{ content: attr\(data-head\)/)
  })

  test('is in the language of whoever opens it', async () => {
    const token = await sent(desk, await draft(desk))
    const inLanguage = async (wish: string) =>
      (await desk.instance.http.inject({ url: `/api/partner/${token}`, headers: { 'accept-language': wish } })).body
    expect(await inLanguage('pt-PT,pt;q=0.9')).toContain('<html lang="pt-BR">')
    expect(await inLanguage('fr-FR,zh-HK;q=0.8')).toContain('<html lang="zh-TW">')
    expect(await inLanguage('ja')).toContain('<html lang="zh-CN">')
  })

  test('writes money and figures as its language does, in every place', async () => {
    const id = await draft(desk)
    const token = await sent(desk, id)
    const { query } = desk.instance.app.db
    await query.updateTable('settlement_line').set({ amount_fen: '123456' }).where('statement_id', '=', id).execute()
    await query
      .updateTable('settlement_event')
      .set({ worth_fen: '123456' })
      .where(
        'id',
        'in',
        one => one.selectFrom('settlement_line').select('event_id').where('statement_id', '=', id) as never,
      )
      .execute()
    await query.updateTable('settlement_statement').set({ total_fen: '123456' }).where('id', '=', id).execute()
    const seen = async (wish: string) =>
      (await desk.instance.http.inject({ url: `/api/partner/${token}`, headers: { 'accept-language': wish } })).body
    await browse(desk, `${token}/code`, { seen: seenIn(await seen('pt')) })
    const [portuguese, english] = [await seen('pt'), await seen('en')]
    const money = (text: string) => [...text.matchAll(/¥?\d[\d.,]*[.,]\d\d(?!\d)/g)].map(([found]) => found)
    expect([...new Set(money(portuguese))].sort()).toEqual(['1.234,56', '¥0,00', '¥1.234,56'])
    expect([...new Set(money(english))].sort()).toEqual(['1,234.56', '¥0.00', '¥1,234.56'])
  })

  test('changes nothing, however often it is looked at', async () => {
    const id = await draft(desk)
    const token = await sent(desk, id)
    const before = await found(desk, id)
    for (let look = 0; look < 3; look += 1) expect((await browse(desk, `${token}?from=mail`)).status).toBe(200)
    expect(await found(desk, id)).toEqual(before)
  })

  test('opens for nobody who made up, bent or guessed a link', async () => {
    const token = await sent(desk, await draft(desk))
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
      const { status, text } = await browse(desk, encodeURIComponent(wrong))
      expect({ wrong, status }).toEqual({ wrong, status: 404 })
      expect(text).toContain('The link is incomplete or wrong')
    }
    const posted = await browse(desk, `${bent[0]}/code`, { seen: 'a'.repeat(64) })
    expect(posted).toMatchObject({ status: 404, text: expect.stringContaining('The link is incomplete or wrong') })
  })

  test('of a link signed by us that nobody was sent says the same', async () => {
    const token = tokenOf(desk.instance.app, '999999', new Date(desk.instance.clock.now().getTime() + DAY_MS))
    expect(await browse(desk, token)).toMatchObject({ status: 404 })
  })

  test('says on a page of its own what it cannot read, and when somebody comes too often', async () => {
    const token = await sent(desk, await draft(desk))
    const unread = await browse(desk, `${token}/confirm`, { seen: 'no digest', surprise: '1' })
    expect(unread.status).toBe(422)
    expect(unread.headers['content-type']).toBe('text/html; charset=utf-8')
    const look = () => browse(desk, token, undefined, '192.0.2.9')
    expect(await look()).toMatchObject({ status: 200 })
    await desk.instance.app.db.query
      .updateTable('attempt_gate')
      .set({ attempts: 60 })
      .where('kind', '=', 'partner-page')
      .execute()
    const shut = await look()
    expect(shut).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
    expect(shut.text).toContain('<html lang="en-US">')
  })
})
