import { beforeAll, describe, expect, test } from 'vitest'
import type { Chart } from '../src/areas/sales/chart/model.ts'
import { numbersAt, ratio, type Statistic, type StatisticAnswer, type Values } from '../src/kit/model/statistic.ts'
import { openDemoInstance } from './testing/demo-instance.ts'
import { type Caller, person, type TestInstance } from './testing/instance.ts'

const FROM = '2025-12-01'
const TO = '2026-11-30'

let instance: TestInstance
let boss: Caller

beforeAll(async () => {
  instance = await openDemoInstance()
  boss = await person(instance, { superAdmin: true })
})

const dayOf = (at: string) => `(${at} at time zone 'Asia/Shanghai')::date`
const hourOf = (at: string) => `extract(hour from ${at} at time zone 'Asia/Shanghai')`
const count = (which: string) => `count(*) filter (where ${which})`

/** Whose leads were from when to when: not by the columns the statistics read, but by what people did and paid. */
const SPANS = `
  select s.lead_id, s.owner_id, s.org_id, s.since, s.until, s.got, l.source, l.channel, s.contacted_at, f.paid_fen, f.paid_at is not null as dealt,
    f.paid_at is not null or s.keen_at is not null as keen,
    f.paid_at is not null or s.keen_at is not null or l.registered_at between s.since and coalesce(s.until, 'infinity') as tried,
    s.added_at is not null as was_added, s.contacted_at is not null as spoken,
    s.until is not null and l.ended_at is distinct from s.until
      and not exists (select from lead_owner n where n.lead_id = s.lead_id and n.since = s.until) as given_back
  from lead_owner s join lead l on l.id = s.lead_id left join (
    select distinct on (member_id) member_id, paid_at, paid_fen from sales_order where paid_fen > 0 order by member_id, paid_at, id
  ) f on f.member_id = l.member_id and f.paid_at = s.until`

/** What was done with leads, by the words that were noted and by what became of the leads. */
const DEEDS = `
  select staff_id as owner, 'FOLLOW_UP' as act, kind as way, created_at as at from follow_up where lead_id is not null
  union all select owner_id, 'CLAIM', null, since from lead_owner where got = 'CLAIMED'
  union all select owner_id, 'ADD', null, added_at from lead_owner where added_at is not null
  union all select owner_id, 'JUDGE', null, keen_at from lead_owner where keen_at is not null
  union all select o.owner_id, case l.status when 'LOST' then 'LOSE' else 'DISMISS' end, null, o.until
    from lead_owner o join lead l on l.id = o.lead_id where l.status in ('LOST', 'INVALID') and o.until = l.ended_at
  union all select owner_id, 'GIVE_BACK', null, until from lead_owner where end_kind = 'RETURNED'`

/** How far the working time of all days has come by an instant, in the demo business: nobody there rests on a day or keeps a holiday. */
const workedBy = (at: string) => `(
  (${dayOf(at)} - date '2020-01-01') * shift.length
  + least(greatest(extract(epoch from (${at} at time zone 'Asia/Shanghai')::time) - shift.begins, 0), shift.length))`
/** Without terms the whole day is working time. */
const PROMPT = `(
  select ${workedBy('contacted_at')} - ${workedBy('since')} <= 1800 from (
    select coalesce(max(work_from), 0) * 3600 as begins, coalesce(max(work_to - work_from), 24) * 3600 as length
    from consultant where staff_id = head) shift)`
const STEPS = {
  contacted: count('spoken or was_added or tried'),
  added: count('was_added or tried'),
  trials: count('tried'),
  keen: count('keen'),
  deals: count('dealt'),
}

type Sums = Readonly<Record<string, number>>
type Told = {
  /** A row for each thing that is counted, with the `day` it is counted on. */
  readonly facts: string
  readonly sums: Readonly<Record<string, string>>
  /** What a row is counted by, by dimension. */
  readonly by: Readonly<Record<string, string>>
  /** The statistic's numbers, where they are more than these sums. */
  readonly values: (sums: Sums) => Values
}

