import { fieldMeta, referencesIn } from '#kit/model/field.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { Declared } from '../declared.ts'
import type { Route } from '../http/route.ts'

/**
 * The pages each reference is chosen on: where a list or a statistic is filtered by it, where a call of the page takes one
 * (a form, a step), and the page of its own records. Nobody keeps this list: who may ask follows from who uses it.
 */
export function referencePages(catalogue: Declared, calls: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const pages = new Map<string, Set<string>>()
  const use = (reference: string, page: string) => pages.set(reference, (pages.get(reference) ?? new Set()).add(page))
  for (const { screen, resource, statistic, reference } of catalogue.slices) {
    if (reference && screen?.key) use(reference.name, screen.key)
    if (resource) for (const name of filteredBy(resource, resource.list.filters)) use(name, resource.screen.key)
    if (statistic) for (const name of filteredBy(statistic.of, statistic.filters)) use(name, statistic.screen.key)
  }
  for (const { access, body } of calls)
    if (typeof access === 'object' && typeof body === 'object')
      for (const name of referencesIn(body)) use(name, access.page)
  return new Map([...pages].map(([name, used]) => [name, [...used]]))
}

const filteredBy = ({ record }: Resource, fields: readonly string[]): string[] =>
  fields.flatMap(field => {
    const schema = record.shape[field]
    return schema && fieldMeta(schema).kind === 'reference' ? referencesIn(schema) : []
  })
