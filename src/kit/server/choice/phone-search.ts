import type { Scope } from '#kit/model/actor.ts'
import { CODES } from '#kit/model/contract.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { Reference } from '#kit/model/resource.ts'
import { readTyped, type Typed } from '#kit/model/typed.ts'
import { type Gate, requireAttempt, untake } from '../access/gate.ts'
import type { App } from '../app.ts'
import type { Access, Call } from '../call.ts'
import { record } from '../change/audit.ts'
import { binder, scopeSql } from '../list/scope.ts'
import { fitting, isNaming } from '../list/search.ts'

/** One counter, by whichever way somebody asks. */
export const PHONE_SEARCHES: Gate = { kind: 'phone-search', limit: 30, windowMs: 600_000 }
/** Of one name and one end of a number there are few. */
const MAX_NAMESAKES = 20

/** Where whoever has a number stands, and what decides who sees them there. */
export type PhoneHolder = Pick<Reference, 'table' | 'scope' | 'carer'> & { readonly column: string }
/** With the columns they are found by. */
export type Named<Holder> = Holder & Pick<Reference, 'search'>
/** On which page somebody asks, and whom that person sees there. */
export type Asking = { readonly page: string; readonly scope: Scope }

/** Whom a number belongs to, or a name with the last four of one: counted before it is looked for, and logged. */
export async function findByPhone(
  app: App,
  call: Call<Exclude<Access, 'public'>>,
  { page, scope }: Asking,
  holder: Named<PhoneHolder>,
  text: string,
): Promise<string[]> {
  const typed = readTyped(text)
  const invalid = refuse('kit:phone-invalid')
  if (typed?.kind !== 'phone' && typed?.kind !== 'last-four') throw onField('phone', invalid)
  await requireAttempt(app.db.query, PHONE_SEARCHES, call.actor.id, call.now)
  const note = (ids: readonly string[], code: number = CODES.ok) =>
    record(app.db.query, call, {
      page,
      action: 'find-by-phone',
      ...(ids.length === 1 ? { recordId: String(ids[0]) } : {}),
      code,
    })
  if (typed.kind === 'last-four') {
    const ids = await findNamesakes(app, holder, scope, typed)
    await note(ids)
    return ids
  }
  const found = await findHolder(app, holder, scope, typed.phone)
  await note(found ? [found.id] : [], found && !found.isSeen ? CODES.rule : CODES.ok)
  if (found && !found.isSeen) throw new Refused(await elsewhere(app, holder, found.id))
  return found ? [found.id] : []
}

/**
 * Somebody names a record by its number, and is refused where none in sight has it. So what is refused counts as a search: limited and
 * logged with the searches. What is right says itself what was done.
 */
export async function namingByPhone<T>(
  app: App,
  call: Call<Exclude<Access, 'public'>>,
  page: string,
  work: () => Promise<T>,
): Promise<T> {
  const mine = [app.db.query, PHONE_SEARCHES, call.actor.id] as const
  await requireAttempt(...mine, call.now)
  try {
    const done = await work()
    await untake(...mine)
    return done
  } catch (error) {
    if (error instanceof Refused)
      await record(app.db.query, call, { page, action: 'find-by-phone', code: CODES.validation })
    else await untake(...mine)
    throw error
  }
}

/** Whose the number is: nobody's, somebody this person sees, or somebody of another team. */
export async function findHolder(
  { db }: App,
  { table, column, ...owned }: PhoneHolder,
  scope: Scope,
  phone: string,
): Promise<{ id: string; isSeen: boolean } | undefined> {
  const { bind, values } = binder()
  const seen = scopeSql(owned, scope, bind) || 'true'
  // Of several that came under one number one after the other, the last is meant.
  const [row] = await db.read.rows(
    `select t.id::text as id, coalesce(${seen}, false) as seen from ${table} t where t.${column} = ${bind(phone)}
     order by t.id desc limit 1`,
    values,
  )
  return row && { id: String(row.id), isSeen: row.seen === true }
}

/** Those of a name whose number ends so, among those this person sees: what their masked numbers show, and no more. */
async function findNamesakes(
  { db }: App,
  { table, column, search, ...owned }: Named<PhoneHolder>,
  scope: Scope,
  { name, digits }: Extract<Typed, { kind: 'last-four' }>,
): Promise<string[]> {
  const { bind, values } = binder()
  const parts = [
    fitting(search.filter(isNaming), name, bind),
    `right(t.${column}, 4) = ${bind(digits)}`,
    scopeSql(owned, scope, bind),
  ]
  const rows = await db.read.planned(
    `select t.id::text as id from ${table} t where ${parts.filter(part => part !== '').join(' and ')} order by t.id desc limit ${MAX_NAMESAKES}`,
    values,
  )
  return rows.map(({ id }) => String(id))
}

/** Of somebody of another team no more is told than whom to ask: the manager of the person in charge. */
export async function elsewhere({ db }: App, { table }: PhoneHolder, id: string): Promise<Refusal> {
  const [manager] = await db.read.rows(
    `select m.name from ${table} t join staff s on s.id = t.owner_id join staff m on m.id = s.manager_id where t.id = $1`,
    [id],
  )
  return manager ? refuse('kit:phone-elsewhere', { name: String(manager.name) }) : refuse('kit:phone-elsewhere-unled')
}
