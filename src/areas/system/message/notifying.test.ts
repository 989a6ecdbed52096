import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { deedsOf, dryRun, putInForce, refusedFor } from '../../../../tools/testing/chain-in-force.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { handIn, triage } from '../../../../tools/testing/works.ts'

const EVENT = 'workHandedIn'
const notice = (to: string, text: string) => `THEN(notify.bind("to", "${to}").bind("text", "${text}"))`

describe('a chain that notifies a colleague', () => {
  let instance: TestInstance
  let teacher: Awaited<ReturnType<typeof person>>
  let write: (source: string) => Promise<void>
  beforeAll(async () => {
    instance = await openTestInstance({ isSending: false })
    teacher = await person(instance, { grants: { 'opus-list': ['list', 'detail', 'take'] } })
    write = await putInForce(instance, EVENT, notice('carer', '请尽快点评'))
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
  const told = () =>
    instance.app.db.query
      .selectFrom('message')
      .select(['staff_id', 'title', 'body', 'channel', 'status'])
      .where('staff_id', '=', teacher.id)
      .orderBy('id')
      .execute()
  async function pupil(teacherId: string | null): Promise<string> {
    const memberId = await enrol(instance)
    await instance.app.db.query
      .updateTable('member')
      .set({ teacher_id: teacherId, owner_id: null })
      .where('id', '=', memberId)
      .execute()
    return memberId
  }
  async function handedIn(teacherId: string | null): Promise<string> {
    const id = await handIn(instance, await pupil(teacherId))
    await instance.outbox.run()
    return id
  }

  test('tells nobody anything when it is tried, and is refused for refunds', async () => {
    expect(await dryRun(instance, notice('carer', '试'))).toMatchObject({ error: null })
    await instance.outbox.run()
    expect(await told()).toEqual([])
    expect(await refusedFor(instance, 'refundSubmitted', notice('carer', '试'))).toContain('line 1, column 6')
  })

  test('cannot be published where it names no role there is', async () => {
    expect(await refusedFor(instance, null, notice('NOBODIES', '试'))).toContain('line 1, column 24')
  })

  test('cannot be published where it says nothing', async () => {
    expect(await refusedFor(instance, null, notice('carer', ' '))).toContain('line 1, column 46')
  })

  test('tells nobody where those who hold the role are too many', async () => {
    await write(notice(teacher.role, '有新作品'))
    const { role_id } = await instance.app.db.query
      .selectFrom('staff_role')
      .select('role_id')
      .where('staff_id', '=', teacher.id)
      .executeTakeFirstOrThrow()
    const { rows } = await sql<{ id: string }>`
      insert into staff (account, name, org_id, password_hash)
      select 'many-' || n, 'Many', ${teacher.orgId}::bigint, 'none' from generate_series(1, 50) n returning id`.execute(
      instance.app.db.query,
    )
    const many = rows.map(({ id }) => ({ staff_id: id, role_id }))
    await instance.app.db.query.insertInto('staff_role').values(many).execute()
    expect(await deedsOf(instance, EVENT, await handedIn(null))).toEqual(['notify TOO_MANY'])
    expect(await told()).toEqual([])
    const ids = rows.map(({ id }) => id)
    await instance.app.db.query.deleteFrom('staff_role').where('staff_id', 'in', ids).execute()
    await write(notice('carer', '请尽快点评'))
  })

  test('tells whoever looks after the work, once, with the number of the work', async () => {
    const id = await handedIn(teacher.id)
    await triage(instance, id)
    const { no } = await instance.app.db.query
      .selectFrom('work')
      .select('no')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const message = { title: '规则链提醒', body: `请尽快点评（单号 ${no}）`, channel: 'WEB', status: 'UNREAD' }
    expect(await told()).toEqual([{ staff_id: teacher.id, ...message }])
    expect(await deedsOf(instance, EVENT, id)).toEqual(['notify DONE', 'notify ALREADY'])
  })

  test('says so where nobody looks after it', async () => {
    expect(await deedsOf(instance, EVENT, await handedIn(null))).toEqual(['notify NOBODY'])
  })

  test('tells those who hold the role it names and are still at work', async () => {
    await write(notice(teacher.role, '有新作品'))
    const before = (await told()).length
    const id = await handedIn(null)
    expect(await told()).toHaveLength(before + 1)
    expect(await deedsOf(instance, EVENT, id)).toEqual(['notify DONE'])
    await instance.app.db.query.deleteFrom('session').where('staff_id', '=', teacher.id).execute()
    await instance.app.db.query.updateTable('staff').set({ status: 'DISABLED' }).where('id', '=', teacher.id).execute()
    expect(await deedsOf(instance, EVENT, await handedIn(null))).toEqual(['notify NOBODY'])
  })
})
