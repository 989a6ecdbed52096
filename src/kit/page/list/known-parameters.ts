import { useEffect } from 'react'
import type { FieldKind } from '#kit/model/field.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { useTab } from '../tab.ts'
import { readState } from './list-state.ts'

const RANGED: ReadonlySet<FieldKind> = new Set(['instant', 'day', 'money', 'number'])

/** Of every list: what waits for a person, and what was looked for by a number nobody has. */
const OTHERS: ReadonlySet<string> = new Set(['todo', 'nobody'])

/** The parameters of an address this list knows nothing of: of an older link, or mistyped. */
export function unknownParameters(resource: Resource, search: URLSearchParams): string[] {
  const known = resource.list.filters.flatMap(field =>
    RANGED.has(metaOf(resource, field).kind) ? [`${field}Begin`, `${field}End`] : [field],
  )
  return Object.keys(readState(search).filters).filter(name => !OTHERS.has(name) && !known.includes(name))
}

/** Takes them out of the address and says so, instead of asking what the server refuses. */
export function useKnownParameters(resource: Resource): void {
  const kit = useTexts<typeof locale>('kit/page')
  const notices = useNotices()
  const tab = useTab()
  useEffect(function dropUnknownOnes() {
    const unknown = unknownParameters(resource, tab.search)
    if (unknown.length === 0) return
    tab.change(Object.fromEntries(unknown.map(name => [name, undefined])))
    notices.told(kit('unknown-parameters', { names: unknown.join(', ') }))
  })
}
