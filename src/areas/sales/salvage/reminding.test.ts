import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { atOnce } from '#kit/server/work/job.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { reminding } from './reminding.server.ts'

const PATH = '/sales/salvage'
const HOUR_MS = 3_600_000
const GRANTS = { 'sale-salvage': ['list', 'detail', 'claim', 'contact', 'followUp', 'assign', 'lose'] }

let instance: TestInstance
let manager: Caller
let an: Caller & { orgId: string }
let bo: Caller & { orgId: string }
const clock = stoppedClock(new Date('2026-11-16T02:00:00.007Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  manager = await person(instance, { grants: GRANTS, scope: 'ALL' })
  an = await person(instance, { grants: GRANTS, scope: 'SELF' })
  bo = await person(instance, { grants: GRANTS, scope: 'SELF' })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const run = () => instance.changing(atOnce(reminding))
const later = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS).toISOString()
let counter = PHONES.test + 97_000
/** A lead somebody has spoken with, and is to speak with again so many hours from now. */
async function planned(hours: number, { id, orgId } = an): Promise<string> {
  counter += 1
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', cameBy: 'FORM' as const }
  const one = { phone: phoneAt(counter), key: `test:${counter}`, ...came, owner: { id, orgId } }
  const [arrived] = await instance.changing(change => arrive(change, [one]))
  const leadId = String(arrived?.leadId)
  await said(leadId, 'contact', hours)
  return leadId
}
const said = async (leadId: string, step: 'contact' | 'followUp', hours: number | null) => {
  const body = {
    contactKind: 'PHONE',
    content: '约好再说',
    level: null,
    nextAt: hours === null ? null : later(hours),
    picture: [],
  }
  expect(await manager.post(`${PATH}/${leadId}/${step}`, body)).toMatchObject({ code: 0 })
}
const toldTo = async ({ id }: Caller) => {
  const { rows } = await sql<{ body: string }>`
    select body from message where staff_id = ${id} and about like 'contacts-due:%' order by id`.execute(
    instance.app.db.query,
  )
  return rows.map(({ body }) => body)
}

describe('whoever has a lead', () => {
  test('is told when the time of the next word has come, once, and of the next time again', async () => {
    const lead = await planned(2)
    clock.forward(2 * HOUR_MS - 1)
    expect([await run(), await toldTo(an)]).toEqual([0, []])
    clock.forward(1)
    expect([await run(), await run()]).toEqual([1, 0])
    expect(await toldTo(an)).toEqual([
      '有 1 条线索到了约定的联系时间（最早 2026-11-16 12:00），请按“下次联系”查看并联系。',
    ])
    await said(lead, 'followUp', 1)
    clock.forward(HOUR_MS)
    expect([await run(), (await toldTo(an)).length]).toEqual([1, 2])
  })

  test('is told of all that are due at once in one message', async () => {
    const before = (await toldTo(an)).length
    await planned(1)
    await planned(2)
    clock.forward(2 * HOUR_MS)
    expect(await run()).toBe(2)
    expect((await toldTo(an)).slice(before)).toEqual([expect.stringContaining('有 2 条线索')])
  })

  test('hears nothing of a time that was put off, was kept before it came, or is of a lead that has ended', async () => {
    const before = (await toldTo(an)).length
    const [moved, kept, lost] = [await planned(2), await planned(2), await planned(2)]
    await said(moved, 'followUp', 5)
    await said(kept, 'followUp', null)
    expect(await manager.post(`${PATH}/${lost}/lose`, { endReason: 'TOO_DEAR' })).toMatchObject({ code: 0 })
    clock.forward(2 * HOUR_MS)
    expect([await run(), (await toldTo(an)).length]).toEqual([0, before])
    clock.forward(3 * HOUR_MS)
    expect([await run(), (await toldTo(an)).length]).toEqual([1, before + 1])
  })

  test('is whoever has it then: after it was handed over nobody else is told', async () => {
    const before = (await toldTo(an)).length
    const lead = await planned(1)
    expect(await manager.post(`${PATH}/${lead}/assign`, { newOwnerId: bo.id })).toMatchObject({ code: 0 })
    clock.forward(HOUR_MS)
    expect(await run()).toBe(1)
    expect([(await toldTo(an)).length, (await toldTo(bo)).length]).toEqual([before, 1])
  })
})
