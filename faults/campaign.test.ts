import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { campaignBody, marketingTemplate, memberWho } from '../tools/testing/campaigns.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { Processes } from '../tools/testing/process.ts'
import type { Settings } from '../tools/testing/program.ts'
import { putInForce } from '../tools/testing/settings.ts'

const PATH = '/members/campaign'
const NUMBERS = IS_LONG ? 10_000 : 200
const PATIENCE_MS = 180_000

/** A provider that sends every message it is asked for, and in three of ten cases answers nothing of use. */
async function gateway() {
  const sent: string[] = []
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://x').searchParams
    if (request.headers['x-acs-action'] === 'QuerySendDetails')
      return response.end(JSON.stringify({ Code: 'OK', SmsSendDetailDTOs: { SmsSendDetailDTO: [] } }))
    sent.push(String(asked.get('PhoneNumbers')))
    const nth = sent.length % 20
    if (nth < 3) return request.socket.destroy()
    if (nth < 6) return response.writeHead(504).end('Gateway Time-out')
    const refused = { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: 'limit' }
    response.end(JSON.stringify(nth === 6 ? refused : { Code: 'OK', BizId: 'B' }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { sent, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('a campaign whose provider times out after sending, and whose server is killed in the middle', () => {
  const processes = new Processes()
  let settings: Settings
  let keeper: TestInstance
  let author: Caller
  let sms: Awaited<ReturnType<typeof gateway>>
  let id: string

  beforeAll(async () => {
    sms = await gateway()
    const keys = { SMS_URL: sms.url, SMS_KEY_ID: 'ID', SMS_SECRET: 'SECRET', SMS_SIGN_NAME: '砚台' }
    settings = await processes.settings({ SEED: 'none', LOG_LEVEL: 'error', ...keys })
    // What this one would send, nobody could kill.
    keeper = await openTestInstance({ url: settings.DATABASE_URL as string, env: keys, isSending: false })
    author = await person(keeper, { grants: { 'member-message': ['list', 'detail', 'create', 'schedule'] } })
    for (const key of ['message.quietFrom', 'message.quietUntil']) await putInForce(keeper, key, 0)
    await putInForce(keeper, 'campaign.approvalFen', 10_000_000)
    const template = await marketingTemplate(keeper, author)
    const phones: string[] = []
    for (let nth = 0; nth < NUMBERS; nth += 1) phones.push((await memberWho(keeper, 'GIVEN')).phone)
    id = (await author.post<{ id: string }>(PATH, campaignBody(template, phones))).data.id
    expect((await author.post(`${PATH}/${id}/schedule`, { startAt: null })).code).toBe(0)
  }, 600_000)
  afterAll(async () => {
    sms.server.closeAllConnections()
    sms.server.close()
    await processes.end()
  })

  test(
    'sends no number twice, and each ends as sent, failed or unknown',
    async () => {
      const server = processes.mortal(settings)
      await server.start()
      for (const until = Date.now() + PATIENCE_MS; sms.sent.length < NUMBERS / 3 && Date.now() < until; )
        await sleep(10)
      await server.kill()
      const before = sms.sent.length
      expect(before).toBeGreaterThanOrEqual(NUMBERS / 3)
      expect(before).toBeLessThan(NUMBERS)
      // Another goes on, once what the dead one held is nobody's any more.
      keeper.clock.set(new Date(Date.now() + 120_000))
      for (let passed = 0; passed < NUMBERS; passed += 50) {
        await keeper.outbox.run()
        keeper.clock.forward(5_000)
      }
      await keeper.outbox.run()
      expect(sms.sent.length - new Set(sms.sent).size).toBe(0)
      const { query } = keeper.app.db
      const rows = await query.selectFrom('campaign_number').select(['phone', 'status']).execute()
      const states = new Set(rows.map(({ status }) => status))
      expect([...states].sort()).toEqual(['FAILED', 'SENT', 'UNKNOWN'])
      expect(rows).toHaveLength(NUMBERS)
      // Whoever was not written to is at most the one the dead server had just taken up: nobody knows whether it left.
      const unsent = rows.filter(({ phone }) => !sms.sent.includes(phone))
      expect(unsent.every(({ status }) => status === 'UNKNOWN')).toBe(true)
      expect(unsent.length).toBeLessThanOrEqual(1)
      expect(await query.selectFrom('campaign').select('status').execute()).toEqual([{ status: 'DONE' }])
      expect(await findBroken(keeper.app.db, keeper.catalogue)).toEqual([])
    },
    4 * PATIENCE_MS,
  )
})
