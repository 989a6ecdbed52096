import { useEffect, useRef } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { usePreference } from '../preference.ts'
import { useTab } from '../tab.ts'
import { bodyOf, ROWS, useKeptBody } from './body.ts'
import { readState } from './list-state.ts'

export type ChosenView = { readonly id: string; readonly query: string }

export const preferenceOf = ({ screen }: Pick<Resource, 'screen'>): string => `view.${screen.key}`
export const useChosenView = (resource: Pick<Resource, 'screen'>): ChosenView | undefined =>
  usePreference(preferenceOf(resource), kept => (kept as ChosenView | null | undefined) ?? undefined)

/**
 * A list opened without an address of its own begins with the view its reader chose, or as its reader last looked at it. One behind
 * numbers is opened by what stands before it, whose page of a record is no opening.
 */
export function useBeginView(resource: Resource, isOpening = true): void {
  const tab = useTab()
  const chosen = useChosenView(resource)
  const body = useKeptBody(resource)
  // Once for each opening: what the reader clears stays cleared, also when the tab is shown again.
  const begun = useRef(false)
  useEffect(function beginWithChosenView() {
    if (begun.current || !isOpening) return
    begun.current = true
    if (tab.search.size > 0) return
    if (chosen) tab.change(parametersOf(chosen.query))
    else if (body !== 'table') tab.change({ body })
  })
}

/** A view's parameters, for an address. */
export function parametersOf(query: string): Record<string, readonly string[]> {
  const search = new URLSearchParams(query)
  return Object.fromEntries([...new Set(search.keys())].map(name => [name, search.getAll(name)]))
}

/** Filters, search, sort and body of an address in one order, so that equal ones are equal texts. */
export function viewOf(search: URLSearchParams): string {
  const { filters, query, sort } = readState(search)
  const view = new URLSearchParams()
  for (const name of Object.keys(filters).sort())
    for (const value of [...(filters[name] ?? [])].sort()) view.append(name, value)
  if (query) view.append('query', query)
  if (sort) view.append('sort', sort)
  const body = search.get('body')
  if (body === ROWS || bodyOf(search) !== 'table') view.append('body', body ?? '')
  return view.toString()
}
