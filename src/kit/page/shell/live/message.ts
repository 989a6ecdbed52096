import { get, post } from '../../call.ts'
import { say } from '../../language.ts'
import { announce } from '../notice/announce.ts'

const NAMESPACE = 'kit/page/shell/live'

type OwnMessage = { readonly id: string; readonly title: string; readonly body: string }

/** Shown once in a window; read is what its reader says is read. */
const shown = new Set<string>()

/** Shows the messages to this person that were not read, the oldest first. */
export async function tellMessages(): Promise<void> {
  const unread = await get<readonly OwnMessage[]>('/system/message/own')
  for (const { id, title, body } of unread.filter(message => !shown.has(message.id)).reverse()) {
    shown.add(id)
    announce({
      key: `message-${id}`,
      kind: 'info',
      title,
      description: body,
      actions: [
        {
          label: say(NAMESPACE, 'read'),
          primary: true,
          once: true,
          run: () => void post(`/system/message/own/${id}/read`).catch(() => shown.delete(id)),
        },
      ],
    })
  }
}
