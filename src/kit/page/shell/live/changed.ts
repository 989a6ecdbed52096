import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'
import type { Changed } from '#kit/model/contract.ts'

/** What follows from one step comes in several words: they are answered together. */
const TOGETHER_MS = 300
const waiting = new Set<string>()

/**
 * Asks again for a record that stands open in this window, and for what hangs on it; for anything else nobody asks. What was
 * read of it in a tab that is out of sight is asked for once somebody looks at it, however fresh it would have seemed.
 */
export function askAgain({ record, id }: Changed, client: QueryClient): void {
  const key = `${record}/${id}`
  const about: InvalidateQueryFilters = { predicate: ({ queryKey }) => isAbout(queryKey, id) }
  void client.invalidateQueries({ ...about, type: 'inactive', refetchType: 'none' })
  const isOpen = client.getQueryCache().findAll({ queryKey: [record, 'detail', id], type: 'active' }).length > 0
  if (!isOpen || waiting.has(key)) return
  waiting.add(key)
  setTimeout(() => {
    waiting.delete(key)
    void client.invalidateQueries(about)
  }, TOGETHER_MS)
}

/** Whether it was asked for under this id: as the record itself, as a filter, or as part of an address. */
const isAbout = (asked: unknown, id: string): boolean =>
  typeof asked === 'string'
    ? asked.split('/').includes(id)
    : typeof asked === 'object' && asked !== null && Object.values(asked).some(part => isAbout(part, id))
