import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NotReached, type Reported } from '#engines/platform/port.server.ts'
import { formSignature } from '#engines/platform/xiaohongshu-forms.server.ts'
import type { RowOf } from '#kit/model/resource.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  insist,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { simulatedForms } from '../../../engines/platform/simulator.server.ts'
import { type LeadForm, type resource, whyNotCallBack } from './model.ts'
import { events } from './server.ts'

type Form = RowOf<typeof resource>

const PATH = '/traffic/lead-form'
const TOKEN = 'landing-page-token'
const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
const MAY = ['list', 'detail', 'assign', 'callBack', 'confirmSent', 'callBackAgain', 'reveal']

let instance: TestInstance
let clerk: Caller
let seller: Caller
beforeAll(async () => {
  instance = await openTestInstance({ clock, env: { XIAOHONGSHU_FORM_TOKEN: TOKEN } })
  const grants = { redBookForm: MAY, 'sale-salvage': ['list', 'detail', 'assign', 'contact'] }
  clerk = await person(instance, { grants, scope: 'ALL' })
  seller = await person(instance, {
    scope: 'SELF',
    grants: {
      redBookForm: ['list', 'detail', 'own'],
      'member-list': ['list', 'own'],
      'sale-salvage': ['list', 'contact'],
    },
  })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

let counter = PHONES.test + 80_000
const newPhone = () => {
  counter += 1
  return phoneAt(counter)
}

/** As the landing page tells it. */
async function push(form: Readonly<Record<string, unknown>>, token = TOKEN) {
  const body = Buffer.from(JSON.stringify(form))
  const answer = await instance.http.inject({
    method: 'POST',
    url: '/api/open/v1/xiaohongshu/lead-forms',
    headers: { 'content-type': 'application/json', 'x-red-signature': formSignature(token, body) },
    payload: body,
  })
  await instance.inbox.sweep()
  return answer.statusCode
}
const formOf = async (formNo: string) =>
  (await clerk.get<{ records: Form[] }>(`${PATH}?query=${formNo}`)).data.records[0] as Form
const leadsOf = (phone: string) =>
  instance.app.db.query
    .selectFrom('lead')
    .select(['id', 'status', 'owner_id', 'channel', 'came_by'])
    .where('phone', '=', phone)
    .execute()
/** A form whose person was spoken with. */
async function spoken(formNo: string): Promise<Form> {
  const phone = newPhone()
  await push({ leads_id: formNo, phone, campaign_id: 'C1' })
  const { id } = await formOf(formNo)
  expect(await clerk.post(`${PATH}/${id}/assign`, { newOwnerId: seller.id })).toMatchObject({ code: 0 })
  const [lead] = await leadsOf(phone)
  const said = { contactKind: 'PHONE', content: '约好试听', level: null, nextAt: null, picture: [] }
  expect(await clerk.post(`/sales/salvage/${lead?.id}/contact`, said)).toMatchObject({ code: 0 })
  return formOf(formNo)
}

describe('a form the platform tells of', () => {
  test('makes a lead by the one door, however often it is told', async () => {
    const phone = newPhone()
    const form = {
      leads_id: 9_007_199_254_740,
      phone,
      name: '王妈妈',
      campaign_id: 'C9',
      fields: [{ title: '年级', value: '三年级' }],
    }
    expect([await push(form), await push(form)]).toEqual([200, 200])
    expect(await leadsOf(phone)).toMatchObject([{ status: 'UNASSIGNED', channel: 'XIAOHONGSHU_FORM', came_by: 'FORM' }])
    const stored = await formOf('9007199254740')
    expect(stored).toMatchObject({ isNew: true, followStatus: 'UNASSIGNED', campaign: 'C9', callBack: 'NONE' })
    expect(stored.answers).toEqual([{ question: '年级', answer: '三年级' }])
    expect(stored.phone).not.toBe(phone)
    const [lead] = await leadsOf(phone)
    expect((await clerk.get<Form>(`${PATH}/${stored.id}`)).data.leadId).toBe(lead?.id)
  })

  test('told ten times at once under ten names is one form, one lead and one touch', async () => {
    const phone = newPhone()
    const data = { formNo: 'at-once', kind: 'FORM', phone }
    const [event] = events
    await Promise.all(
      Array.from({ length: 10 }, (_, nth) =>
        insist(() =>
          instance.app.db.write(async tx =>
            event?.apply({ app: instance.app, tx, now: clock.now(), source: 'xiaohongshu', key: `name-${nth}` }, data),
          ),
        ),
      ),
    )
    const [lead, ...more] = await leadsOf(phone)
    expect(more).toEqual([])
    const touches = instance.app.db.query
      .selectFrom('lead_touch')
      .select('times')
      .where('lead_id', '=', lead?.id ?? '')
    expect(await touches.execute()).toEqual([{ times: 1 }])
    expect((await clerk.get<{ total: number }>(`${PATH}?query=at-once`)).data.total).toBe(1)
  })

  test('stands where it was submitted, however late the platform tells of it', async () => {
    const at = (instant: string) => Date.parse(instant)
    await push({ leads_id: 'order-2', phone: newPhone(), submit_time: at('2026-11-15T02:00:00Z') })
    await push({ leads_id: 'order-1', phone: newPhone(), submit_time: at('2026-11-14T02:00:00Z') })
    const { records } = (await clerk.get<{ records: Form[] }>(`${PATH}?query=order-`)).data
    expect(records.map(({ formNo }) => formNo)).toEqual(['order-2', 'order-1'])
  })

  test('of a number that has a lead is one more thing that lead came by', async () => {
    const phone = newPhone()
    await push({ leads_id: 'again-1', phone })
    await push({ leads_id: 'again-2', phone })
    expect(await leadsOf(phone)).toHaveLength(1)
    expect(await formOf('again-2')).toMatchObject({ isNew: false, followStatus: 'UNASSIGNED' })
  })

  test("of a member's number makes no lead, and says no more than that it is known", async () => {
    const memberId = await enrol(instance)
    const member = instance.app.db.query.selectFrom('member').select('phone').where('id', '=', memberId)
    const { phone } = await member.executeTakeFirstOrThrow()
    await push({ leads_id: 'of-member', phone })
    expect(await leadsOf(String(phone))).toEqual([])
    expect(await formOf('of-member')).toMatchObject({ isNew: false, followStatus: 'KNOWN', ownerId: null })
  })

  test('is not lost for what no database keeps, an emoji at the end of what is kept, a time no calendar has or a campaign without a name', async () => {
    const [phone, other, odd] = [newPhone(), newPhone(), newPhone()]
    const fields = [{ title: '\0', value: `${'字'.repeat(499)}😀` }]
    expect(await push({ leads_id: 'half', phone, name: `${'王'.repeat(49)}😀`, city: 'a\ud800', fields })).toBe(200)
    expect((await formOf('half')).answers).toEqual([{ question: '', answer: '字'.repeat(499) }])
    expect(await push({ leads_id: 'late', phone: other, submit_time: Number.MAX_SAFE_INTEGER, campaign_id: '' })).toBe(
      200,
    )
    expect(await push({ leads_id: 'early', phone: odd, submit_time: -62_135_596_800_001, page_name: '\0' })).toBe(200)
    for (const number of [phone, other, odd]) expect(await leadsOf(number)).toHaveLength(1)
    const late = await formOf('late')
    expect([late.campaign, new Date(late.submittedAt)]).toEqual([null, clock.now()])
  })

  test('not signed by the landing page is refused, and leaves nothing', async () => {
    const phone = newPhone()
    expect(await push({ leads_id: 'forged', phone }, 'another-token')).toBe(403)
    expect(await leadsOf(phone)).toEqual([])
  })
})

test('a form follows its lead into other hands, and whoever owns it sees it', async () => {
  const form = await spoken('follows')
  expect(form).toMatchObject({ ownerId: seller.id, followStatus: 'CONTACTED' })
  const own = await seller.get<{ records: LeadForm[] }>(PATH)
  expect(own.data.records.map(({ formNo }) => formNo)).toEqual(['follows'])
  expect(await clerk.post(`${PATH}/${form.id}/assign`, { newOwnerId: seller.id })).toMatchObject({ code: 4006 })
})

test('the platform is told only of who was spoken with, and within its seven days', () => {
  const form = { kind: 'FORM', followStatus: 'CONTACTED', submittedAt: '2026-11-10T00:00:00Z' } as const
  const at = (day: string) => ({ nowMs: Date.parse(day) })
  expect(whyNotCallBack(form, null, at('2026-11-16T00:00:00Z'))).toBeUndefined()
  expect(whyNotCallBack(form, null, at('2026-11-17T00:00:01Z'))?.code).toBe('too-late')
  expect(whyNotCallBack({ ...form, followStatus: 'ASSIGNED' }, null, at('2026-11-11T00:00:00Z'))?.code).toBe(
    'not-contacted',
  )
  expect(whyNotCallBack({ ...form, kind: 'MESSAGE' }, null, at('2026-11-11T00:00:00Z'))?.code).toBe('no-form')
})

describe('a report to the platform', () => {
  const answers = async (formNo: string, ...said: readonly (Reported | Error)[]) => {
    const form = await spoken(formNo)
    const asked: string[] = []
    const real = simulatedForms.reportValid
    Object.assign(simulatedForms, {
      reportValid: async (sent: { formNo: string }) => {
        const answer = said[asked.push(sent.formNo) - 1]
        if (answer instanceof Error) throw answer
        return answer
      },
    })
    try {
      expect(await clerk.post(`${PATH}/${form.id}/callBack`, {})).toMatchObject({ code: 0 })
      for (let round = 0; round < 3; round += 1) {
        await instance.outbox.run()
        clock.forward(60_000 * 5)
      }
    } finally {
      Object.assign(simulatedForms, { reportValid: real })
    }
    return { ...(await formOf(formNo)), times: asked.length }
  }

  test('is made once where the platform takes it', async () => {
    expect(await answers('taken', { state: 'SENT' })).toMatchObject({ callBack: 'SENT', times: 1 })
  })

  test('that the platform refuses says why, and may be made again by hand', async () => {
    const form = await answers('refused', { state: 'REFUSED', error: '线索不存在' })
    expect(form).toMatchObject({ callBack: 'FAILED', callBackError: '线索不存在', times: 1 })
    expect(form.steps.callBack).toBeNull()
  })

  test('that did not reach the platform is made again by itself', async () => {
    expect(await answers('unreached', new NotReached('no route'), { state: 'SENT' })).toMatchObject({
      callBack: 'SENT',
      times: 2,
    })
  })

  test('of which nobody knows whether it arrived is never made twice by itself: somebody looks and says so', async () => {
    const form = await answers('lost', new Error('the connection broke'), { state: 'SENT' })
    expect(form).toMatchObject({ callBack: 'UNKNOWN', times: 1 })
    expect(await clerk.post(`${PATH}/${form.id}/callBack`, {})).not.toMatchObject({ code: 0 })
    expect(await clerk.post(`${PATH}/${form.id}/confirmSent`, {})).toMatchObject({ code: 0 })
    expect(await formOf('lost')).toMatchObject({ callBack: 'SENT', callBackError: null })
  })
})
