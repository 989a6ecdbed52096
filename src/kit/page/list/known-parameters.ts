import { useEffect } from 'react'
import { CODES } from '#kit/model/contract.ts'
import type { FieldKind } from '#kit/model/field.ts'
import { isTimed, metaOf, type Resource } from '#kit/model/resource.ts'
import { CallFailed } from '../call.ts'
import { hasText, useTexts } from '../language.ts'
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
  const timed = isTimed(resource) && resource.list.tabs !== undefined ? ['overdue'] : []
  const sided = resource.list.side ? ['department'] : []
  return Object.keys(readState(search).filters).filter(
    name => !OTHERS.has(name) && ![...known, ...timed, ...sided].includes(name),
  )
}

/** The parameters whose values the server would not have: what they name is gone, or never was. */
const refusedParameters = (error: unknown, search: URLSearchParams): string[] =>
  error instanceof CallFailed && error.code === CODES.parameter
    ? Object.keys(error.fields).filter(name => search.has(name))
    : []

/**
 * Takes out of the address what the list knows nothing of, and what the server refused with `error`, and says so:
 * whoever follows an old link gets the list without it, and no dead page.
 */
export function useKnownParameters(resource: Resource, error: unknown): void {
  const kit = useTexts<typeof locale>('kit/page')
  const own = useTexts(resource.screen.name)
  const notices = useNotices()
  const tab = useTab()
  const label = (name: string) => {
    if (name === 'todo') return kit('todo')
    const field = name.replace(/(Begin|End)$/, '')
    return hasText(resource.screen.name, `field.${field}`) ? own(`field.${field}`) : name
  }
  useEffect(function dropUnknownOnes() {
    const unknown = unknownParameters(resource, tab.search)
    const gone = unknown.length > 0 ? [] : refusedParameters(error, tab.search)
    if (unknown.length === 0 && gone.length === 0) return
    tab.change(Object.fromEntries([...unknown, ...gone].map(name => [name, undefined])))
    if (unknown.length > 0) notices.told(kit('unknown-parameters', { names: unknown.join(', ') }))
    else notices.told(kit('unknown-values', { names: gone.map(label).join(', ') }))
  })
}
