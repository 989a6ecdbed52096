import { sql } from 'kysely'
import type { ToldTask } from '#engines/app/port.server.ts'
import { openApp } from '#engines/app/server.ts'
import type { App, Change } from '#kit/server/app.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'

const KIND = 'task-told'
type Payload = { readonly taskIds: readonly string[] }

/** Members read in the app what they have to do, and what became of it. What is told is read then, and stands in no queue. */
export async function tellApp(change: Change, taskIds: readonly string[]): Promise<void> {
  const payload: Payload = { taskIds }
  await deliver(change, { kind: KIND, key: `${taskIds[0]}:${taskIds.length}:${change.now.getTime()}`, payload })
}

export const tellDelivery = defineDelivery<Payload, void>({
  kind: KIND,
  call: async (app, { taskIds }, key) => openApp(app).tellTasks(await wanted(app, taskIds), key),
  async settle() {},
})

async function wanted({ db }: App, ids: readonly string[]): Promise<ToldTask[]> {
  const { rows } = await sql<ToldTask>`
    select id as "taskId", member_id as "memberId", title, note, due_on::text as "dueOn", target, reward_coins as coins,
      status as state, returned_for as reason
    from member_task where id = any(${ids}::bigint[]) order by id`.execute(db.query)
  return rows
}
