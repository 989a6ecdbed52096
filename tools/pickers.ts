import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { referencesIn } from '../src/kit/model/field.ts'
import { referencePages } from '../src/kit/server/choice/reference-pages.ts'
import type { Declared, DeclaredSlice } from '../src/kit/server/declared.ts'
import type { Route } from '../src/kit/server/http/route.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The pickers of a page: those of its filters, of what it asks for, and those its own files draw. */
export function pickersOf(slice: DeclaredSlice, drawn = drawnOn(slice)): string[] {
  const { resource, statistic, workflow } = slice
  const filters = [
    ...(resource?.list.filters.map(field => resource.record.shape[field]) ?? []),
    ...(statistic?.filters.map(field => statistic.of.record.shape[field]) ?? []),
  ]
  const written = [...(resource?.create ?? []), ...(resource?.edit ?? [])].map(field => resource?.record.shape[field])
  const asked = [resource?.asks ?? {}, ...Object.values(workflow?.steps ?? {}).map(({ input }) => input)]
  const declared = [...filters, ...written, ...asked.flatMap(shape => Object.values(shape))]
  return [...new Set([...declared.flatMap(schema => (schema ? referencesIn(schema) : [])), ...drawn])]
}

const drawnOn = ({ name }: DeclaredSlice): string[] =>
  globSync(`src/areas/${name}/*.tsx`, { cwd: ROOT }).flatMap(path =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/References?Picker[^>]*? to="([\w-]+)"/g)].map(
      ([, to]) => to as string,
    ),
  )

/** Pickers that would stay empty: of records no slice declares, or refused to whoever holds the page they stand on. */
export function closedPickers(
  catalogue: Declared,
  calls: readonly Route[],
  pickers: (slice: DeclaredSlice) => string[] = slice => pickersOf(slice),
): string[] {
  const pages = referencePages(catalogue, calls)
  return catalogue.slices.flatMap(slice => {
    const page = slice.screen?.key
    if (!page) return []
    return pickers(slice).flatMap(name => {
      if (!catalogue.references.has(name)) return [`${slice.name}: chooses a ${name}, which no slice declares`]
      return pages.get(name)?.includes(page)
        ? []
        : [
            `${slice.name}: chooses a ${name}, which neither a filter nor a call of the page takes: nobody may ask for one there`,
          ]
    })
  })
}
