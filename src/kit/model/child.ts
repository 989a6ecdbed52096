import { metaOf, type Resource, type Shape } from './resource.ts'

/**
 * Records that belong to one of another kind and have no screen of their own: listed below that record's address, with
 * its right to be read, by the same engine as every list (docs/decisions/044).
 */
export type Child<S extends Shape = Shape> = {
  /** Who may not read that record may not read these. */
  readonly of: Resource
  /** The end of the address: `/products/code-batch/5/codes`. */
  readonly name: string
  /** The field that names the record they belong to. */
  readonly by: Extract<keyof S, string>
  /** The field that names somebody's record: only rows are seen whose record is in the person's scope too. */
  readonly within?: Extract<keyof S, string>
  /** The record and its list as the engine knows them; texts stand under this screen's name. */
  readonly resource: Resource<S>
}

type Declared<S extends Shape, P extends Shape> = Pick<Resource<S>, 'table' | 'record' | 'title' | 'list'> &
  Omit<Child<S>, 'of' | 'resource'> & { readonly of: Resource<P> }

/** Declares the records of a parent once: calls, tab, export and tests are derived from it. */
export function defineChild<S extends Shape, P extends Shape>(declared: Declared<S, P>): Child<S> {
  const { of, name, by, within, ...record } = declared
  return {
    of,
    name,
    by,
    ...(within === undefined ? {} : { within }),
    resource: {
      ...record,
      screen: { ...of.screen, name: `${of.screen.name}/${name}` },
      brief: [record.title],
      create: [],
      edit: [],
      asks: {},
      actions: of.actions.filter(action => action === 'export'),
      // Whose they are is asked of the record they belong to.
      scope: 'shared',
    },
  }
}

/** The list of one parent's records: where its calls are answered. */
export const below = (child: Child, id: string): Resource => ({
  ...child.resource,
  at: `${child.of.screen.name}/${id}/${child.name}`,
})

/** The number of its own by which a row below a record is found, whole or by its last four digits. */
export function phoneBelow(resource: Resource): string | undefined {
  if (!resource.list.filters.includes('id')) return undefined
  return Object.keys(resource.record.shape).find(field => {
    const meta = metaOf(resource, field)
    return meta.kind === 'personal' && meta.personal === 'phone'
  })
}
