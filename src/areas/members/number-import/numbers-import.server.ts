import { sql } from 'kysely'
import * as z from 'zod'
import { resource as member } from '#areas/members/member/model.ts'
import { shutOut } from '#engines/allocation/round.server.ts'
import { takeBackLeads } from '#engines/lead/ending.server.ts'
import type { Owner } from '#engines/lead/model.ts'
import { arrive } from '#engines/lead/server.ts'
import { type Actor, scopeOf } from '#kit/model/actor.ts'
import { code, dictionary, optional, personal } from '#kit/model/field.ts'
import { mask } from '#kit/model/mask.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { holdersSql } from '#kit/server/access/rights.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import { defineImport, type ImportedBatch, type ImportRow, type RowError } from '#kit/server/import/definition.ts'
import { binder, peopleSql, scopeSql } from '#kit/server/list/scope.ts'
import { area } from '../area.ts'
import { tellOfSpans } from './counting.server.ts'
import { type ListSaid, leftOut, listSaid, resource, whyNotSaid } from './model.ts'

const columns = {
  phone: personal('phone', 20),
  name: optional(personal('name', 50)),
  // Where a row says nothing else, it is from where the list is.
  source: optional(listSaid.cameFrom),
  channel: dictionary('CHANNEL'),
  consent: dictionary('LEAD_CONSENT'),
  owner: optional(code(50)),
}
type NumberRow = ImportRow<typeof columns>

const KNOWN: RowError = { ...refuse('number-known'), field: 'phone' }

/** Numbers as colleagues bring them: each names its source and the consent it rests on; nobody's wait in the pool. */
export const numbersImport = defineImport({
  screen: resource.screen,
  columns,
  asks: {
    shape: listSaid,
    refuse: said => whyNotSaid(said as ListSaid),
  },
  unique: ['phone'],
  async check({ app, actor }, rows) {
    // Of others it is said once the list is run: by a look alone, masked numbers would be found out by trying them.
    const known = await knownOf(
      app.db.query,
      rows.map(({ values }) => values.phone),
      actor,
    )
    const owners = await ownersOf(app.db.query, actor, rows)
    return new Map(
      rows.map(({ no, values: { phone, owner } }): [number, RowError[]] => [
        no,
        [
          ...(known.has(phone) ? [KNOWN] : []),
          ...(owner === null || owners.has(owner.toLowerCase())
            ? []
            : [{ ...refuse('owner-unknown'), field: 'owner' }]),
        ],
      ]),
    )
  },
  apply: bringIn,
  undo: takeBack,
})

/**
 * Numbers that make no lead: members', open leads', and those of earlier lists that led nowhere; all of them, or those in the sight of
 * somebody. Which of them is told to nobody.
 */
async function knownOf(db: Queries, phones: readonly string[], actor?: Actor): Promise<ReadonlySet<string>> {
  const { bind, values } = binder()
  const asked = bind(phones)
  const seen = (owned: Parameters<typeof scopeSql>[0], page: string | null) =>
    (actor && scopeSql(owned, scopeOf(actor, page ?? ''), bind)) || 'true'
  const rows = await run(
    db,
    `select t.phone from member t where t.phone = any(${asked}::text[]) and ${seen(member, area.screens.member.key)}
     union select t.phone from lead t where t.phone = any(${asked}::text[])
       and (t.ended_at is null or (t.came_by = 'IMPORT' and t.status = 'INVALID')) and ${seen({ scope: 'owned' }, resource.screen.key)}`,
    values,
  )
  return new Set(rows.map(({ phone }) => String(phone)))
}

/** The colleagues these rows name by their accounts. */
async function ownersOf(db: Queries, actor: Actor, rows: readonly NumberRow[]): Promise<ReadonlyMap<string, Owner>> {
  const accounts = [...new Set(rows.flatMap(({ values: { owner } }) => owner?.toLowerCase() ?? []))]
  if (accounts.length === 0) return new Map()
  const found = await sellersAmong(db, actor, bind => `t.account = any(${bind(accounts)}::text[])`)
  return new Map(found.map(({ account, ...owner }) => [account, owner]))
}

type Seller = Owner & { readonly account: string }

/** Of these colleagues those who are here, in reach of whoever brings the list, and whose job it is. */
async function sellersAmong(
  db: Queries,
  actor: Actor,
  which: (bind: (value: unknown) => string) => string,
): Promise<Seller[]> {
  const { bind, values } = binder()
  const page = area.screens.member.key ?? ''
  const reached = peopleSql(scopeOf(actor, page), bind) || 'true'
  const found = await run(
    db,
    `select t.id, t.account, t.org_id as "orgId" from staff t where ${which(bind)}
       and t.status = 'ENABLED' and ${reached} and t.id in (${holdersSql({ page, action: 'own' }, bind)}) order by t.id`,
    values,
  )
  return found.map(({ id, account, orgId }) => ({ id: String(id), account: String(account), orgId: String(orgId) }))
}

/**
 * Who gets the numbers that name nobody, in turn, whoever has the fewest of the list first. Of a department nobody who is paused or has had
 * enough; where that leaves nobody, the numbers wait for the rules.
 */
