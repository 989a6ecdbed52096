/** Which rows a person sees: those owned by one of `owners`, those of one of `orgs`, or all. */
export type Scope =
  | { readonly all: true }
  | { readonly all: false; readonly owners: readonly string[]; readonly orgs: readonly string[] }

/** The person a call is made by, with what the roles of that person allow. */
export type Actor = {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly orgId: string
  readonly roleCodes: readonly string[]
  readonly superAdmin: boolean
  /** Page key → actions; the page key alone (an empty set) opens the page without any action. */
  readonly grants: ReadonlyMap<string, ReadonlySet<string>>
  /** Page key → widest scope of the roles that hold it. */
  readonly scopes: ReadonlyMap<string, Scope>
}

export const NOTHING: Scope = { all: false, owners: [], orgs: [] }
export const EVERYTHING: Scope = { all: true }

/** The one place that decides whether a person holds an action on a page. Unknown pages and actions are denied. */
export const can = (actor: Actor, page: string, action: string): boolean =>
  actor.superAdmin || (actor.grants.get(page)?.has(action) ?? false)

/** Whether the person may open the page at all, whatever may be done there. */
export const mayOpen = (actor: Actor, page: string): boolean => actor.superAdmin || actor.grants.has(page)

export const scopeOf = (actor: Actor, page: string): Scope =>
  actor.superAdmin ? EVERYTHING : (actor.scopes.get(page) ?? NOTHING)

/** Whose a row is: its owner, and whoever cares for it besides, each with a department. */
export type Whose = {
  readonly ownerId: string | null
  readonly orgId: string | null
  readonly carerId?: string | null
  readonly carerOrgId?: string | null
}

/** The same question the list engine asks in SQL, for pushes and single rows already in hand. */
export const inScope = (scope: Scope, { ownerId, orgId, carerId = null, carerOrgId = null }: Whose): boolean =>
  scope.all ||
  [ownerId, carerId].some(id => id !== null && scope.owners.includes(id)) ||
  [orgId, carerOrgId].some(id => id !== null && scope.orgs.includes(id))