const TOLD: Readonly<Record<string, Told>> = {
  'sales/sales-count': {
    facts: `
      with span as (${SPANS})
      select ${dayOf('since')} as day, owner_id as seller, org_id, channel, owner_id as head, since, contacted_at, spoken, was_added, tried, keen, dealt,
        0 as paid, 0 as back from span
      union all
      select ${dayOf('paid_at')}, sold_by, sold_org_id, channel, null, null, null, false, false, false, false, false, paid_fen, 0
      from sales_order where pay_state = 'PAID'
      union all
      select ${dayOf('r.ended_at')}, o.sold_by, o.sold_org_id, o.channel, null, null, null, false, false, false, false, false, 0, r.amount_fen
      from refund_application r join sales_order o on o.id = r.order_id where r.status = 'PAID'`,
    sums: {
      ...STEPS,
      leads: 'count(head)',
      heads: 'count(distinct head)',
      prompt: count(PROMPT),
      paid: 'sum(paid)',
      back: 'sum(back)',
    },
    by: { seller: 'seller', channel: 'channel', department: 'department', time: 'month' },
    values: ({ leads = 0, heads = 0, prompt = 0, paid = 0, back = 0, ...steps }) => ({
      ...steps,
      leads,
      promptRate: ratio(prompt, leads),
      addedRate: ratio(steps.added ?? 0, leads),
      dealRate: ratio(steps.deals ?? 0, leads),
      ...{ amount: paid, refunded: back, net: paid - back },
      perHead: heads === 0 ? null : Math.round(paid / heads),
    }),
  },
  'sales/salvage-count': {
    facts: `
      with span as (${SPANS})
      select *, ${dayOf('since')} as day, owner_id as seller, ${dayOf('until')} - ${dayOf('since')} as days from span where got = 'CLAIMED'`,
    sums: {
      ...{ contacted: STEPS.contacted, added: STEPS.added, keen: STEPS.keen, deals: STEPS.deals, claimed: 'count(*)' },
      sameDay: count('dealt and days = 0'),
      withinMonth: count('dealt and days <= 30'),
      revenue: 'coalesce(sum(paid_fen), 0)',
      returned: count('given_back'),
    },
    by: { seller: 'seller', department: 'department', source: 'source', channel: 'channel', time: 'month' },
    values: ({ claimed = 0, deals = 0, ...sums }) => ({ ...sums, claimed, deals, dealRate: ratio(deals, claimed) }),
  },
  'sales/act-count': {
    facts: `
      select owner, act, way, ${dayOf('at')} as day, case when ${hourOf('at')} < 9 then 'early' when ${hourOf('at')} > 20 then 'late'
        else 'from-' || (${hourOf('at')}::int - 1) / 2 * 2 + 1 end as hour
      from (${DEEDS}) deed`,
    sums: {
      acts: 'count(*)',
      followUps: count('way is not null'),
      calls: count(`way = 'PHONE'`),
      messages: count(`way = 'CHAT' or way = 'SMS'`),
      visits: count(`way = 'VISIT'`),
      changes: count('way is null'),
    },
    by: { owner: 'owner', hour: 'hour', act: 'act', time: 'month' },
    values: sums => sums,
  },
  'sales/intention-count': {
    facts: `
      select j.owner_id as owner, l.channel, j.level, ${dayOf('j.judged_at')} as day, lag(j.level) over lead as before,
        lead(j.level) over lead is null as newest,
        case when age = 0 then 'today' when age <= 3 then 'within-3' when age <= 7 then 'within-7' when age <= 30 then 'within-30' else 'later' end as age
      from lead_judgement j join lead l on l.id = j.lead_id,
        lateral (select ${dayOf('j.judged_at')} - ${dayOf('l.created_at')} as age) old
      window lead as (partition by j.lead_id order by j.judged_at, j.id)`,
    sums: {
      judged: 'count(*)',
      ...Object.fromEntries(['A', 'B', 'C', 'D'].map(level => [`now${level}`, count(`newest and level = '${level}'`)])),
      raised: count('level < before'),
      lowered: count('level > before'),
    },
    by: {
      age: 'age',
      was: `coalesce(before, 'NONE')`,
      owner: 'owner',
      level: 'level',
      channel: 'channel',
      time: 'month',
    },
    values: sums => sums,
  },
  'sales/phone-count': {
    facts: `
      select ${dayOf('b.created_at')} as day, r.batch_id as batch, s.owner, l.registered_at is not null as registered, l.status = 'DEAL' as dealt,
        l.status = 'INVALID' as wrong, s.owner is not null as had, coalesce(s.spoken, false) as spoken, coalesce(s.was_added, false) as was_added
      from number_row r join number_batch b on b.id = r.batch_id join lead l on l.id = r.lead_id left join (
        select lead_id, (array_agg(owner_id order by since desc, id desc))[1] as owner, bool_or(contacted_at is not null) as spoken,
          bool_or(added_at is not null) as was_added
        from lead_owner group by 1
      ) s on s.lead_id = l.id`,
    sums: {
      imported: 'count(*)',
      waiting: count('not (had or registered)'),
      contacted: count('spoken or was_added or registered'),
      added: count('was_added or registered'),
      registered: count('registered'),
      paid: count('dealt'),
      invalid: count('wrong'),
    },
    by: { batch: 'batch', owner: 'owner', time: 'month' },
    values: ({ imported = 0, waiting = 0, paid = 0, ...sums }) => ({
      ...sums,
      ...{ imported, waiting, paid, allocated: imported - waiting, paidRate: ratio(paid, imported) },
    }),
  },
  'sales/package-count': {
    facts: `
      select ${dayOf('w.begun')} as day, w.package_id as package, c.owner_then as owner, w.done * 2 >= size.n as half, w.done = size.n as finished,
        o.paid_fen as bought
      from (
        select t.member_id, t.package_id, min(t.begun_at) as begun, count(distinct t.lesson) filter (where t.percent = 100) as done,
          max(t.last_at) filter (where t.percent = 100) as last
        from lesson_taken t where t.package_id is not null group by 1, 2
      ) w join course_taken c using (member_id, package_id) join course_edition e on e.id = c.edition_id,
        lateral (select jsonb_array_length(e.body -> 'lessons') as n) size
      left join lateral (
        select paid_fen from sales_order s where w.done = size.n and s.member_id = w.member_id and s.paid_at >= w.last and s.paid_fen > 0
        order by s.paid_at, s.id limit 1
      ) o on true`,
    sums: {
      begun: 'count(*)',
      half: count('half'),
      finished: count('finished'),
      paid: 'count(bought)',
      amount: 'coalesce(sum(bought), 0)',
    },
    by: { package: 'package', owner: 'owner', time: 'month' },
    values: ({ begun = 0, finished = 0, paid = 0, ...sums }) => ({
      ...sums,
      ...{ begun, finished, paid, finishedRate: ratio(finished, begun), paidRate: ratio(paid, finished) },
    }),
  },
  'sales/work-count': {
    facts: `select member_id, medium, commenter_id, returned_for, ${dayOf('submitted_at')} as day, owner_then as owner, kind from work`,
    sums: {
      pupils: 'count(distinct member_id)',
      pictures: count(`medium = 'PICTURE'`),
      films: count(`medium = 'VIDEO'`),
      judged: 'count(commenter_id)',
      returned: 'count(returned_for)',
    },
    by: { owner: 'owner', kind: 'kind', time: 'month' },
    values: ({ pupils = 0, pictures = 0, films = 0, judged = 0, returned = 0 }) => {
      const works = pictures + films
      const rates = { judgedRate: ratio(judged, works), returnedRate: ratio(returned, works) }
      return { works, pupils, pictures, films, ...rates }
    },
  },
}

