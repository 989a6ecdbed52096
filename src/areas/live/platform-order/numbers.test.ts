import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { campaignBody, marketingTemplate } from '../../../../tools/testing/campaigns.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { download, readSheet } from '../../../../tools/testing/sheet.ts'
import { shopOf } from './platforms.server.ts'

const LIST = ['list', 'detail', 'export']
const SCREENS = { DOUYIN: 'dy-code', WECHAT_SHOP: 'channel-order', XIAOHONGSHU: 'xhs-order' } as const

let instance: TestInstance
let desk: Caller
let templateId: string
beforeAll(async () => {
  instance = await openTestInstance()
  const screens = Object.fromEntries(Object.values(SCREENS).map(screen => [screen, LIST]))
  desk = await person(instance, {
    grants: { ...screens, 'sale-salvage': LIST, 'member-message': ['list', 'detail', 'create', 'approve'] },
  })
  templateId = await marketingTemplate(instance, desk)
})

test('a number that only forwards makes nobody the buyer who has it by now, also where the refund names it again', async () => {
  const memberId = await enrol(instance)
  const member = instance.app.db.query.selectFrom('member').select('phone').where('id', '=', memberId)
  const phone = String((await member.executeTakeFirstOrThrow()).phone)
  const at = new Date(instance.clock.now().getTime() - 60_000).toISOString()
  const sold = { orderNo: 'N-LENT', at, paidAt: at, product: '体验课', amountFen: 1_990, buyerMobile: phone }
  const tell = async (type: string, data: Record<string, unknown>) => {
    await sendEvent(instance, 'douyin', { id: randomUUID(), type, data })
    await instance.inbox.sweep()
  }
  await tell('platform-order.told', { ...sold, isVirtual: true })
  await tell('voucher.claimed', { orderNo: 'N-LENT', product: '体验课', phone })
  await tell('voucher.refunded', { orderNo: 'N-LENT', leadMobile: phone })
  const order = instance.app.db.query.selectFrom('platform_order').selectAll().where('order_no', '=', 'N-LENT')
  expect(await order.executeTakeFirst()).toMatchObject({ member_id: null, registered_at: null, phone_kind: 'VIRTUAL' })
  const admin = await person(instance, { superAdmin: true })
  const { data } = await admin.get<{ records: { content: string }[] }>('/message/web/page')
  expect(data.records.map(({ content }) => JSON.parse(content))).toMatchObject([{ pId: 'N-LENT', userId: null }])
})

let counter = 0
test.each(
  Object.entries(SCREENS).flatMap(([platform, screen]) => [
    { platform, screen, isVirtual: true, kind: 'VIRTUAL', leads: 0 },
    { platform, screen, isVirtual: false, kind: 'DECRYPTED', leads: 1 },
  ]),
)('a $kind number of $platform is no audience, and leaves whole in no export', async ({ platform, screen, ...one }) => {
  const [phone, orderNo] = [`1996666${String(++counter).padStart(4, '0')}`, `N${counter}`]
  const at = new Date(instance.clock.now().getTime() - 60_000).toISOString()
  await sendEvent(instance, shopOf(platform), {
    id: randomUUID(),
    type: 'platform-order.told',
    data: {
      orderNo,
      at,
      paidAt: at,
      product: '体验课',
      amountFen: 1_990,
      buyerMobile: phone,
      isVirtual: one.isVirtual,
    },
  })
  await instance.inbox.sweep()
  const order = instance.app.db.query.selectFrom('platform_order').selectAll().where('order_no', '=', orderNo)
  expect(await order.executeTakeFirst()).toMatchObject({ phone_kind: one.kind, lead_phone: phone })
  const leads = instance.app.db.query.selectFrom('lead').select('id').where('phone', '=', phone)
  expect(await leads.execute()).toHaveLength(one.leads)

  const { name: _name, ...asked } = campaignBody(templateId, [phone])
  const reached = await desk.post('/members/campaign/reach', asked)
  expect(reached).toMatchObject({ code: 0, data: { members: 0, toSend: 0, strangers: 1 } })

  const tail = phone.slice(-4)
  for (const path of [`/live/${screen}`, '/sales/salvage']) {
    const { bytes } = await download(instance, desk, `${path}/download`)
    const cells = JSON.stringify(await readSheet(bytes))
    expect(cells).not.toContain(phone)
    if (path !== '/sales/salvage' || one.leads > 0) expect(cells).toContain(`${phone.slice(0, 3)}****${tail}`)
  }
  const trace = await instance.app.db.read.rows(
    'select payload::text as said from inbox_event where payload::text like $1',
    [`%${orderNo}%`],
  )
  expect(trace).toHaveLength(1)
  expect(String(trace[0]?.said)).not.toContain(phone)
  expect(instance.logged.join('')).not.toContain(phone)
})
