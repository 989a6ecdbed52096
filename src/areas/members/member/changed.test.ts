import { beforeAll, describe, expect, test } from 'vitest'
import { NOTHING_IN_COMMON } from '#engines/audience/model.ts'
import type { Hint } from '#kit/model/contract.ts'
import { dayOf } from '#kit/model/time.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { listen, openSocket, sendEvent, sendFile, type TestSocket } from '../../../../tools/testing/live.ts'
import { png } from '../../../../tools/testing/pictures.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'

const READ = ['list', 'detail']

let instance: TestInstance
let host: string
let seller: Caller & { orgId: string }
let stranger: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  host = await listen(instance)
  const grants = {
    'member-list': [...READ, 'own', 'noteFollowUp'],
    'order-list': READ,
    'order-refundApply': [...READ, 'create'],
  }
  seller = await person(instance, { grants, scope: 'SELF' })
  stranger = await person(instance, { grants, scope: 'SELF' })
})

const phoneOf = async (id: string): Promise<string> => {
  const member = instance.app.db.query.selectFrom('member').select('phone').where('id', '=', id)
  return (await member.$narrowType<{ phone: string }>().executeTakeFirstOrThrow()).phone
}
const changesOf = ({ pushes }: TestSocket): string[] =>
  (pushes as Partial<Hint>[]).flatMap(({ changed }) => (changed ? [`${changed.record}/${changed.id}`] : []))