/** Each department counts with all below it. */
const ABOVE = `above as (select id, id as top from org union all select above.id, o.parent_id from above join org o on o.id = above.top where o.parent_id is not null)`
const MONTH = `to_char(day, 'YYYY-MM')`

/** The numbers by a dimension, or of all, as SQL adds them up. */
async function toldBy({ facts, sums, values }: Told, by: string | null): Promise<ReadonlyMap<string | null, Values>> {
  const key = by === null ? `'all'` : by === 'department' ? 'above.top::text' : by === 'month' ? MONTH : `(${by})::text`
  const { rows } = await instance.app.db.read.pool.query<Record<string, string>>(`
    with recursive ${ABOVE}, fact as (${facts})
    select ${key} as key, ${Object.entries(sums)
      .map(([name, sum]) => `${sum} as "${name}"`)
      .join(', ')}
    from fact ${by === 'department' ? 'join above on above.id = fact.org_id' : ''} where day between '${FROM}' and '${TO}' group by 1`)
  return new Map(
    rows.map(({ key: of = null, ...told }) => [
      of,
      values(Object.fromEntries(Object.entries(told).map(([name, sum]) => [name, Number(sum)]))),
    ]),
  )
}

const statisticOf = (name: string): Statistic => {
  const found = instance.app.catalogue.slices.find(({ statistic }) => statistic?.screen.name === name)?.statistic
  if (!found) throw new Error(`no statistic ${name}`)
  return found
}
const ask = async (statistic: Statistic, dimension: string): Promise<StatisticAnswer> => {
  const query = `from=${FROM}&to=${TO}&interval=month&dimension=${dimension}`
  const { code, data } = await boss.get<StatisticAnswer>(`/${numbersAt(statistic)}?${query}`)
  expect(code).toBe(0)
  return data
}

