import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { CODE_DIGITS } from '../src/areas/channel/statement/partner-page/link.model.ts'
import { addDays, dayOf } from '../src/kit/model/time.ts'
import { keyedDigest } from '../src/kit/server/access/seal.ts'
import { keptSecret } from '../src/kit/server/process/kept-secret.ts'
import { call, dialog, hindrances, list, openAs, question, tokenOf } from './console.ts'
import { openDatabase } from './database.ts'

type Statement = {
  id: string
  statementNo: string
  status: string
  totalFen: number
  counted: number
  confirmedVia: string | null
  confirmedName: string | null
  transferNo: string | null
}
type Message = { id: string; title: string; body: string }

let database: pg.Client
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.end())

const today = dayOf(new Date())
/** The month that is over. */
const lastMonth = addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)

/** A channel people came by last month for whom nobody is paid. */
async function freeChannel(): Promise<string> {
  const { rows } = await database.query<{ channel: string }>(
    `select m.channel from member m
     where to_char(m.created_at at time zone 'Asia/Shanghai', 'YYYY-MM') = $1
       and not exists (select from partner p where p.channel = m.channel)
       and not exists (select from school_teacher t where t.channel = m.channel)
       and not exists (select from settlement_event e where e.member_id = m.id and e.kind = 'REGISTERED')
     group by 1 order by count(*) desc limit 1`,
    [lastMonth],
  )
  expect(rows).toHaveLength(1)
  return String(rows[0]?.channel)
}

/** A partner who is reached by mail and telephone. */
async function partner(): Promise<{ id: string; name: string }> {
  const name = `合作方 ${Date.now()}`
  const body = {
    ...{ name, company: `${name}有限公司`, channel: await freeChannel(), platform: 'WEB', packageName: null, note: '' },
    ...{ contactName: 'Wang Li', contactPhone: '138 0013 8123', contactEmail: 'settle@partner.example' },
  }
  const { id } = await call<{ id: string }>('POST', '/channel/app-channel', body, await tokenOf('operations'))
  return { id, name }
}

/** The code the contact was sent: the telephone is not ours, so the one that fits its digest is looked for. */
async function codeOf(statementId: string): Promise<string> {
  const { rows } = await database.query<{ id: string; codes: number; digest: Buffer }>(
    `select id, codes, code_digest as digest from statement_link
     where statement_id = $1 and ended_at is null and code_digest is not null`,
    [statementId],
  )
  const [link] = rows
  if (!link) throw new Error('no code was asked for')
  const secret = { CODE_SECRET: process.env.CODE_SECRET ?? (await keptSecret(inject('dataDir'), 'code-secret')) }
  for (let number = 0; number < 10 ** CODE_DIGITS; number += 1) {
    const code = String(number).padStart(CODE_DIGITS, '0')
    if (keyedDigest(secret, 'statement-code', `${link.id} ${link.codes} ${code}`).equals(link.digest)) return code
  }
  throw new Error('no code fits')
}

const statementOf = async (partnerId: string) =>
  (await list<Statement>('finance-cashier', `/channel/statement?partnerId=${partnerId}`))[0]