describe('whoever has a member in reach', () => {
  test('is told that something about it changed, once for each change, and nothing of what it was; others are not', async () => {
    const memberId = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
    const [mine, theirs] = [await openSocket(host, seller.token), await openSocket(host, stranger.token)]
    const noted = await seller.post(`/members/member/${memberId}/noteFollowUp`, {
      followUpKind: 'PHONE',
      content: '约周末再聊',
      nextAt: null,
    })
    expect(noted).toMatchObject({ code: 0 })
    await expect.poll(() => changesOf(mine)).toEqual([`members/member/${memberId}`])
    const { orderId } = await buy(instance, memberId, await offer(instance, [grantOf('MEMBER_DAYS', 365)]))
    // Ordered, and paid: however many rows each of the two wrote.
    await expect.poll(() => changesOf(mine)).toHaveLength(3)
    const asked = await seller.post('/orders/refund-application', refundBody(orderId, 100))
    expect(asked).toMatchObject({ code: 0 })
    await expect.poll(() => changesOf(mine).length).toBeGreaterThan(3)
    expect(new Set(changesOf(mine))).toEqual(new Set([`members/member/${memberId}`]))
    expect(JSON.stringify(mine.pushes.filter(push => 'changed' in push))).not.toContain('周末')
    expect(changesOf(theirs)).toEqual([])
    for (const socket of [mine, theirs]) socket.raw.close()
  })

  test('is told when a teacher has looked at a work', async () => {
    const memberId = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
    const teacher = await person(instance, { grants: { 'opus-list': [...READ, 'take'] } })
    const socket = await openSocket(host, seller.token)
    const { data: file } = await sendFile(instance, 'app', png())
    const work = { memberId, opusId: 'o-1', kind: 'HOMEWORK', lesson: '横画', characters: '十', pictures: [file.id] }
    await sendEvent(instance, 'app', { type: 'opus.submitted', data: work })
    await instance.inbox.sweep()
    const { records } = (await teacher.get<{ records: { id: string }[] }>(`/members/work?memberId=${memberId}`)).data
    const path = `/members/work/${records[0]?.id}`
    await teacher.post(`${path}/take`)
    const said = { marks: [], scores: { strokes: 8, structure: 8, layout: 8 }, words: '写得好' }
    expect(await teacher.post(`${path}/comment`, said)).toMatchObject({ code: 0 })
    // Handed in, taken, and judged.
    const own = () => changesOf(socket).filter(changed => changed === `members/member/${memberId}`)
    await expect.poll(own).toHaveLength(3)
    socket.raw.close()
  })

  test('is told when the guardian agrees to something in the app, and when a task is given', async () => {
    const memberId = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
    const giver = await person(instance, { grants: { 'member-task': [...READ, 'create'], 'member-list': READ } })
    const socket = await openSocket(host, seller.token)
    const own = () => changesOf(socket).filter(changed => changed === `members/member/${memberId}`)
    const at = instance.clock.now().toISOString()
    const data = { memberId, purposes: ['DISPLAY'], textVersion: 'v1', by: '妈妈', at }
    await sendEvent(instance, 'app', { type: 'consent.given', data })
    await instance.inbox.sweep()
    await expect.poll(own).toHaveLength(1)
    const phone = await phoneOf(memberId)
    const task = { title: '每天一页', dueOn: dayOf(instance.clock.now()), note: '', target: 1, rewardCoins: 0 }
    const wish = { audienceBy: 'NUMBERS', ...NOTHING_IN_COMMON, numbers: phone }
    expect(await giver.post('/members/task', { ...task, ...wish })).toMatchObject({ code: 0 })
    await expect.poll(own).toHaveLength(2)
    socket.raw.close()
  })

  test('is told when the member is written to and how that goes, but not of each message of a campaign', async () => {
    const memberId = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
    const socket = await openSocket(host, seller.token)
    const own = () => changesOf(socket).filter(changed => changed === `members/member/${memberId}`)
    const write = (kind: string) =>
      instance.app.db.read.pool.query(
        `insert into message (channel, kind, title, status, member_id, about, digest, state_since, created_at)
         values ('SMS', $1, '明天上课', 'SENDING', $2, $3, '', now(), now()) returning id`,
        [kind, memberId, `test:${kind}:${memberId}`],
      )
    await write('MARKETING')
    const { rows } = await write('NOTICE')
    await expect.poll(own).toHaveLength(1)
    await instance.app.db.read.pool.query(`update message set status = 'DELIVERED', ended_at = now() where id = $1`, [
      rows[0].id,
    ])
    await expect.poll(own).toHaveLength(2)
    socket.raw.close()
  })

  test('is told nothing of a change of many at once', async () => {
    const ids: string[] = []
    for (let nth = 0; nth < 25; nth += 1) ids.push(await enrol(instance, { ownerId: seller.id, orgId: seller.orgId }))
    const socket = await openSocket(host, seller.token)
    const { query } = instance.app.db
    await query.updateTable('member').set({ coins: 1 }).where('id', 'in', ids).execute()
    await query.updateTable('member').set({ coins: 2 }).where('id', '=', String(ids[0])).execute()
    const own = () => changesOf(socket).filter(changed => ids.includes(changed.split('/')[2] ?? ''))
    await expect.poll(own).toEqual([`members/member/${ids[0]}`])
    socket.raw.close()
  })
})

/** Of these nothing is seen on a member's page, or it comes along with a row of another table that tells. */
const SILENT = [
  [
    'account_follower',
    'browse_record',
    'campaign_number',
    'chat_contact',
    'course_taken',
    'distribution_order',
    'erasure',
  ],
  ['erasure_heard', 'entitlement_entry', 'lead', 'member_application', 'member_owner_history', 'member_task_awaiting'],
  ['order_examination', 'payment_exception', 'platform_order', 'refund_notice', 'settlement_event'],
  ['settlement_line', 'upload_failure'],
].flat()

test('every table with rows of a member tells of them, or is named here', async () => {
  const silent = await instance.app.db.read.rows(
    `select c.table_name as name from information_schema.columns c join pg_class t on t.oid = c.table_name::regclass and t.relkind = 'r'
     where c.table_schema = 'public' and c.column_name = 'member_id' and not exists (
       select from pg_trigger g where g.tgrelid = t.oid and g.tgname = 'member_told_insert')`,
    [],
  )
  expect(silent.map(({ name }) => String(name)).sort()).toEqual(SILENT.toSorted())
})
