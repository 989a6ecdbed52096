/** Whose rows are asked for: of these departments and of all below them. `all` are those, once they are looked up. */
export type Departments = { readonly of: readonly string[]; readonly all?: readonly string[] }

/** Records of a tree and all below them, in SQL; an array of ids follows. */
export const belowIn = (tree: string): string =>
  `select below.id from ${tree} top join ${tree} below on starts_with(below.path, top.path) where top.id = any`

/** These departments and all below them. */
export const BELOW = belowIn('org')

/** Whether nobody asked for departments, or it is looked up which they are: then kept counts can answer. */
export const isKnown = (departments: Departments | undefined): boolean => !departments || departments.all !== undefined

/** The rows of departments, in SQL; empty text where nobody asked for any. */
export function departmentsSql(departments: Departments | undefined, bind: (value: unknown) => string): string {
  if (!departments) return ''
  const { of, all } = departments
  if (!all) return `t.org_id = any(array(${BELOW}(${bind(of)}::bigint[])))`
  // One as an equality, so that the index on (org_id, id) gives the order too.
  return all.length === 1 ? `t.org_id = ${bind(all[0])}::bigint` : `t.org_id = any(${bind(all)}::bigint[])`
}
