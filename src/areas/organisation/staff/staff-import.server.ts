import { sql } from 'kysely'
import { scopeOf } from '#kit/model/actor.ts'
import { code, day, optional, personal, text } from '#kit/model/field.ts'
import { refuse } from '#kit/model/refusal.ts'
import { isAccount } from '#kit/server/auth/admin.ts'
import { makeOneTimePassword } from '#kit/server/auth/one-time.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { defineImport, type ImportRow, type RowError } from '#kit/server/import/definition.ts'
import { resource } from './model.ts'
import { takeIn } from './taking-in.server.ts'

/** Each is an account of its own: few enough that nobody else who hires waits for long. */
const CHUNK = 100

const { name, gender, email } = resource.record.shape
const columns = {
  name,
  department: text(100),
  position: text(100),
  gender,
  account: optional(code(50)),
  phone: optional(personal('phone', 30)),
  email,
  birthday: optional(day()),
}
type Person = ImportRow<typeof columns>

/** A list of people as personnel keeps it. Departments and positions are named as people call them, or by their codes. */
export const staffImport = defineImport({
  screen: resource.screen,
  columns,
  unique: ['account', 'phone'],
  chunk: CHUNK,
  async check({ app, actor }, rows) {
    const scope = scopeOf(actor, resource.screen.key)
    const known = await knownOf(app.db.query, rows)
    const departmentError = (called: string): RowError[] => {
      const found = known.departments.get(called)
      if (found === undefined) return [{ ...refuse('import-department'), field: 'department' }]
      if (found === null) return [{ ...refuse('import-ambiguous'), field: 'department' }]
      const isReached = scope.all || scope.orgs.includes(found)
      return isReached ? [] : [{ ...refuse('department-out-of-reach'), field: 'department' }]
    }
    const positionError = (called: string): RowError[] => {
      const found = known.positions.get(called)
      if (found) return []
      return [{ ...refuse(found === null ? 'import-ambiguous' : 'import-position'), field: 'position' }]
    }
    const accountError = (account: string | null): RowError[] => {
      if (account === null) return []
      const low = account.toLowerCase()
      if (!isAccount(low)) return [{ ...refuse('kit/server/auth:account-invalid'), field: 'account' }]
      return known.accounts.has(low)
        ? [{ ...refuse('kit/server/auth:account-taken', { account: low }), field: 'account' }]
        : []
    }
    return new Map(
      rows.map(({ no, values }) => [
        no,
        [...departmentError(values.department), ...positionError(values.position), ...accountError(values.account)],
      ]),
    )
  },
  async apply(op, rows) {
    const known = await knownOf(op.tx, rows)
    // Nobody is told this one: whoever comes in by a file gets in once somebody resets the password.
    const { hash } = await makeOneTimePassword()
    const made: string[] = []
    for (const { values } of rows) {
      const { department, position, ...person } = values
      const positions = [{ positionId: known.positions.get(position) ?? '', isPrimary: true }]
      const orgId = known.departments.get(department) ?? ''
      made.push((await takeIn(op, { ...person, orgId, managerId: null, positions }, hash)).id)
    }
    return made
  },
})

/** What is called so; null where several are. */
type Called = ReadonlyMap<string, string | null>

/** The departments, positions and accounts these rows speak of. */
async function knownOf(db: Queries, rows: readonly Person[]) {
  const of = (field: 'department' | 'position') => [...new Set(rows.map(({ values }) => values[field]))]
  const departments = await sql<Named>`
    select id, name, code from org where status = 'OPEN'
      and (name = any(${of('department')}::text[]) or code = any(${of('department')}::text[]))`.execute(db)
  const positions = await sql<Named>`
    select id, name, code from job_position where status = 'ENABLED'
      and (name = any(${of('position')}::text[]) or code = any(${of('position')}::text[]))`.execute(db)
  const wanted = rows.flatMap(({ values: { account } }) => account?.toLowerCase() ?? [])
  const accounts = await sql<{ account: string }>`
    select account from staff where account = any(${wanted}::text[])`.execute(db)
  return {
    departments: called(departments.rows),
    positions: called(positions.rows),
    accounts: new Set(accounts.rows.map(({ account }) => account)),
  }
}
type Named = { readonly id: string; readonly name: string; readonly code: string }

/** A code is one record's; a name may be several records'. */
function called(rows: readonly Named[]): Called {
  const found = new Map<string, string | null>()
  for (const { id, name: word } of rows) found.set(word, found.has(word) ? null : id)
  for (const { id, code: word } of rows) found.set(word, id)
  return found
}
