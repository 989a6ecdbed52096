import type { QueryClient } from '@tanstack/react-query'
import type { Changed } from '#kit/model/contract.ts'
import { askForAll } from '../../list/list-state.ts'
import { askAgain } from './changed.ts'
import { tellDecided } from './decided.ts'
import { tellMessages } from './message.ts'
import { askForRows } from './rows.ts'
import { tellTaskEnded } from './task-ended.ts'

/** What is done about words of the live connection. It comes with the connection, and not with the first page. */
export const tellerFor = (client: QueryClient) => ({
  decided: (id: string) => tellDecided(id, client),
  taskEnded: (id: string) => tellTaskEnded(id, client),
  message: tellMessages,
  changed: (changed: Changed) => askAgain(changed, client),
  rows: (page: string) => askForRows(page, client),
  reachChanged: () => askForAll(client),
})
