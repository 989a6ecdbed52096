import { ADS } from '../../src/areas/traffic/source-count/model.ts'
import { ratio, type Values } from '../../src/kit/model/statistic.ts'

export const dayOf = (at: string) => `(${at} at time zone 'Asia/Shanghai')::date`
export const hourOf = (at: string) => `extract(hour from ${at} at time zone 'Asia/Shanghai')`
const count = (which: string) => `count(*) filter (where ${which})`

/** Whose leads were from when to when: not by the columns the statistics read, but by what people did and paid. */
export const SPANS = `
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
export const DEEDS = `
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
/** Of an order that concerns two partners once. */
const onceEach = (column: string) =>
  `coalesce((select sum((pair ->> 1)::bigint) from jsonb_array_elements(jsonb_agg(distinct jsonb_build_array(order_id, ${column}))) pair), 0)`
export const STEPS = {
  contacted: count('spoken or was_added or tried'),
  added: count('was_added or tried'),
  trials: count('tried'),
  keen: count('keen'),
  deals: count('dealt'),
}

type Sums = Readonly<Record<string, number>>
export type Told = {
  /** A row for each thing that is counted, with the `day` it is counted on. */
  readonly facts: string
  readonly sums: Readonly<Record<string, string>>
  /** What a row is counted by, by dimension. */
  readonly by: Readonly<Record<string, string>>
  /** The statistic's numbers, where they are more than these sums. */
  readonly values: (sums: Sums) => Values
}

