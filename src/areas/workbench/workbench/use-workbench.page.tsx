import { useQuery } from '@tanstack/react-query'
import { area as orders } from '#areas/orders/area.ts'
import { get } from '#kit/page/call.ts'
import { useLanguage } from '#kit/page/language.ts'
import type { Figures } from './model.ts'
import { NAME } from './part.page.tsx'

/** Everything the workbench shows, in one call; below the order list's name, so that a push of a new order refreshes it. */
export function useWorkbench() {
  const language = useLanguage()
  return useQuery({
    queryKey: [orders.screens.order.name, 'figures', language],
    queryFn: ({ signal }) => get<Figures>(`/${NAME}`, { signal }),
    refetchInterval: ({ state }) => askAgainIn(state.data, state.dataUpdateCount),
  })
}

const MOST_ASKED = 5
const PAUSE_MS = 10_000

/**
 * A figure that could not be counted in time often can be a little later, when what the count reads lies in memory. A
 * table that is never counted in time is not asked for ever.
 */
export function askAgainIn(figures: Figures | undefined, asked: number): number | false {
  const isMissing = figures?.measures.some(({ count }) => count === null) ?? false
  return isMissing && asked < MOST_ASKED && PAUSE_MS * asked
}