describe('every number of the sales statistics on the demo business', () => {
  test.each(Object.entries(TOLD))('%s is what SQL adds up another way', async (name, told) => {
    const statistic = statisticOf(name)
    expect(Object.keys(told.by).sort()).toEqual(Object.keys(statistic.dimensions).sort())
    const none = told.values(Object.fromEntries(Object.keys(told.sums).map(sum => [sum, 0])))
    let looked = 0
    for (const [dimension, by] of Object.entries(told.by)) {
      const { totals, rows, basis } = await ask(statistic, dimension)
      expect(Object.keys(totals[basis]?.now ?? {}).sort()).toEqual(Object.keys(statistic.measures).sort())
      expect(totals[basis]?.now, 'in all').toEqual((await toldBy(told, null)).get('all'))
      const found = await toldBy(told, by)
      const keyOf = (row: (typeof rows)[number]) => (dimension === 'time' ? row.from.slice(0, 7) : row.key)
      for (const row of rows)
        expect(row.values[basis], `${dimension} ${row.label}`).toEqual(found.get(keyOf(row)) ?? none)
      expect(
        [...found.keys()].filter(key => !rows.some(row => keyOf(row) === key)),
        dimension,
      ).toEqual([])
      looked += rows.length
    }
    expect(looked).toBeGreaterThan(10)
  })
})

test('the matrix of changes tells from what to what leads were judged anew, as their judgements one after the other do', async () => {
  const query = `from=${FROM}&to=${TO}&interval=month&dimension=was&across=level`
  const { data: told } = await boss.get<StatisticAnswer>(`/${numbersAt(statisticOf('sales/intention-count'))}?${query}`)
  // By the judgement before of the same lead, found for each by itself, and not by what the row says it was.
  const { rows: changes } = await instance.app.db.read.pool.query<{ was: string; level: string; n: number }>(`
    select coalesce((
        select b.level from lead_judgement b where b.lead_id = j.lead_id and (b.judged_at, b.id) < (j.judged_at, j.id)
        order by b.judged_at desc, b.id desc limit 1), 'NONE') as was, j.level, count(*)::int as n
    from lead_judgement j where ${dayOf('j.judged_at')} between '${FROM}' and '${TO}' group by 1, 2`)
  expect(changes.length).toBeGreaterThan(6)
  const found = (was: string | null, level: string | null) =>
    changes.find(change => change.was === was && change.level === level)?.n ?? 0
  const shown = told.rows.flatMap(({ key: was, cells }) =>
    cells.map((values, at) => ({ was, level: told.columns[at]?.key ?? null, values })),
  )
  for (const { was, level, values } of shown) {
    const name = `${was} to ${level}`
    const isRaised = was !== 'NONE' && String(level) < String(was)
    const n = found(was, level)
    expect([values.judged, values.raised, values.lowered], name).toEqual([
      n,
      isRaised ? n : 0,
      was !== 'NONE' && !isRaised ? n : 0,
    ])
  }
  const sum = shown.reduce((all, { values }) => all + (values.judged ?? 0), 0)
  expect(sum).toBe(changes.reduce((all, { n }) => all + n, 0))
  expect(sum).toBe(told.totals.judged?.now.judged)
})

