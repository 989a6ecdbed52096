import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import { touchMembers } from '#engines/lead/touching.server.ts'
import { announce } from '#kit/server/change/announce.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import type { InboxEvent } from '#kit/server/live/event.ts'
import { insist, openTestInstance, stoppedClock, type TestInstance } from '../../../../tools/testing/instance.ts'
import { IS_LONG } from '../../../../tools/testing/long.ts'
import { arriving as registrations } from '../registration/arriving.server.ts'
import { memberPaid } from './paying.server.ts'
import { registered } from './registering.server.ts'

const HOUR_MS = 3_600_000
const BEGAN = Date.parse('2026-01-01T00:00:00Z')
const clock = stoppedClock(new Date('2026-11-10T04:00:00Z'))
const [reached] = registrations as [InboxEvent]

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance({ clock })
})

const CHANNELS = ['DOUYIN_LIVE', 'XIAOHONGSHU_FORM', 'SCHOOL', 'REFERRAL'] as const
type Channel = (typeof CHANNELS)[number]
type Came = {
  readonly kind: 'FORM' | 'BEGAN' | 'BOUGHT'
  readonly hour: number
  readonly late: number
  readonly channel: Channel
}
type Path = {
  readonly touches: readonly Came[]
  readonly registers: number
  readonly pays: number
  readonly channel: Channel
}
type Step = { readonly at: number; told(of: string): Promise<void> }

const HALF_YEAR = 24 * 180
const channel = fc.constantFrom(...CHANNELS)
const path: fc.Arbitrary<Path> = fc.record({
  touches: fc.array(
    fc.record({
      kind: fc.constantFrom('FORM', 'BEGAN', 'BOUGHT'),
      hour: fc.integer({ min: 0, max: HALF_YEAR + 400 }),
      // Most are told at once, some weeks later.
      late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 })),
      channel,
    }),
    { maxLength: 5 },
  ),
  registers: fc.integer({ min: 1, max: HALF_YEAR }),
  pays: fc.integer({ min: 1, max: 1_500 }),
  channel,
})

const timeOf = (hour: number) => new Date(BEGAN + hour * HOUR_MS)
const within = (hour: number, work: (change: ReturnType<typeof ownChange>) => Promise<unknown>) =>
  insist(() => instance.app.db.write(tx => work(ownChange(instance.app, tx, timeOf(hour), 'test'))))

const hear = (event: InboxEvent, hour: number, data: object) =>
  within(hour, ({ app, tx, now }) =>
    event.apply({ app, tx, now, source: 'app', key: `${hour}` }, event.data.parse(data)),
  )

const memberOf = (phone: string) =>
  instance.app.db.query
    .selectFrom('member')
    .select(['id', 'credited_source', 'credited_channel', 'first_paid_at'])
    .where('phone', '=', phone)
    .executeTakeFirst()

/** Whoever bought on a platform is recognised as a member, then or later: nobody else can be told of it. */
async function bought(hour: number, told: number, { phone, nth, to }: { phone: string; nth: number; to: Channel }) {
  const member = await memberOf(phone)
  if (!member) return
  const touch = { key: `platform:${nth}`, cameBy: 'PLATFORM_ORDER', source: 'DOUYIN', channel: to } as const
  await within(told, change =>
    touchMembers(change, [{ id: member.id, touches: [{ ...touch, consent: 'PLATFORM_ORDER', at: timeOf(hour) }] }]),
  )
}

function tellTouch({ kind, hour, channel: to }: Came, nth: number, told: number, phone: string) {
  if (kind === 'BOUGHT') return bought(hour, told, { phone, nth, to })
  if (kind === 'BEGAN')
    return hear(reached, told, { phone, step: 'PHONE', source: 'DOUYIN', channel: to, at: timeOf(hour).toISOString() })
  const form = { key: `form:${nth}`, cameBy: 'FORM', source: 'XIAOHONGSHU', channel: to, consent: 'FORM' } as const
  return within(told, change => arrive(change, [{ phone, name: null, owner: null, at: timeOf(hour), ...form }]))
}

