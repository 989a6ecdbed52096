import { beforeAll, describe, expect, test } from 'vitest'
import { listOf, rowsBehind, type StatisticAnswer, type Values } from '#kit/model/statistic.ts'
import { dayOf } from '#kit/model/time.ts'
import { openDemoInstance } from '../../../../tools/testing/demo-instance.ts'
import { type Caller, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { ADS, statistic } from './model.ts'

const PATH = '/traffic/source-count'
const FROM = '2026-03-01'
const TO = '2026-10-31'
const SEES = {
  'source-count': ['list', 'export'],
  ...{ 'sale-salvage': ['list'], 'member-list': ['list'], redBookLine: ['list'] },
}

let instance: TestInstance
let boss: Caller

beforeAll(async () => {
  instance = await openDemoInstance()
  boss = await person(instance, { grants: SEES })
})

const ask = async (by: Caller, more = '') => {
  const answer = await by.get<StatisticAnswer>(`${PATH}?from=${FROM}&to=${TO}${more}`)
  expect(answer.code, more).toBe(0)
  return answer.data
}

type Fact = Readonly<Record<'day' | 'source' | 'channel', string>> & Readonly<Record<string, unknown>>

/** The same numbers from plain rows, added up one by one: no sum of the console's own is asked. */
async function facts(): Promise<{ leads: Fact[]; payers: Fact[]; ads: Fact[] }> {
  const rows = async (text: string) => (await instance.app.db.read.pool.query(text)).rows as Record<string, unknown>[]
  const [leads, members, orders, refunds, lines] = await Promise.all([
    rows(`select source, channel, created_at, status, registered_at, member_id, id from lead`),
    rows(`select id, credited_source as source, credited_channel as channel from member`),
    rows(`select member_id, paid_at, paid_fen from sales_order where pay_state = 'PAID'`),
    rows(`select member_id, amount_fen from refund_application where status = 'PAID'`),
    rows(`select to_char(day, 'YYYY-MM-DD') as day, spend_fen from ad_line`),
  ])
  const tried = new Set(
    (await rows(`select member_id from lesson_taken union select member_id from work`)).map(one => one.member_id),
  )
  const added = new Set(
    (await rows('select lead_id from chat_account_add where lead_id is not null')).map(one => one.lead_id),
  )
  const day = (at: unknown) => dayOf(new Date(at as string))
  const money = (list: typeof orders, id: unknown, field: string) =>
    list.filter(one => one.member_id === id).reduce((sum, one) => sum + Number(one[field]), 0)
  return {
    leads: leads.map(lead => ({
      ...{ day: day(lead.created_at), source: String(lead.source), channel: String(lead.channel) },
      isPaid: lead.status === 'DEAL',
      isTried: lead.status === 'DEAL' || tried.has(lead.member_id),
      isRegistered: lead.registered_at !== null,
      isAdded: lead.registered_at !== null || lead.status === 'ADDED' || lead.status === 'INTENT' || added.has(lead.id),
    })),
    payers: members.flatMap(member => {
      const own = orders.filter(one => one.member_id === member.id && Number(one.paid_fen) > 0)
      if (own.length === 0) return []
      const first = Math.min(...own.map(one => Date.parse(String(one.paid_at))))
      return [
        {
          ...{ day: day(first), source: String(member.source), channel: String(member.channel) },
          ...{ paid: money(own, member.id, 'paid_fen'), back: money(refunds, member.id, 'amount_fen') },
        },
      ]
    }),
    ads: lines.map(line => ({ ...ADS, day: String(line.day), spend: Number(line.spend_fen) })),
  }
}

/** The measures of what these facts keep of each list. */
function reckon(all: Awaited<ReturnType<typeof facts>>, isWanted: (fact: Fact) => boolean): Values {
  const [leads, payers, ads] = [all.leads, all.payers, all.ads].map(list => list.filter(isWanted)) as [
    Fact[],
    Fact[],
    Fact[],
  ]
  const sum = (list: readonly Fact[], field: string) => list.reduce((total, fact) => total + Number(fact[field]), 0)
  const [cost, amount, refunded] = [
    ads.length === 0 ? null : sum(ads, 'spend'),
    sum(payers, 'paid'),
    sum(payers, 'back'),
  ]
  const per = (count: number) => (cost === null || count === 0 ? null : Math.round(cost / count))
  return {
    leads: leads.length,
    added: sum(leads, 'isAdded'),
    registered: sum(leads, 'isRegistered'),
    tried: sum(
      leads.filter(({ isRegistered }) => isRegistered),
      'isTried',
    ),
    dealt: sum(leads, 'isPaid'),
    payers: payers.length,
    ...{ cost, costPerLead: per(leads.length), costPerPayer: per(payers.length), amount, refunded },
    roi: cost ? amount / cost : null,
    netRoi: cost ? (amount - refunded) / cost : null,
  }
}

const inPeriod = ({ day }: Fact) => FROM <= day && day <= TO

describe('what sources bring and cost', () => {
  test('is what the rows of the demo business come to, added up one by one', async () => {
    const all = await facts()
    expect((await ask(boss)).totals.came?.now).toEqual(reckon(all, inPeriod))
    for (const dimension of ['source', 'channel'] as const) {
      const { rows } = await ask(boss, `&dimension=${dimension}`)
      expect(rows.length).toBeGreaterThan(3)
      for (const { key, values } of rows)
        expect(values.came, `${dimension} ${key}`).toEqual(
          reckon(all, fact => inPeriod(fact) && fact[dimension] === key),
        )
    }
    const { rows: months } = await ask(boss, '&interval=month')
    for (const { from, to, values } of months)
      expect(values.came, from).toEqual(reckon(all, ({ day }) => from <= day && day <= to))
    const { totals } = await ask(boss, '&source=XIAOHONGSHU&channel=XIAOHONGSHU_FORM')
    const isForm = ({ source, channel }: Fact) => source === 'XIAOHONGSHU' && channel === 'XIAOHONGSHU_FORM'
    expect(totals.came?.now).toEqual(reckon(all, fact => inPeriod(fact) && isForm(fact)))
  })

  test('everybody who has paid is one member of one channel', async () => {
    const { rows, totals } = await ask(boss, '&dimension=channel')
    const sum = (measure: string) => rows.reduce((total, { values }) => total + (values.came?.[measure] ?? 0), 0)
    for (const measure of ['leads', 'payers', 'amount', 'refunded'])
      expect(sum(measure)).toBe(totals.came?.now[measure])
    const { rows: found } = await instance.app.db.read.pool.query(
      `select m.id from member m full join (select member_id, min(paid_at) as at from sales_order where paid_fen > 0 group by 1) o on o.member_id = m.id
       where m.first_paid_at is distinct from o.at`,
    )
    expect(found).toEqual([])
    const { rows: unpaid } = await instance.app.db.read.pool.query(
      `select l.id from lead l left join member m on m.id = l.member_id where l.status = 'DEAL' and m.first_paid_at is null`,
    )
    expect(unpaid, 'deals of whoever has paid nothing').toEqual([])
  })
})

describe('each number', () => {
  test('opens exactly the rows it is made of', async () => {
    let opened = 0
    for (const dimension of ['source', 'channel'] as const) {
      const answer = await ask(boss, `&dimension=${dimension}`)
      for (const row of [undefined, ...answer.rows])
        for (const [name, { kind, madeOf }] of Object.entries(statistic.measures)) {
          if (madeOf) continue
          const told = row ? row.values.came?.[name] : answer.totals.came?.now[name]
          const rows = await behind(answer, name, row)
          if (kind === 'count') expect(rows?.total, `${name} ${row?.label}`).toBe(told)
          if (name === 'cost') expect(rows?.sum('spendFen') ?? null, row?.label).toBe(told)
          opened += rows?.total ?? 0
        }
    }
    expect(opened).toBeGreaterThan(500)
  })

  async function behind(answer: StatisticAnswer, measure: string, row?: StatisticAnswer['rows'][number]) {
    const filters = rowsBehind(statistic, answer, measure, row)
    if (!filters) return undefined
    const search = new URLSearchParams({ size: '100' })
    for (const [field, values] of Object.entries(filters)) for (const value of values) search.append(field, value)
    const path = `/${listOf(statistic, measure).screen.name}`
    const { data } = await boss.get<{ records: Record<string, number>[]; total: number }>(`${path}?${search}`)
    const records = [...data.records]
    for (let page = 2; measure === 'cost' && records.length < data.total; page += 1)
      records.push(
        ...(await boss.get<{ records: Record<string, number>[] }>(`${path}?${search}&current=${page}`)).data.records,
      )
    return { total: data.total, sum: (field: string) => records.reduce((sum, one) => sum + (one[field] ?? 0), 0) }
  }

  test('of another source opens no rows of ads, which has none', async () => {
    const answer = await ask(boss, '&dimension=source')
    const other = answer.rows.find(({ key }) => key !== ADS.source)
    expect(other?.values.came?.cost).toBeNull()
    expect(rowsBehind(statistic, answer, 'cost', other)).toBeUndefined()
    expect(rowsBehind(statistic, { ...answer, filters: { channel: ['SCHOOL'] } }, 'cost')).toBeUndefined()
  })

  test('is told to nobody who may not list what it counts, and cost to nobody who counts a part', async () => {
    const stranger = await person(instance, { grants: { 'source-count': ['list'], 'sale-salvage': ['list'] } })
    const { totals } = await ask(stranger)
    expect(totals.came?.now).toMatchObject({ payers: null, amount: null, cost: null, costPerLead: null, roi: null })
    expect(totals.came?.now.leads).toBeGreaterThan(0)
    const own = await person(instance, { grants: SEES, scope: 'SELF' })
    expect((await ask(own)).totals.came?.now).toMatchObject({ leads: 0, payers: 0, cost: null, costPerPayer: null })
  })
})