test('every figure of the sales board is what SQL adds up another way', async () => {
  const { data: board } = await boss.get<Chart>('/sales/chart?month=2026-10')
  const within = (day: string) => `${day} between '2026-10-01' and '2026-10-31'`
  const ask = async <Row extends Record<string, unknown>>(text: string) =>
    (await instance.app.db.read.pool.query<Row>(text)).rows
  const people = await ask<Chart['people'][number]>(`
    with span as (${SPANS})
    select s.id::text as id, s.name, o.name as team, o.id::text as "teamId", c.id::text as "consultantId", g.target_fen::int as "targetFen",
      (select coalesce(sum(paid_fen), 0)::int from sales_order where sold_by = s.id and ${within(dayOf('paid_at'))}) as amount,
      (select count(*)::int from span where owner_id = s.id and ${within(dayOf('since'))}) as leads,
      (select count(*)::int from span where owner_id = s.id and ${within(dayOf('since'))} and dealt) as deals
    from staff s join org o on o.id = s.org_id left join (consultant c join consultant_target g on g.consultant_id = c.id and g.month = '2026-10-01')
      on c.staff_id = s.id`)
  const shown = people.filter(({ amount, leads, targetFen }) => amount || leads || targetFen)
  const inOrder = (all: readonly { id: string }[]) => all.toSorted((a, b) => Number(a.id) - Number(b.id))
  expect(shown.length).toBeGreaterThan(5)
  expect(inOrder(board.people.filter(({ amount, leads, targetFen }) => amount || leads || targetFen))).toEqual(
    inOrder(shown),
  )

  const sum = (all: typeof people, of: 'amount' | 'targetFen' | 'leads' | 'deals') =>
    all.reduce((total, one) => total + (one[of] ?? 0), 0)
  for (const [id, team] of Object.entries(Object.groupBy(shown, ({ teamId }) => String(teamId))))
    expect(
      board.teams.find(one => one.id === id),
      team?.[0]?.team ?? '',
    ).toMatchObject({
      ...{ amount: sum(team ?? [], 'amount'), leads: sum(team ?? [], 'leads'), deals: sum(team ?? [], 'deals') },
    })
  const [whole] = await ask<Record<string, number>>(`
    with span as (select * from (${SPANS}) s where ${within(dayOf('since'))})
    select (select coalesce(sum(paid_fen), 0)::int from sales_order where ${within(dayOf('paid_at'))}) as amount,
      (select coalesce(sum(amount_fen), 0)::int from refund_application where status = 'PAID' and ${within(dayOf('ended_at'))}) as back,
      count(*)::int as leads, ${Object.entries(STEPS)
        .map(([name, step]) => `(${step})::int as ${name}`)
        .join(', ')} from span`)
  expect([board.amount, board.net, board.targetFen]).toEqual([
    whole?.amount,
    (whole?.amount ?? 0) - (whole?.back ?? 0),
    sum(shown, 'targetFen'),
  ])
  expect(board.funnel.map(({ measure, count: of }) => [measure, of])).toEqual(
    board.funnel.map(({ measure }) => [measure, whole?.[measure]]),
  )

  const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
  const deeds = await ask<{ day: number; hour: number }>(`
    select extract(isodow from at at time zone 'Asia/Shanghai')::int - 1 as day, ${hourOf('at')}::int as hour from (${DEEDS}) d
    where ${within(dayOf('at'))}`)
  for (const { day, hour } of deeds) (hours[day] as number[])[hour] = (hours[day]?.[hour] ?? 0) + 1
  expect(deeds.length).toBeGreaterThan(10)
  expect(board.hours).toEqual(hours)
})
