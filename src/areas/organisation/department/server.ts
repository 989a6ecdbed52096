import { sql } from 'kysely'
import { inOneLine, type Language } from '#kit/model/language.ts'
import { formatCount } from '#kit/model/money.ts'
import { onField, type Refusal, refuse } from '#kit/model/refusal.ts'
import { requireNotLifted } from '#kit/server/access/giving.ts'
import type { App } from '#kit/server/app.ts'
import type { OpenWork } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { invariants as closingInvariants, requireOpenAbove, whyNotClosed } from './closing.server.ts'
import { type Department, resource } from './model.ts'

export const routes = serve(resource, {
  detail: async (app, { id }) => ({ people: await peopleOf(app, id) }),
  async store(op, input, before, write) {
    const closes = before?.status === 'OPEN' && input.status === 'CLOSED'
    const refusal = closes ? await whyNotClosed(op, before) : undefined
    if (refusal) throw onField('status', refusal)
    const id = await write(input)
    if (before && before.status !== input.status) await requireOpenAbove(op.tx, 'status')
    if (!before) await op.app.sessions.changed(op.tx)
    return id
  },
  // Who sees what hangs on where departments stand.
  tree: { beside: besides, follows: whatFollows, moved: afterMove },
  kept: whatKeeps,
  remove: op => op.app.sessions.changed(op.tx),
  constraints: { org_code_key: { code: 'kit:taken', field: 'code' } },
})

/** Whoever reaches "the department and below" would otherwise put any branch below his own. */
async function afterMove({ app, tx, actor }: Operation): Promise<void> {
  await requireOpenAbove(tx, 'parentId')
  await requireNotLifted(tx, actor)
  await app.sessions.changed(tx)
}

const peopleOf = (app: App, id: string): Promise<Department['people']> =>
  app.db.query
    .selectFrom('staff')
    .select(['id', 'name', 'account'])
    .where('org_id', '=', id)
    .where('status', '=', 'ENABLED')
    .orderBy('name_pinyin')
    .execute()

/** How many work there, those of the departments below counted, as one speaks of a department; of a closed one that it is. */
async function besides(app: App, language: Language): Promise<ReadonlyMap<string, string>> {
  const rows = await app.db.read.rows(
    `select o.id, count(*)::text as n from org o join org below on starts_with(below.path, o.path)
       join staff s on s.org_id = below.id and s.status = 'ENABLED' group by o.id`,
    [],
  )
  const closed = await app.db.query.selectFrom('org').select('id').where('status', '=', 'CLOSED').execute()
  const word = app.texts.text(language, resource.screen.name, 'status.CLOSED')
  return new Map([
    ...rows.map(({ id, n }) => [String(id), String(n)] as const),
    ...closed.map(({ id }) => [id, word] as const),
  ])
}

/** Who sees a department's records by a role that reaches "the department and below" sees, after the move, those of another branch. */
async function whatFollows(app: App, { id, parentId }: Department, target: string | null, language: Language) {
  const [moved] = await app.db.read.rows(
    `select count(distinct o.id)::int as departments, count(s.id)::int as people
     from org own join org o on starts_with(o.path, own.path) left join staff s on s.org_id = o.id and s.status = 'ENABLED'
     where own.id = $1`,
    [id],
  )
  const rows = await rowsOf(app, id, language)
  const leading = async (above: string | null) => {
    const rows = await app.db.read.rows(
      `select distinct p.id, p.name from org place join org o on starts_with(place.path, o.path)
         join staff p on p.org_id = o.id and p.status = 'ENABLED'
         join staff_role sr on sr.staff_id = p.id join role r on r.id = sr.role_id and r.scope = 'DEPARTMENT_AND_BELOW'
       where place.id = $1 order by p.name limit ${MOST_NAMED * 4}`,
      [above],
    )
    return new Map(rows.map(row => [String(row.id), String(row.name)]))
  }
  const [before, after] = [await leading(parentId), await leading(target)]
  const only = (those: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>) =>
    [...those].flatMap(([key, name]) => (others.has(key) ? [] : [name]))
  const [gain, lose] = [only(after, before), only(before, after)]
  return [
    refuse('moves-with', { departments: Number(moved?.departments ?? 1) - 1, people: Number(moved?.people ?? 0) }),
    ...(rows.length > 0 ? [refuse('rows-seen', { rows: inOneLine(language, rows) })] : []),
    ...(gain.length > 0 ? [refuse('see-more', named(gain, language))] : []),
    ...(lose.length > 0 ? [refuse('see-less', named(lose, language))] : []),
  ]
}
const MOST_NAMED = 5