async function takersOf(op: Operation, batchId: string, said: ListSaid): Promise<readonly Owner[]> {
  const { tx, actor } = op
  const { giveToId, dealToId } = said
  if (giveToId !== null) {
    const taker = await sellersAmong(tx, actor, bind => `t.id = ${bind(giveToId)}`)
    if (taker.length === 0) throw new Refused(refuse('owner-unknown'))
    return taker
  }
  if (dealToId === null) return []
  const shut = await shutOut(op)
  const takers = await sellersAmong(
    tx,
    actor,
    bind => `t.org_id in (select o.id from org o join org d on o.path like d.path || '%' where d.id = ${bind(dealToId)})
      and t.id <> all(${bind(shut)}::bigint[])`,
  )
  const had = await hadOf(tx, batchId)
  return takers.toSorted((one, other) => (had.get(one.id) ?? 0) - (had.get(other.id) ?? 0))
}

/** How many of this list each has by now: it comes in a thousand at a time. */
async function hadOf(tx: Tx, batchId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select r.owner_id as id, count(*)::int as count from number_row r join number_batch b on b.id = r.batch_id
    where b.import_id = ${batchId} and r.owner_id is not null group by 1`.execute(tx)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

async function bringIn(op: Operation, rows: readonly NumberRow[], batch: ImportedBatch) {
  const said = saidOf(batch)
  const takers = await takersOf(op, batch.id, said)
  const owners = await ownersOf(op.tx, op.actor, rows)
  // Somebody has left between the check and now: the kit finds the rows that name that person.
  if (rows.some(({ values: { owner } }) => owner !== null && !owners.has(owner.toLowerCase())))
    throw new Refused(refuse('owner-unknown'))
  const known = await knownOf(
    op.tx,
    rows.map(({ values }) => values.phone),
  )
  const fresh = rows.filter(({ values }) => !known.has(values.phone))
  const nobodys = fresh.filter(({ values }) => values.owner === null)
  const dealt = new Map(nobodys.map(({ no }, nth) => [no, takers[nth % takers.length]]))
  const ownerOf = ({ no, values: { owner } }: NumberRow) =>
    owner === null ? dealt.get(no) : owners.get(owner.toLowerCase())
  const arrived = await arrive(
    op,
    fresh.map(row => {
      const { phone, name, source, channel, consent } = row.values
      const came = { cameBy: 'IMPORT', key: `import:${batch.id}`, owner: ownerOf(row) ?? null } as const
      return { phone, name, source: source ?? said.cameFrom, channel, consent, ...came }
    }),
  )
  const leads = new Map(arrived.flatMap(one => (one.result === 'NEW' ? [[one.phone, one.leadId] as const] : [])))
  const made = rows.flatMap(row => {
    const leadId = leads.get(row.values.phone)
    const owner = ownerOf(row)
    const made = { no: row.no, phone: row.values.phone, ownerId: owner?.id, orgId: owner?.orgId }
    return leadId === undefined ? [] : [{ leadId, ...made }]
  })
  await keep(op, { ...batch, said }, made, rows.length - made.length)
  return rows.map(({ values }) => leads.get(values.phone) ?? KNOWN)
}

/** One that was checked before anything was said of lists is checked anew. */
function saidOf({ said }: ImportedBatch): ListSaid {
  const read = z.strictObject(listSaid).safeParse(said)
  if (!read.success) throw new Refused(refuse('kit/server/import:import-not-checked'))
  return read.data
}

type Made = {
  readonly leadId: string
  readonly no: number
  readonly phone: string
  readonly ownerId: string | undefined
  readonly orgId: string | undefined
}

/** With the first rows the batch itself: what was left out before is known by then. */
async function keep(
  op: Operation,
  batch: ImportedBatch & { readonly said: ListSaid },
  made: readonly Made[],
  known: number,
): Promise<void> {
  const { tx, now, actor } = op
  const { cameFrom, marketing } = batch.said
  const evidence = marketing === 'AGREED' ? batch.said.evidence : null
  const { repeatedRows, knownRows, badRows } = leftOut(batch.refused)
  const { rows } = await sql<{ id: string }>`
    insert into number_batch as b (import_id, title, came_from, marketing, evidence, all_rows, new_rows, repeated_rows, known_rows, bad_rows, owner_id, org_id, created_at)
    values (${batch.id}, ${batch.title}, ${cameFrom}, ${marketing}, ${evidence}, ${batch.allRows}, ${made.length}, ${repeatedRows}, ${knownRows + known}, ${badRows},
      ${actor.id}, ${actor.orgId}, ${now})
    on conflict (import_id) do update set new_rows = b.new_rows + ${made.length}, known_rows = b.known_rows + ${known},
      version = b.version + 1
    returning id`.execute(tx)
  await sql`
    insert into number_row (batch_id, lead_id, row_no, phone, owner_id, org_id, created_at)
    select ${rows[0]?.id}, m."leadId", m.no, m.phone, m."ownerId", coalesce(m."orgId", b.org_id), ${now}
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as m ("leadId" bigint, no int, phone text, "ownerId" bigint, "orgId" bigint),
      number_batch b where b.id = ${rows[0]?.id}
    order by m.no`.execute(tx)
  await tellOfSpans(
    tx,
    made.map(({ leadId }) => leadId),
  )
}

const NAMED = 5

/** As if the list had never come, unless somebody has touched one of its numbers: those are named, and all stay. */
async function takeBack(op: Operation, leadIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct batch_id as id from number_row where lead_id = any(${leadIds}::bigint[])`.execute(op.tx)
  const touched = await takeBackLeads(op, leadIds)
  if (touched.length > 0) {
    const phones = touched.slice(0, NAMED).map(phone => mask('phone', phone))
    throw new Refused(refuse('undo-touched', { count: touched.length, phones: phones.join(', ') }))
  }
  await sql`
    update number_batch set status = 'UNDONE', new_rows = new_rows - ${leadIds.length}, allocated = 0, version = version + 1
    where id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(op.tx)
}
