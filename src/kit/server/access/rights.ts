import { sql } from 'kysely'
import { type Actor, EVERYTHING, NOTHING, previewed, type Scope, union } from '#kit/model/actor.ts'
import type { Right } from '#kit/model/field.ts'
import { type Database, run, type Tx } from '../database/database.ts'

export type Rights = {
  /** The person with the rights of all roles together; a page's scope is the widest of the roles that open it. */
  actor(staffId: string): Promise<Actor | undefined>
  /** The same person with no more than this role allows, until an instant; with all rights where the role is gone. */
  asRole(own: Actor, roleId: string, until: string): Promise<Actor>
  /** Roles or what they hold changed. */
  forget(): void
}

type Queries = Database['query'] | Tx
type Person = { id: string; account: string; name: string; orgId: string; roleIds: string[] }
/** Where somebody stands: what a role reaches hangs on it. */
export type Place = Pick<Person, 'id' | 'orgId'>
type Role = {
  id: string
  code: string
  name: string
  scope: string
  pages: ReadonlySet<string>
  chosenOrgs: readonly string[]
}

/** What a set of roles allows: one for all people who hold the same roles, however many are at work. */
type Charter = {
  readonly roles: readonly Role[]
  readonly roleCodes: readonly string[]
  readonly grants: Actor['grants']
  /** The scopes of somebody whose roles all see everything. */
  readonly everywhere: Actor['scopes']
}

export function openRights(db: Database, isDeaf: () => boolean): Rights {
  let known = new Map<string, Promise<Charter>>()
  const charterOf = (roleIds: readonly string[]): Promise<Charter> => {
    if (isDeaf()) return readCharter(db.query, roleIds)
    const key = roleIds.join()
    const place = known
    const charter = place.get(key) ?? readCharter(db.query, roleIds)
    place.set(key, charter)
    charter.catch(() => place.delete(key))
    return charter
  }
  return {
    async actor(staffId) {
      const person = await readPerson(db, staffId)
      if (!person) return undefined
      const { roles, roleCodes, grants, everywhere } = await charterOf(person.roleIds)
      const { id, account, name, orgId } = person
      const scopes = await scopesOf(db.query, roles, everywhere, person)
      return { id, account, name, orgId, roleCodes, superAdmin: roleCodes.includes('SUPER_ADMIN'), grants, scopes }
    },
    async asRole(own, roleId, until) {
      const { roles, grants } = await charterOf([roleId])
      const [role] = roles
      if (!role) return own
      const view = { code: role.code, grants, scope: await scopeOfRole(db.query, role, own) }
      return previewed(own, view, { roleId, name: role.name, until })
    },
    // Left behind and not emptied: what is being read for it now may be what was before.
    forget() {
      known = new Map()
    },
  }
}

/** The people who hold a right, in SQL. */
export const holdersSql = ({ page, action }: Right, bind: (value: unknown) => string): string =>
  `select sr.staff_id from staff_role sr join role r on r.id = sr.role_id where r.code = 'SUPER_ADMIN' or exists (
     select 1 from role_permission rp join permission p on p.id = rp.permission_id join permission menu on menu.id = p.parent_id
     where rp.role_id = r.id and p.display_type = 'PERMISSION' and not p.vanished
       and p.resource_code = ${bind(action)} and menu.resource_code = ${bind(page)})`

async function readPerson(db: Database, staffId: string): Promise<Person | undefined> {
  const [person] = await run(
    db.query,
    `select p.id, p.account, p.name, p.org_id as "orgId",
       array(select sr.role_id::text from staff_role sr where sr.staff_id = p.id order by sr.role_id) as "roleIds"
     from staff p where p.id = $1 and p.status = 'ENABLED'`,
    [staffId],
  )
  return person as Person | undefined
}

/** Every page and action of these roles, a line each; a page that is only opened has no action. */
export async function rightsOfRoles(query: Queries, roleIds: readonly string[]): Promise<HeldRight[]> {
  const held = await run(
    query,
    `select rp.role_id::text as "roleId", case p.display_type when 'MENU' then p.resource_code else menu.resource_code end as page,
       case p.display_type when 'PERMISSION' then p.resource_code end as action
     from role_permission rp join permission p on p.id = rp.permission_id left join permission menu on menu.id = p.parent_id
     where rp.role_id = any($1::bigint[]) and not p.vanished`,
    [roleIds],
  )
  return (held as (Omit<HeldRight, 'page'> & { page: string | null })[]).filter(
    (right): right is HeldRight => right.page !== null,
  )
}
export type HeldRight = { readonly roleId: string; readonly page: string; readonly action: string | null }

/** Everything a set of roles allows, whoever holds them. */
export async function readCharter(query: Queries, roleIds: readonly string[]): Promise<Charter> {
  const [roles, held, chosen] = await Promise.all([
    run(query, 'select id, code, name, scope from role where id = any($1::bigint[]) order by id', [roleIds]),
    rightsOfRoles(query, roleIds),
    run(query, 'select role_id, org_id from role_org where role_id = any($1::bigint[])', [roleIds]),
  ])
  const grants = new Map<string, Set<string>>()
  for (const { page, action } of held) {
    const actions = grants.get(page) ?? new Set()
    if (action !== null) actions.add(action)
    grants.set(page, actions)
  }
  return {
    grants,
    everywhere: new Map([...grants.keys()].map(page => [page, EVERYTHING])),
    roleCodes: roles.map(({ code }) => String(code)),
    roles: roles.map(({ id, code, name, scope }) => ({
      id: String(id),
      code: String(code),
      name: String(name),
      scope: String(scope),
      pages: new Set(held.flatMap(({ roleId, page }) => (roleId === id ? [page] : []))),
      chosenOrgs: chosen.flatMap(row => (row.role_id === id ? [String(row.org_id)] : [])),
    })),
  }
}

/** The rows each page of these roles shows to somebody who stands there. */
export async function scopesOf(
  query: Queries,
  roles: readonly Role[],
  everywhere: Actor['scopes'],
  person: Place,
): Promise<Actor['scopes']> {
  if (roles.every(({ scope }) => scope === 'ALL')) return everywhere
  const scopes = new Map<string, Scope>()
  for (const role of roles) {
    const scope = await scopeOfRole(query, role, person)
    for (const page of role.pages) {
      const other = scopes.get(page)
      scopes.set(page, other ? union([other, scope]) : scope)
    }
  }
  return scopes
}

/** Whose records a role opens to somebody who stands there. */
export async function scopeOfRole(query: Queries, role: Role, person: Place): Promise<Scope> {
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  switch (role.scope) {
    case 'ALL':
      return EVERYTHING
    case 'SELF':
      return { all: false, owners: [person.id], orgs: [] }
    case 'SELF_AND_SUBORDINATES': {
      const below = await sql<{ id: string }>`
        with recursive below as (
          select id from staff where id = ${person.id}
          union select s.id from staff s join below b on s.manager_id = b.id
        ) select id from below`.execute(query)
      return { all: false, owners: ids(below.rows), orgs: [] }
    }
    case 'DEPARTMENT':
      return { all: false, owners: [], orgs: [person.orgId] }
    case 'DEPARTMENT_AND_BELOW': {
      const below = await sql<{ id: string }>`
        select o.id from org o join org mine on o.path like mine.path || '%'
        where mine.id = ${person.orgId}`.execute(query)
      return { all: false, owners: [], orgs: ids(below.rows) }
    }
    case 'CHOSEN':
      return { all: false, owners: [], orgs: role.chosenOrgs }
    default:
      return NOTHING
  }
}