/** When each thing is told: as it happens, or as late as the path says. A purchase is recognised once there is a member. */
function stepsOf({ touches, registers, pays, channel: said }: Path, isLate: boolean): Step[] {
  const told = ({ kind, hour, late }: Came) =>
    Math.max(hour + (isLate ? late : 0), kind === 'BOUGHT' ? registers + (isLate ? late : 0) : 0)
  const joins = {
    at: registers,
    told: async (phone: string) =>
      void (await hear(registered, registers, { phone, name: '学员', source: 'APP', channel: said })),
  }
  const paysFirst = {
    at: registers + pays,
    told: async (phone: string) => {
      const { id = '' } = (await memberOf(phone)) ?? {}
      await within(registers + pays, change => announce(change, memberPaid, { memberId: id, paidFen: 9_900 }))
    },
  }
  const came = touches.map((touch, nth) => ({
    at: told(touch),
    told: async (phone: string) => void (await tellTouch(touch, nth, told(touch), phone)),
  }))
  // Whoever registers in the same hour is a member when anything else of that hour is told.
  return [joins, paysFirst, ...came].toSorted((a, b) => a.at - b.at)
}

/** What somebody who went this way is credited to. */
async function walk(way: Path, isLate: boolean, phone: string) {
  for (const { told } of stepsOf(way, isLate)) await told(phone)
  const { credited_source, credited_channel } = (await memberOf(phone)) ?? {}
  return { source: credited_source, channel: credited_channel }
}

describe('what is told late', () => {
  const RUNS = IS_LONG ? 2_000 : 200
  const AT_ONCE = 5

  test(`leaves a member with the channel it would have had in order: ${RUNS} ways`, { timeout: 600_000 }, async () => {
    const paths = fc.sample(path, { numRuns: RUNS, seed: 85 }).map((way, nth) => ({ way, nth }))
    let differs = 0
    for (let some = paths.splice(0, AT_ONCE); some.length > 0; some = paths.splice(0, AT_ONCE))
      await Promise.all(
        some.map(async ({ way, nth }) => {
          const tail = String(nth).padStart(8, '0')
          const [inOrder, late] = await Promise.all([walk(way, false, `137${tail}`), walk(way, true, `136${tail}`)])
          expect(late, JSON.stringify(way)).toEqual(inOrder)
          if (inOrder.channel !== way.channel) differs += 1
        }),
      )
    // Not all of them are simply where they registered.
    expect(differs).toBeGreaterThan(RUNS / 4)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})

describe('the first payment', () => {
  const joined = async (phone: string, hour: number) => {
    await hear(registered, hour, { phone, name: '学员', source: 'APP', channel: 'STORE' })
    return (await memberOf(phone))?.id ?? ''
  }
  const pays = (memberId: string, hour: number, paidFen: number) =>
    within(hour, change => announce(change, memberPaid, { memberId, paidFen }))

  test('decides once: later payments and touches move nobody', async () => {
    const phone = '13555550001'
    const id = await joined(phone, 10)
    expect(await memberOf(phone)).toMatchObject({ first_paid_at: null, credited_channel: null })
    await pays(id, 30, 100)
    await pays(id, 40, 500)
    await bought(50, 60, { phone, nth: 1, to: 'SCHOOL' })
    expect(await memberOf(phone)).toMatchObject({ credited_source: 'APP', credited_channel: 'STORE' })
    expect(Date.parse((await memberOf(phone))?.first_paid_at ?? '')).toBe(timeOf(30).getTime())
    await bought(5, 70, { phone, nth: 2, to: 'DOUYIN_LIVE' })
    expect(await memberOf(phone)).toMatchObject({ credited_source: 'DOUYIN', credited_channel: 'DOUYIN_LIVE' })
  })

  test('and touches that are told at the same time see each other, whichever is stored first', async () => {
    const phones = Array.from({ length: 20 }, (_, nth) => `1355556${String(nth).padStart(4, '0')}`)
    await Promise.all(
      phones.map(async phone => {
        const id = await joined(phone, 100)
        await Promise.all([
          within(200, async change => {
            await sql`select id from member where id = ${id} for update`.execute(change.tx)
            await announce(change, memberPaid, { memberId: id, paidFen: 1 })
          }),
          bought(50, 201, { phone, nth: 1, to: 'SCHOOL' }),
          bought(40, 201, { phone, nth: 2, to: 'REFERRAL' }),
          bought(60, 201, { phone, nth: 3, to: 'DOUYIN_LIVE' }),
        ])
      }),
    )
    for (const phone of phones) expect(await memberOf(phone)).toMatchObject({ credited_channel: 'REFERRAL' })
  })
})
