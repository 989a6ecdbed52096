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
  })
}