test('from a price somebody asks for and another agrees to, a month is settled, confirmed by the partner with a code, approved and paid', async () => {
  const { id: partnerId, name } = await partner()
  const asked = {
    ...{ partnerId, kind: 'REGISTERED', priceFen: 1_200, sharePermille: null, windowDays: null, freezeDays: 0 },
    ...{ monthlyCap: null, deductionPermille: 0, validFrom: addDays(today, 1), reason: '首次合作' },
  }
  const price = await call<{ id: string }>('POST', '/channel/price', asked, await tokenOf('operations'))

  const manager = await openAs('operations-manager', `/operate/channelPer?open=${price.id}`)
  await dialog(manager)
    .getByRole('button', { name: /^Approve/ })
    .click()
  await question(manager)
    .getByRole('button', { name: /^Approve/ })
    .click()
  await manager.getByText('Price approved').first().waitFor()
  // Nobody here can wait until a month has gone by: it is as if that had been agreed to before the last one.
  await database.query('update settlement_price set valid_from = $2 where id = $1', [price.id, `${lastMonth}-01`])

  const [job] = await list<{ id: string }>('admin', '/system/schedule-job?query=open-statements')
  await call('POST', `/system/schedule-job/${job?.id}/runNow`, {}, await tokenOf('admin'))
  await expect.poll(async () => (await statementOf(partnerId))?.status, { timeout: 60_000 }).toBe('DRAFT')
  const draft = (await statementOf(partnerId)) as Statement
  expect(draft.counted).toBeGreaterThan(0)
  expect(draft.totalFen).toBe(draft.counted * 1_200)

  const at = `/operate/channelCpa/${draft.id}`
  const keeper = await openAs('operations', at)
  await keeper.getByText(name).first().waitFor()
  await keeper.getByRole('button', { name: 'Calculate again' }).first().click()
  await question(keeper).getByRole('button', { name: 'Calculate again' }).click()
  await keeper.getByText('Calculated again: the total is still', { exact: false }).first().waitFor()
  await keeper.getByRole('button', { name: 'Send link' }).first().click()
  await question(keeper)
    .getByRole('button', { name: /Send link/ })
    .click()
  const newest = () => list<Message>('admin', '/system/message?kind=NOTICE&channel=EMAIL&sort=createdAt:desc')
  const sent = async () => (await newest()).find(({ title }) => title.includes(draft.statementNo))
  await expect.poll(sent, { timeout: 30_000 }).toBeTruthy()
  const { body } = await call<Message>(
    'GET',
    `/system/message/${(await sent())?.id}`,
    undefined,
    await tokenOf('admin'),
  )
  const token = /\/partner\/([\w-]+)/.exec(body)?.[1]
  expect(await hindrances(keeper)).toEqual([])

  const partnerPage = await openAs('auditor')
  // Nobody has signed in there: its words are those the browser asks for.
  await partnerPage.setExtraHTTPHeaders({ 'accept-language': 'en-US' })
  await partnerPage.goto(`${inject('consoleUrl')}/api/partner/${token}`)
  await partnerPage.getByRole('heading', { name: `Statement for ${lastMonth}` }).waitFor()
  await partnerPage.getByRole('button', { name: 'Send me a code' }).click()
  await partnerPage.getByLabel('Your name').fill('Wang Li')
  await partnerPage.getByLabel('Code from the text message').fill(await codeOf(draft.id))
  await partnerPage.getByRole('button', { name: /^Confirm/ }).click()
  await partnerPage.getByRole('heading', { name: 'Confirmed' }).waitFor()
  expect(await hindrances(partnerPage)).toEqual([])
  expect(await statementOf(partnerId)).toMatchObject({
    ...{ status: 'CHANNEL_CONFIRMED', confirmedVia: 'LINK', confirmedName: 'Wang Li', totalFen: draft.totalFen },
  })

  const finance = await openAs('finance', at)
  await finance
    .getByRole('button', { name: /^Approve/ })
    .first()
    .click()
  await question(finance)
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect.poll(async () => (await statementOf(partnerId))?.status, { timeout: 30_000 }).toBe('APPROVED')

  const cashier = await openAs('finance-cashier', at)
  await cashier
    .getByRole('button', { name: /^Record payment/ })
    .first()
    .click()
  const transferNo = `${today.replaceAll('-', '')}00077`
  await question(cashier).getByLabel('Transfer no.').fill(transferNo)
  await question(cashier)
    .getByRole('button', { name: /^Record payment/ })
    .click()
  await expect
    .poll(() => statementOf(partnerId), { timeout: 30_000 })
    .toMatchObject({ status: 'PAID', transferNo, totalFen: draft.totalFen })
})
