import { messageMoved } from '#engines/message/server.ts'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { type Message, resource } from './model.ts'

type Standing = Pick<Message, 'id'> & { readonly status: string; readonly cause: string | null }

/** What became of a message that is locked: its line in the timeline, and word to whoever wanted it. */
export async function moveMessage(
  change: Change,
  row: Standing,
  fields: Partial<Message>,
  action: string,
): Promise<void> {
  await writeChange(change, resource, row, { ...fields, stateSince: change.now.toISOString() }, action)
  await tellMoved(change, row.id)
}

/** As the message stands now. */
export async function tellMoved(change: Change, id: string): Promise<void> {
  const { about, status, cause, sent_at } = await change.tx
    .selectFrom('message')
    .select(['about', 'status', 'cause', 'sent_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (status === 'UNREAD' || status === 'READ') return
  await announce(change, messageMoved, { about, status, cause, isHandedOver: sent_at !== null })
}