export const TOLD: Readonly<Record<string, Told>> = {
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
  'traffic/source-count': {
    facts: `
      with money as (select member_id, min(paid_at) as first, sum(paid_fen) as paid from sales_order where paid_fen > 0 group by 1),
        back as (select member_id, sum(amount_fen) as back from refund_application where status = 'PAID' group by 1)
      select ${dayOf('l.created_at')} as day, l.source, l.channel, true as lead, l.status = 'DEAL' as dealt, registered_at is not null as registered,
        registered_at is not null and (l.status = 'DEAL' or exists (
          select from lesson_taken t where t.member_id = l.member_id union all select from work w where w.member_id = l.member_id)) as tried,
        registered_at is not null or l.status in ('ADDED', 'INTENT') or exists (select from chat_account_add where lead_id = l.id) as was_added,
        null::bigint as payer, null::bigint as paid, null::bigint as back, null::bigint as spent
      from lead l
      union all
      select ${dayOf('p.first')}, m.credited_source, m.credited_channel, null, false, false, false, false, m.id, p.paid, b.back, null
      from member m join money p on p.member_id = m.id left join back b on b.member_id = m.id
      union all
      select day, '${ADS.source}', '${ADS.channel}', null, false, false, false, false, null, null, null, spend_fen from ad_line`,
    sums: {
      leads: 'count(lead)',
      added: count('was_added'),
      registered: count('registered'),
      tried: count('tried'),
      dealt: count('dealt'),
      payers: 'count(payer)',
      ads: 'count(spent)',
      spent: 'coalesce(sum(spent), 0)',
      amount: 'coalesce(sum(paid), 0)',
      refunded: 'coalesce(sum(back), 0)',
    },
    by: { source: 'source', channel: 'channel', time: 'month' },
    values: ({ leads = 0, payers = 0, ads = 0, spent = 0, amount = 0, refunded = 0, ...steps }) => {
      const cost = ads === 0 ? null : spent
      const per = (n: number) => (cost === null || n === 0 ? null : Math.round(cost / n))
      return {
        ...steps,
        ...{ leads, payers, cost, costPerLead: per(leads), costPerPayer: per(payers), amount, refunded },
        roi: cost === null ? null : ratio(amount, cost),
        netRoi: cost === null ? null : ratio(amount - refunded, cost),
      }
    },
  },
  'channel/channel-count': {
    facts: `
      select ${dayOf('paid_at')} as day, channel, id as ordered, paid_fen as paid, 0 as back, 0 as worth, false as came, null::boolean as awaits
      from sales_order where pay_state = 'PAID'
      union all
      select ${dayOf('r.ended_at')}, o.channel, null, 0, r.amount_fen, 0, false, null
      from refund_application r join sales_order o on o.id = r.order_id where r.status = 'PAID'
      union all
      select ${dayOf('o.paid_at')}, o.channel, null, 0, 0, e.worth_fen, false, null
      from settlement_event e join sales_order o on o.id = e.order_id where o.pay_state = 'PAID'
      union all
      select ${dayOf('created_at')}, channel, null, 0, 0, 0, true, null from member
      union all
      select ${dayOf('o.paid_at')}, o.channel, null, 0, 0, 0, false, coalesce(j.frozen, true)
      from (
          select p.id as partner_id, o.id as order_id from partner p join sales_order o on o.channel = p.channel
          where o.pay_state = 'PAID' and o.paid_fen > 0 and o.paid_at >= p.created_at
          union select partner_id, order_id from settlement_event where order_id is not null) b
        join sales_order o on o.id = b.order_id
        left join (
          select partner_id, order_id, bool_or(verdict = 'FROZEN') and not bool_or(verdict = 'COUNTED') as frozen
          from settlement_event where order_id is not null group by 1, 2) j using (partner_id, order_id)`,
    sums: {
      amount: 'sum(paid)',
      registered: count('came'),
      orders: 'count(ordered)',
      refunded: 'sum(back)',
      commission: 'sum(worth)',
      open: count('awaits'),
      settled: count('not awaits'),
    },
    by: { channel: 'channel', time: 'month' },
    values: ({ amount = 0, registered = 0, orders = 0, refunded = 0, commission = 0, open = 0, settled = 0 }) => ({
      ...{ amount, registered, orders, refunded, net: amount - refunded - commission },
      commission: open > 0 && settled === 0 ? null : commission,
      average: orders === 0 ? null : Math.round(amount / orders),
    }),
  },
  'channel/distribution-count': {
    // By the orders and what was judged of them, not by the rows that keep both.
    facts: `
      with brought as (
          select p.id as partner, o.id as order_id from partner p join sales_order o on o.channel = p.channel
          where o.pay_state = 'PAID' and o.paid_fen > 0 and o.paid_at >= p.created_at
          union select partner_id, order_id from settlement_event where order_id is not null),
        judged as (
          select partner_id as partner, order_id, sum(worth_fen) as worth, array_agg(distinct verdict) as verdicts
          from settlement_event where order_id is not null group by 1, 2)
      select ${dayOf('o.paid_at')} as day, b.partner, b.order_id, o.channel, o.paid_fen as paid, o.refunded_fen as back, coalesce(j.worth, 0) as worth,
        case when j.order_id is null then 'WAITING' when 'COUNTED' = any(j.verdicts) then 'COUNTED' when 'FROZEN' = any(j.verdicts) then 'FROZEN'
          else j.verdicts[1] end as entry
      from brought b join sales_order o on o.id = b.order_id left join judged j using (partner, order_id)`,
    sums: {
      orders: 'count(distinct order_id)',
      amount: onceEach('paid'),
      refunded: onceEach('back'),
      counted: count(`entry = 'COUNTED'`),
      open: count(`entry in ('WAITING', 'FROZEN')`),
      lines: 'count(*)',
      commission: 'sum(worth)',
    },
    by: { partner: 'partner', entry: 'entry', channel: 'channel', time: 'month' },
    values: ({ orders = 0, amount = 0, refunded = 0, counted = 0, open = 0, lines = 0, commission = 0 }) => ({
      ...{ orders, amount, refunded, counted, open, notCounted: lines - counted - open },
      commission: lines > 0 && open === lines ? null : commission,
      net: amount - refunded - commission,
      share: lines > 0 && open === lines ? null : ratio(commission, amount - refunded),
    }),
  },
}
