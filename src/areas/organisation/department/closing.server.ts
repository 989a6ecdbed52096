import { sql } from 'kysely'
import { inOneLine } from '#kit/model/language.ts'
import { formatCount } from '#kit/model/money.ts'
import { onField, type Refusal, refuse } from '#kit/model/refusal.ts'
import type { Listener } from '#kit/server/app.ts'
import { allSaid, defineAnnouncement, saying } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import type { Department } from './model.ts'

/** Records that stand in a department by `org_id`, and which of them somebody still has to do with. */
type Standing = { readonly what: string; readonly table: string; readonly where: string }

const standingAsked = defineAnnouncement<(kind: Standing) => void>('department-standing-asked')

/** For the `listeners` of a slice whose records a department may not be closed over; `what` is its slice. */
export const standsIn = (kind: Standing): Listener => saying(standingAsked, kind)

/** More than this is said as "more than". */
const MOST_COUNTED = 1_000

/** The row is locked: whoever puts somebody there meanwhile has done so, or finds it closed. */
export async function whyNotClosed(op: Operation, { id, parentId }: Department): Promise<Refusal | undefined> {
  if (parentId === null) return refuse('company-stays-open')
  const { tx } = op
  const { rows } = await sql<{ below: number; people: number }>`
    select (select count(*)::int from org b where b.parent_id = ${id} and b.status = 'OPEN') as below,
      (select count(*)::int from staff s where s.org_id = ${id} and s.employment = 'ACTIVE') as people`.execute(tx)
  const { below = 0, people = 0 } = rows[0] ?? {}
  if (below > 0) return refuse('has-open-departments', { departments: below })
  if (people > 0) return refuse('has-people', { people })
  const records = await standing(op, id)
  return records.length > 0 ? refuse('has-standing', { records: inOneLine(op.call.language, records) }) : undefined
}

/** Each kind with how many of it there are, as one reads it. */
async function standing({ app, tx, call: { language } }: Operation, id: string): Promise<string[]> {
  const said: string[] = []
  for (const { what, table, where } of await allSaid(app, standingAsked)) {
    const counted = `select from ${table} t where t.org_id = $1 and ${where} limit ${MOST_COUNTED + 1}`
    const [found] = await run(tx, `select count(*)::int as n from (${counted}) found`, [id])
    const n = Number(found?.n ?? 0)
    if (n === 0) continue
    const count = n > MOST_COUNTED ? `> ${formatCount(MOST_COUNTED)}` : formatCount(n)
    said.push(`${app.texts.text(language, what, 'title')} ${count}`)
  }
  return said
}

const BELOW_CLOSED = `
  select o.id, o.parent_id from org o join org above on above.id = o.parent_id
  where o.status = 'OPEN' and above.status = 'CLOSED'`

/** Asked once more after what was changed: nothing that is open stands below what is closed. */
export async function requireOpenAbove(tx: Tx, field: 'parentId' | 'status'): Promise<void> {
  const [found] = await run(tx, `${BELOW_CLOSED} limit 1`, [])
  if (found) throw onField(field, refuse('below-closed'))
}

/** Whether somebody may be put there; whoever closes it waits until that is done. */
export async function isOpen({ tx }: Pick<Operation, 'tx'>, orgId: string): Promise<boolean> {
  const [found] = await run(tx, `select 1 from org where id = $1 and status = 'OPEN' for share`, [orgId])
  return found !== undefined
}

export const invariants: readonly Invariant[] = [
  { name: 'no open department stands below a closed one', query: BELOW_CLOSED },
  {
    name: 'nobody works in a closed department',
    query: `
      select s.id, s.org_id from staff s join org o on o.id = s.org_id
      where o.status = 'CLOSED' and s.employment = 'ACTIVE'`,
  },
]
