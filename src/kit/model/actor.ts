/** Which rows a person sees: those owned by one of `owners`, those of one of `orgs`, or all; of those, where it says so, only what is within another. */
export type Scope =
  | { readonly all: true }
  | {
      readonly all: false
      readonly owners: readonly string[]
      readonly orgs: readonly string[]
      readonly within?: Scope | undefined
    }

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
  /** Looks at the console as this role does, and changes nothing meanwhile. */
  readonly preview?: Preview
}

export type Preview = { readonly roleId: string; readonly name: string; readonly until: string }
/** What is looked at as somebody else is looked at on purpose: it ends by itself. */
export const PREVIEW_MS = 3_600_000

export const NOTHING: Scope = { all: false, owners: [], orgs: [] }
export const EVERYTHING: Scope = { all: true }

/** The one place that decides whether a person holds an action on a page. Unknown pages and actions are denied. */
export const can = (actor: Actor, page: string, action: string): boolean =>
  actor.superAdmin || (actor.grants.get(page)?.has(action) ?? false)

/** Whether the person may open the page at all, whatever may be done there. */
export const mayOpen = (actor: Actor, page: string): boolean => actor.superAdmin || actor.grants.has(page)

/** Contract: whoever's role is called so may select the text of pages, and take it along. */
export const letsCopy = (code: string): boolean => code.includes('COPY')

export const mayCopy = ({ superAdmin, roleCodes }: Pick<Actor, 'superAdmin' | 'roleCodes'>): boolean =>
  superAdmin || roleCodes.some(letsCopy)

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
export const inScope = (scope: Scope, whose: Whose): boolean => {
  if (scope.all) return true
  const { ownerId, orgId, carerId = null, carerOrgId = null } = whose
  const isSeen =
    [ownerId, carerId].some(id => id !== null && scope.owners.includes(id)) ||
    [orgId, carerOrgId].some(id => id !== null && scope.orgs.includes(id))
  return isSeen && (scope.within === undefined || inScope(scope.within, whose))
}

/** What both scopes show. */
export const overlap = (one: Scope, other: Scope): Scope =>
  one.all ? other : other.all ? one : { ...one, within: one.within ? overlap(one.within, other) : other }

/** What any of these scopes shows. Those that are within another are all of one role, which is the same on every page. */
export function union(scopes: readonly Scope[]): Scope {
  const parts = scopes.flatMap(scope => (scope.all ? [] : [scope]))
  if (parts.length < scopes.length) return EVERYTHING
  const bounds = parts.flatMap(({ within }) => within ?? [])
  return {
    all: false,
    owners: [...new Set(parts.flatMap(({ owners }) => owners))],
    orgs: [...new Set(parts.flatMap(({ orgs }) => orgs))],
    ...(bounds.length > 0 && bounds.length === parts.length ? { within: union(bounds) } : {}),
  }
}

/** A person with no more than a role allows, and never more than the person's own. */
export function previewed(own: Actor, role: RoleView, preview: Preview): Actor {
  const pages = [...role.grants].filter(([page]) => mayOpen(own, page))
  return {
    ...own,
    roleCodes: [role.code].filter(code => mayCopy(own) || !letsCopy(code)),
    superAdmin: false,
    grants: new Map(
      pages.map(([page, actions]) => [page, new Set([...actions].filter(action => can(own, page, action)))]),
    ),
    scopes: new Map(pages.map(([page]) => [page, overlap(role.scope, scopeOf(own, page))])),
    preview,
  }
}
/** What a role would show to one person. */
type RoleView = Pick<Actor, 'grants'> & { readonly code: string; readonly scope: Scope }
