import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PoolBody } from '../src/areas/sales/salvage/pools.model.ts'
import { POOL_RULES } from '../tools/testing/pools.ts'
import type { Colleague } from './colleagues.ts'
import { call, dialog, follow, hindrances, list, openAs, question, tokenOf } from './console.ts'
import { openDatabase } from './database.ts'

type Lead = { id: string; phone: string; status: string; ownerId: string | null }

const PATH = '/sales/salvage'

let database: pg.Client
/** Who looks at the console, another in each journey: what one has claimed and looked at counts all day. */
let me: Colleague
/** A colleague who is faster. */
let other: Colleague
const sellers: Colleague[] = []
beforeAll(async () => {
  database = await openDatabase()
  const people = await list<Colleague>('admin', '/system/user?accountState=ENABLED&size=100')
  sellers.push(...people.filter(({ roleNames }) => roleNames.includes('销售顾问')).toReversed())
  other = sellers.pop() as Colleague
})
beforeEach(() => {
  me = sellers.pop() as Colleague
})
afterAll(() => database.end())

/** A pool of both, with so many leads nobody has. */
async function pool(rules: Partial<PoolBody>, leads: number): Promise<{ id: string; leadIds: string[] }> {
  const name = `Journey ${Date.now()}`
  const body = { ...POOL_RULES, name, claimerIds: [me.id, other.id], ...rules }
  const { id } = await call<{ id: string }>('POST', `${PATH}/pool`, body, await tokenOf('sales-manager-copy'))
  const { rows } = await database.query<{ id: string }>(
    `update lead set pool_id = $1, pooled_at = now() where id in (
       select l.id from lead l join lead_pool p on p.id = l.pool_id
       where p.is_default and l.status = 'UNASSIGNED' and l.phone is not null
         and not exists (select from allocation_case c where c.lead_id = l.id and c.status = 'WAITING')
       order by l.id desc limit $2)
     returning id`,
    [id, leads],
  )
  expect(rows).toHaveLength(leads)
  return { id, leadIds: rows.map(row => row.id) }
}
const claim = async (account: string, leadId: string) =>
  call('POST', `${PATH}/${leadId}/claim`, {}, await tokenOf(account))
const stands = async (leadId: string) => (await list<Lead>('admin', `${PATH}?id=${leadId}`))[0]

test('of leads claimed together each says what became of it: won, a colleague’s, cooling down, over what one may claim a day', async () => {
  const { id, leadIds } = await pool({ claimsADay: 2 }, 4)
  const [taken = '', cooling = '', ...free] = leadIds
  await claim(me.account, cooling)
  const back = { returnReason: 'NO_NEED', toPoolId: null, note: '' }
  await call('POST', `${PATH}/${cooling}/giveBack`, back, await tokenOf(me.account))

  const page = await openAs(me.account, `/sale/salvage?poolId=${id}`)
  const rows = page.locator('.ant-table-row').filter({ visible: true })
  await expect.poll(() => rows.count()).toBe(4)
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: /^Claim/ })
    .click()
  await question(page)
    .getByRole('button', { name: /^Claim/ })
    .waitFor()
  // While the question is open a colleague is faster.
  await claim(other.account, taken)
  await question(page)
    .getByRole('button', { name: /^Claim/ })
    .click()

  await page.getByText('1 done, 3 not done').waitFor()
  const results = dialog(page)
  for (const reason of [
    'A colleague already has it',
    'You returned this lead lately',
    'You have claimed 2 today; come back tomorrow',
  ])
    expect(await results.getByText(reason).count(), reason).toBe(1)
  expect(await results.getByText('Done', { exact: true }).count()).toBe(1)
  expect(await hindrances(page)).toEqual([])
  await results.getByRole('button', { name: 'Close' }).last().click()

  expect(await stands(taken)).toMatchObject({ status: 'ASSIGNED', ownerId: other.id })
  expect(await stands(cooling)).toMatchObject({ status: 'RETURNED', ownerId: null })
  const won = await Promise.all(free.map(stands))
  expect(won.map(lead => lead?.ownerId).sort()).toEqual([me.id, null].sort())
})

test('a lead a colleague has just claimed is refused in its drawer, and one’s own shows its number', async () => {
  const { id, leadIds } = await pool({}, 2)
  const [taken = '', own = ''] = leadIds
  const page = await openAs(me.account, `/sale/salvage?poolId=${id}&open=${taken}`)
  await dialog(page).getByRole('button', { name: 'Claim', exact: true }).click()
  await claim(other.account, taken)
  await question(page).getByRole('button', { name: 'Claim', exact: true }).click()
  await page.getByText('A colleague already has it').first().waitFor()
  await question(page).getByRole('button', { name: 'Cancel' }).click()

  await follow(page, `/sale/salvage?poolId=${id}&open=${own}`)
  const record = dialog(page)
  expect(await record.getByRole('button', { name: /reveal|in full/i }).count()).toBe(0)
  await record.getByRole('button', { name: 'Claim', exact: true }).click()
  await question(page).getByRole('button', { name: 'Claim', exact: true }).click()
  await page.getByText('Claimed').first().waitFor()
  expect(await stands(own)).toMatchObject({ status: 'ASSIGNED', ownerId: me.id })
})

test('why a lead cannot be had yet stands at its button: it is protected, one holds enough, or its pool is switched off', async () => {
  const fresh = await pool({ embargoHours: 24 }, 1)
  const held = await pool({}, 2)
  const [mine = '', second = ''] = held.leadIds
  await claim(me.account, mine)
  await database.query('update lead_pool set capacity = 1 where id = $1', [held.id])
  const closed = await pool({}, 1)
  await database.query('update lead_pool set is_open = false where id = $1', [closed.id])

  const page = await openAs(me.account, '/sale/salvage')
  for (const [poolId, leadId, why] of [
    [fresh.id, fresh.leadIds[0], /^New leads are protected; this one can be claimed after/],
    [held.id, second, /^You have 1 open leads; settle or return some first/],
    [closed.id, closed.leadIds[0], /is switched off$/],
  ] as const) {
    await follow(page, `/sale/salvage?poolId=${poolId}&open=${leadId}`)
    const button = dialog(page).getByRole('button', { name: 'Claim', exact: true })
    await button.waitFor()
    expect(await button.isDisabled(), String(why)).toBe(true)
    await button.hover({ force: true })
    await page.getByRole('tooltip', { name: why }).waitFor()
  }
  expect(await hindrances(page)).toEqual([])
})

test('who has looked at as many leads of the pool as may be is told so, and what is claimed stays open', async () => {
  // The demo business has a day behind it, too.
  const { rows } = await database.query<{ seen: number }>(
    `select count(*)::int as seen from lead_view where staff_id = $1 and day = (now() at time zone 'Asia/Shanghai')::date`,
    [me.id],
  )
  const viewsADay = (rows[0]?.seen ?? 0) + 1
  const { id, leadIds } = await pool({ viewsADay }, 3)
  const [first = '', second = '', third = ''] = leadIds
  const page = await openAs(me.account, `/sale/salvage?poolId=${id}&open=${first}`)
  await dialog(page).getByRole('button', { name: 'Claim', exact: true }).waitFor()
  await follow(page, `/sale/salvage?poolId=${id}&open=${second}`)
  await page.getByText(`You have opened ${viewsADay} leads of the pool today`).first().waitFor()
  expect(await hindrances(page)).toEqual([])
  // Claimed from the list it is one’s own, and no look at the pool any more.
  await claim(me.account, third)
  await follow(page, `/sale/salvage?open=${third}`)
  await dialog(page).getByRole('button', { name: 'Record first contact' }).waitFor()
})