/** How many records of each list are the branch's, as the lists keep count of them: so many more or fewer somebody sees. */
async function rowsOf({ db, catalogue, texts }: App, id: string, language: Language): Promise<string[]> {
  const kept = await db.read.rows(
    `select k.table_name as of, sum(k.n)::int as n from org own join org o on starts_with(o.path, own.path)
       join kept_count k on k.org_id = o.id
     where own.id = $1 and k.table_name <> 'staff' group by 1 having sum(k.n) > 0`,
    [id],
  )
  const counts = new Map(kept.map(({ of, n }) => [String(of), Number(n)]))
  return catalogue.slices.flatMap(({ resource: listed }) => {
    const count = listed && counts.get(listed.table)
    if (!count) return []
    counts.delete(listed.table)
    return [`${texts.text(language, listed.screen.name, 'title')} ${formatCount(count)}`]
  })
}

const named = (names: readonly string[], language: Language) => ({
  names: inOneLine(language, names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), '…'] : names),
  count: names.length,
})

/** The oldest at the top: where two stand there, from before there was one company, the other is a branch nobody has put in its place. */
const COMPANY = 'select min(id) from org where parent_id is null'

export const openWork: readonly OpenWork[] = [
  {
    name: 'departments beside the company',
    query: `
      select o.name, o.code, c.name as company from org o join org c on c.id = (${COMPANY})
      where o.parent_id is null and o.id <> c.id order by o.id`,
    say: ({ name, code, company }) =>
      `${name} (${code}) stands beside the company: move it below ${company}, or delete it when it is empty`,
  },
]

export const invariants = closingInvariants

type Use = {
  id: string
  top: boolean
  below: boolean
  people: number
  past: boolean
  records: number
  once: boolean
  role: string | null
}

/** The company itself, and whatever still holds departments, people or rights, stays; another one beside it is no company, and may go. */
async function whatKeeps(db: Queries, rows: readonly Pick<Department, 'id'>[]): Promise<ReadonlyMap<string, Refusal>> {
  const uses = await sql<Use>`
    select o.id, o.id = (${sql.raw(COMPANY)}) as top,
      exists (select from org b where b.parent_id = o.id) as below,
      (select count(*)::int from staff s where s.org_id = o.id and s.status = 'ENABLED') as people,
      exists (select from staff s where s.org_id = o.id) as past,
      (select coalesce(sum(k.n), 0)::int from kept_count k where k.org_id = o.id and k.table_name <> 'staff') as records,
      exists (select from staff_department d where d.org_id = o.id) as once,
      (select r.name from role_org ro join role r on r.id = ro.role_id where ro.org_id = o.id limit 1) as role
    from org o where o.id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(db)
  const why = ({ top, below, people, past, records, once, role }: Use) => {
    if (top) return refuse('is-company')
    if (below) return refuse('has-departments')
    if (people > 0) return refuse('has-people', { people })
    if (past) return refuse('had-people')
    if (records > 0) return refuse('has-records', { records })
    if (once) return refuse('once-people')
    return role === null ? undefined : refuse('in-role', { role })
  }
  return new Map(
    uses.rows.flatMap(use => {
      const refusal = why(use)
      return refusal ? [[use.id, refusal] as const] : []
    }),
  )
}
