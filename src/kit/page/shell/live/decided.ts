import type { QueryClient } from '@tanstack/react-query'
import { decisionsQuery } from '../../decisions.ts'
import { say } from '../../language.ts'
import { announce } from '../notice/announce.ts'
import { go } from '../session/navigation.ts'

const NAMESPACE = 'kit/page/shell/live'

/** Asks what was decided and says so: the server tells what this person may know of it, or nothing. */
export async function tellDecided(id: string, client: QueryClient): Promise<void> {
  const decisions = await client.fetchQuery({ ...decisionsQuery(), staleTime: 0 })
  const found = decisions?.find(decision => decision.id === id)
  if (!found) return
  const { path, name, what, state, tone, by, reason } = found
  // Whoever has it open sees how it stands now.
  void client.invalidateQueries({ queryKey: [found.screen] })
  announce({
    key: `decided-${id}`,
    kind: tone === 'failed' ? 'warning' : 'info',
    title: `${what}: ${state}`,
    description: [name, by, reason].filter(Boolean).join(' · '),
    actions: path === null ? [] : [{ label: say(NAMESPACE, 'view'), primary: true, run: () => go(path) }],
  })
}
