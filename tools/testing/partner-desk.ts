import { expect } from 'vitest'
import type { Statement } from '../../src/areas/channel/statement/model.ts'
import { sourceOf } from '../../src/areas/channel/statement/source.server.ts'
import { linkIn } from '../../src/areas/channel/statement/token.server.ts'
import { unseal } from '../../src/areas/system/message/writing.server.ts'
import { PHONES, phoneAt } from '../../src/demo/builders.server.ts'
import { periodOf } from '../../src/engines/settlement/period.model.ts'
import { openStatement, reckon } from '../../src/engines/settlement/server.ts'
import { ownChange } from '../../src/kit/server/change/operation.ts'
import { type Caller, insist, openTestInstance, person, stoppedClock, type TestInstance } from './instance.ts'

const PATH = '/channel/statement'
export const PAGE = 'channelCpa'

/** Who sends partners links to their statements, and who decides on what comes of it. */
export type PartnerDesk = { readonly instance: TestInstance; readonly keeper: Caller; readonly finance: Caller }

/** What is sent stays where it can be read; and several write at once, or nobody would meet anybody. */
export async function openPartnerDesk(): Promise<PartnerDesk> {
  const instance = await openTestInstance({
    clock: stoppedClock(new Date('2026-05-02T02:00:00Z')),
    isSending: false,
    connections: 32,
    waitMs: 60_000,
  })
  const keeps = ['list', 'detail', 'sendLink', 'reckon', 'approve', 'deduct']
  return {
    instance,
    keeper: await person(instance, { grants: { [PAGE]: keeps } }),
    finance: await person(instance, { grants: { [PAGE]: ['list', 'detail', 'approve', 'reject'] } }),
  }
}

let nth = 0

/** A draft of last month with one registration on it, of a partner who can be reached. */
export async function draft(
  { instance: { app }, keeper, finance }: PartnerDesk,
  contact: { phone?: string | null; email?: string | null } = {},
): Promise<string> {
  nth += 1
  const { query } = app.db
  const { phone = phoneAt(PHONES.test + 70_000 + nth), email = 'settle@example.com' } = contact
  const { id } = await query
    .insertInto('partner')
    .values({
      platform: 'WEB',
      ...{ name: `合作方${nth}`, company: `<b>公司${nth}</b>`, channel: `LINKED_${nth}` },
      ...{ contact_name: '王会计', contact_phone: phone, contact_email: email },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await query
    .insertInto('settlement_price')
    .values({
      kind: 'REGISTERED',
      status: 'APPROVED',
      ...{ partner_id: id, price_fen: 1_000, valid_from: '2026-01-01', freeze_days: 0, reason: '测试' },
      ended_at: '2026-01-01T00:00:00Z',
      ...{ applicant_id: keeper.id, l1_by: finance.id },
    })
    .execute()
  await query
    .insertInto('member')
    .values({
      ...{ name: '林小满', phone: phoneAt(PHONES.test + 75_000 + nth), source: 'APP', channel: `LINKED_${nth}` },
      created_at: '2026-04-05T10:00:00+08:00',
    })
    .execute()
  return insist(() =>
    app.db.write(async tx => {
      const change = ownChange(app, tx, app.clock.now(), 'test')
      const statement = await openStatement(change, id, periodOf('2026-04-15'))
      await reckon(change, sourceOf(app), statement)
      return statement.id
    }),
  )
}

export const step = (by: Caller, id: string, name: string, body: object = {}) => by.post(`${PATH}/${id}/${name}`, body)
export const found = async ({ keeper }: PartnerDesk, id: string) => (await keeper.get<Statement>(`${PATH}/${id}`)).data

/** The token a partner was sent last, as it stands in the message. */
export async function sent({ instance: { app }, keeper }: PartnerDesk, id: string): Promise<string> {
  expect(await step(keeper, id, 'sendLink')).toMatchObject({ code: 0 })
  const { about, body } = await app.db.query
    .selectFrom('message')
    .select(['about', 'body'])
    .where('about', 'like', 'statement-link:%')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const token = /\/partner\/([\w-]+)/.exec(body)?.[1] ?? ''
  expect(about).toBe(`statement-link:${linkIn(app, token)}`)
  return token
}

let callers = 0

/** Somebody's browser, each time another one unless told. */
export async function browse(
  { instance }: PartnerDesk,
  url: string,
  form?: Record<string, string>,
  address?: string,
): Promise<{ status: number; text: string; headers: Readonly<Record<string, unknown>> }> {
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
export async function insistently(desk: PartnerDesk, url: string, form: Record<string, string>) {
  for (;;) {
    const answer = await browse(desk, url, form)
    if (answer.status !== 503) return answer
  }
}

export const seenIn = (text: string): string => /name="seen" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? ''
export const seenAt = async (desk: PartnerDesk, token: string) => seenIn((await browse(desk, token)).text)

/** The code the contact was sent last: it stands nowhere but in what is to be sent. */
export async function codeFor({ instance: { app } }: PartnerDesk, token: string): Promise<string> {
  const { sealed, body, filled } = await app.db.query
    .selectFrom('message')
    .select(['sealed', 'body', 'filled'])
    .where('about', 'like', `statement-code:${linkIn(app, token)}:%`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect({ body, filled }).toEqual({ body: '', filled: null })
  return unseal(app, sealed as Buffer).filled.code ?? ''
}
