import { beforeAll, expect, test } from 'vitest'
import { daysLeft } from '#engines/entitlement/model.ts'
import { dayOf } from '#kit/model/time.ts'
import { DEMO_DAY } from '../../tools/testing/demo-day.ts'
import { openDemoInstance } from '../../tools/testing/demo-instance.ts'
import { type Caller, person } from '../../tools/testing/instance.ts'

const PATH = '/members/member'
const KINDS = ['MEMBER_DAYS', 'COINS', 'LESSONS', 'COURSE', 'APPOINTMENTS']

type Pause = { from: string; until: string }
type Member = { id: string; membershipEndsOn: string | null; coins: number; pause: Pause | null }
type Ledger = {
  balances: { kind: string; remaining: number; frozen: number }[]
  entries: { delta: number; balanceAfter: number }[]
  total: number
}

type Lots = { records: { remaining: number; frozen: number }[]; total: number }

let admin: Caller
let members: Member[]
beforeAll(async () => {
  const instance = await openDemoInstance()
  admin = await person(instance, { superAdmin: true })
  const { rows } = await instance.app.db.read.pool.query('select distinct member_id from entitlement_lot order by 1')
  members = await Promise.all(rows.map(async ({ member_id: id }) => (await admin.get<Member>(`${PATH}/${id}`)).data))
})

/** What the head of a member's detail says of a kind, where it says something. */
const headOf = ({ membershipEndsOn: end, coins, pause }: Member): Readonly<Record<string, number>> => {
  const pauses = pause ? [{ startsOn: pause.from, endsOn: pause.until }] : []
  const today = dayOf(DEMO_DAY)
  return {
    MEMBER_DAYS: end === null ? 0 : daysLeft({ startsOn: today, endsOn: end }, today, pauses),
    COINS: coins,
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

async function ledgerOf(id: string, kind: string): Promise<Ledger> {
  const page = async (current: number) =>
    (await admin.get<Ledger>(`${PATH}/${id}/ledger?kind=${kind}&current=${current}`)).data
  const first = await page(1)
  const entries = [...first.entries]
  for (let current = 2; entries.length < first.total; current += 1) entries.push(...(await page(current)).entries)
  return { ...first, entries }
}

async function lotsOf(id: string, kind: string): Promise<Lots['records']> {
  const { records, total } = (await admin.get<Lots>(`${PATH}/${id}/lots?kind=${kind}&size=100`)).data
  expect(records).toHaveLength(total)
  return records
}

test.each(KINDS)(
  'of every member, the %s in the head, over the ledger, in its lots and in its movements are one figure',
  async kind => {
    const differing: string[] = []
    for (const member of members) {
      const { balances, entries } = await ledgerOf(member.id, kind)
      const shown = balances.find(balance => balance.kind === kind)?.remaining ?? 0
      const figures = {
        head: headOf(member)[kind] ?? shown,
        shown,
        lots: sum((await lotsOf(member.id, kind)).map(({ remaining }) => remaining)),
        movements: sum(entries.map(({ delta }) => delta)),
        last: entries[0]?.balanceAfter ?? 0,
      }
      if (new Set(Object.values(figures)).size > 1) differing.push(`${member.id} ${JSON.stringify(figures)}`)
    }
    expect(differing).toEqual([])
  },
)

test('nothing is held by a refund that is not there to be used', async () => {
  const held: string[] = []
  for (const { id } of members)
    for (const { frozen, remaining } of await lotsOf(id, 'MEMBER_DAYS'))
      if (frozen > remaining) held.push(`${id} ${frozen} of ${remaining}`)
  expect(members.length).toBeGreaterThan(40)
  expect(held).toEqual([])
})
