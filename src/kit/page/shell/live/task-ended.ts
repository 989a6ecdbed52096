import type { QueryClient } from '@tanstack/react-query'
import type { Task } from '#kit/model/task.ts'
import { get } from '../../call.ts'
import { say } from '../../language.ts'
import { askForAll } from '../../list/list-state.ts'
import { announce } from '../notice/announce.ts'
import { go } from '../session/navigation.ts'

const NAMESPACE = 'kit/page/shell/live'

/** Says that long work has come to its end, and where its result is. An import tells so where it was begun. */
export async function tellTaskEnded(id: string, client: QueryClient): Promise<void> {
  const { kind, state, title, doneRows, failedRows, error } = await get<Task>(`/common/task/${id}`)
  if (kind === 'IMPORT' || (state !== 'DONE' && state !== 'FAILED')) return
  // What it worked on stands in open lists as it was, and this person's own work is no surprise to see.
  if (kind !== 'EXPORT') askForAll(client)
  const rows = say(NAMESPACE, failedRows > 0 ? 'task-rows' : 'task-rows-done', {
    done: doneRows - failedRows,
    failed: failedRows,
  })
  announce({
    key: `task-${id}`,
    kind: state === 'FAILED' || failedRows > 0 ? 'warning' : 'info',
    title: `${say(NAMESPACE, `task.${state}`)}: ${title}`,
    description: error ?? (kind === 'STEPS' ? rows : ''),
    actions: [{ label: say(NAMESPACE, 'view'), primary: true, run: () => go(`/account/settings/exports?task=${id}`) }],
  })
}
