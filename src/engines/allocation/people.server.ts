import { sql } from 'kysely'
import { dayOf, startOfDay } from '#kit/model/time.ts'
import type { WorkingHours } from '#kit/model/working-time.ts'
import type { Change } from '#kit/server/app.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Person } from './model.ts'

const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const

/** What is counted of consultants, as of now; nobody's terms are touched. */
export async function countFigures({ tx, now }: Pick<Change, 'tx' | 'now'>): Promise<void> {
  const today = dayOf(now)
  const since = startOfDay(today)
  await sql`
    with counted as (
      select c.id,
        (select count(*) from lead_owner o where o.owner_id = c.staff_id and o.got = 'ALLOCATED' and o.since >= ${since})
          + coalesce((select b.received from lead_taken_back b where b.owner_id = c.staff_id and b.day = ${today}), 0) as received,
        (select count(*) from lead l where l.owner_id = c.staff_id and l.first_contact_at >= ${since}) as contacted,
        (select count(*) from lead_owner o where o.owner_id = c.staff_id and o.got = 'CLAIMED' and o.since >= ${since}) as claimed,
        (select count(*) from lead_owner o where o.owner_id = c.staff_id and o.until is null and o.reached = 'ASSIGNED') as unspoken,
        (select count(*) from lead l where l.owner_id = c.staff_id and l.status in ('ASSIGNED', 'CONTACTED', 'ADDED', 'TRIAL', 'INTENT')) as open_leads,
        (select t.target_fen from consultant_target t where t.consultant_id = c.id and t.month = date_trunc('month', ${today}::date)::date) as target_fen
      from consultant c
    )
    update consultant c set received = n.received, contacted = n.contacted, claimed = n.claimed, unspoken = n.unspoken,
      open_leads = n.open_leads, target_fen = n.target_fen
    from counted n where n.id = c.id and (c.received, c.contacted, c.claimed, c.unspoken, c.open_leads, c.target_fen)
      is distinct from (n.received, n.contacted, n.claimed, n.unspoken, n.open_leads, n.target_fen)`.execute(tx)
}

export type Known = Person & { readonly consultantId: string; readonly orgId: string }
type Read = Omit<Known, 'days' | 'last'> & { days: string[]; last: string; told: Person | null; toldOn: string | null }
export type People = {
  readonly all: readonly Known[]
  /** Of whom something else is known than what was told last today. */
  readonly news: readonly Person[]
}

/** Everybody leads may be given to, who neither leaves, moves nor pauses until the round is stored. */
export async function readPeople({ tx, now }: Pick<Change, 'tx' | 'now'>): Promise<People> {
  const { rows } = await sql<Read>`
    select c.id as "consultantId", c.staff_id as id, s.org_id as "orgId", s.status = 'ENABLED' and s.employment = 'ACTIVE' as "isHere",
      c.status = 'ON' or coalesce(c.paused_until <= ${now}, false) as "isOn", c.weight, c.daily_cap as "dailyCap", c.open_cap as "openCap",
      c.work_days as days, c.work_from as "from", c.work_to as "to", c.received, c.unspoken, c.last_no as last, c.told, c.told_on::text as "toldOn"
    from consultant c join staff s on s.id = c.staff_id order by c.staff_id for no key update of c for share of s`.execute(
    tx,
  )
  const today = dayOf(now)
  const read = rows.map(({ told, toldOn, consultantId, orgId, days, last, ...terms }) => {
    const person: Person = { ...terms, days: daysOf(days), last: Number(last) }
    const isNews = toldOn !== today || JSON.stringify(ordered(told)) !== JSON.stringify(ordered(person))
    return { person, isNews, known: { ...person, consultantId, orgId } }
  })
  return {
    all: read.map(({ known }) => known),
    news: read.filter(({ isNews }) => isNews).map(({ person }) => person),
  }
}

/** When these people work by their terms, where they have some, and by the holidays of the rules in force. */
export async function readHours(db: Queries, staffIds: readonly string[]): Promise<ReadonlyMap<string, WorkingHours>> {
  const { rows } = await sql<WorkTerms>`
    select staff_id as "staffId", work_days as days, work_from as "from", work_to as "to", holidays_in_force()::text[] as holidays
    from consultant where staff_id = any(${staffIds}::bigint[])`.execute(db)
  return new Map(rows.map(({ staffId, days, ...hours }) => [staffId, { ...hours, days: daysOf(days) }]))
}
type WorkTerms = Omit<WorkingHours, 'days'> & { staffId: string; days: string[] }

/** Who names no day works on all of them. */
const daysOf = (names: readonly string[]): number[] => (names.length === 0 ? WEEKDAYS : names).map(weekdayOf)
const weekdayOf = (name: string): number => (WEEKDAYS as readonly string[]).indexOf(name) + 1
/** A column of JSON keeps no order of its own. */
const ordered = (person: object | null) => Object.entries(person ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))

/** What the round told of people is not told again today. */
export const keepTold = ({ tx, now }: Pick<Change, 'tx' | 'now'>, news: readonly Person[]) =>
  sql`
    update consultant c set told = n.told, told_on = ${dayOf(now)}
    from (select (p->>'id')::bigint as id, p as told from jsonb_array_elements(${JSON.stringify(news)}::jsonb) as p) n
    where c.staff_id = n.id`.execute(tx)
