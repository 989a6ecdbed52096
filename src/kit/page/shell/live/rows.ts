import type { QueryClient } from '@tanstack/react-query'
import { screens } from '../../screens.ts'
import { isAttended } from './touched.ts'

/**
 * Asks again for what stands on the screen of the list of this page, its rows and its numbers; what is out of sight, or has nobody
 * before it, is asked for once somebody looks at it. How a list shows what comes is its own (decision 023).
 */
export function askForRows(page: string, client: QueryClient): void {
  const screen = screens.find(({ key }) => key === page)
  if (!screen) return
  void client.invalidateQueries({ queryKey: [screen.name], refetchType: isAttended() ? 'active' : 'none' })
}
