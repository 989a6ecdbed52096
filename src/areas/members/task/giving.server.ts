import { sql } from 'kysely'
import type { Wish } from '#engines/audience/model.ts'
import { findReached } from '#engines/audience/server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App, Change } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { audience, reach, resource, type Task } from './model.ts'
import { settings } from './settings.model.ts'
import { tellApp } from './telling.server.ts'

/** What is entered when a task is given: the task, and whom it is for. */
export type Given = Pick<Task, 'title' | 'note' | 'dueOn' | 'target' | 'rewardCoins'> & Wish

const KIND = 'task-given'
type Payload = { readonly batchId: string }

/** So many get it in one transaction: nobody else waits for their members for long. */
const AT_ONCE = 200

/** One task for each member of the audience as it is now: who fits tomorrow has none, and who no longer does keeps it. */
export async function giveTask(op: Operation, given: Given): Promise<string> {
  const { app, tx, now } = op
  if (given.dueOn < dayOf(now)) throw onField('dueOn', refuse('due-past'))
  const { mostCoins } = await settingsOf(app, settings, tx)
  if (given.rewardCoins > mostCoins) throw onField('rewardCoins', refuse('too-many-coins', { max: mostCoins }))
  const { members } = await findReached({ ...op, db: tx }, resource.screen.key, given)
  const batchId = await choose(
    op,
    given,
    members.map(({ id }) => id),
  )
  // The first at once, so that whoever gives it sees it; the others follow.
  const [first] = await giveNext(op, batchId)
  if (first === undefined) throw onField('numbers', refuse(members.length === 0 ? 'nobody-there' : 'all-have-it'))
  return first
}

/** Who is to get it, written down: whatever happens to the server, these and no others. */
async function choose({ tx, now, actor }: Operation, given: Given, ids: readonly string[]): Promise<string> {
  const { title, note, dueOn, target, rewardCoins } = given
  const { rows } = await sql<{ id: string }>`
    insert into member_task_batch (title, note, due_on, target, reward_coins, creator_id, created_at)
    values (${title}, ${note}, ${dueOn}::date, ${target}, ${rewardCoins}, ${actor.id}::bigint, ${now}) returning id`.execute(
    tx,
  )
  const [{ id }] = rows as [{ id: string }]
  await sql`
    with chosen as (
      insert into member_task_awaiting (batch_id, member_id)
      select ${id}::bigint, m.id from unnest(${ids}::bigint[]) as m (id)
      where not exists (
        select 1 from member_task t
        where t.member_id = m.id and t.title = ${title} and t.due_on = ${dueOn}::date and t.status <> 'CANCELLED')
      returning 1)
    update member_task_batch set members = (select count(*) from chosen) where id = ${id}::bigint`.execute(tx)
  return id
}

/** The next of those who are to get it; says which tasks came of it, and comes again while there are more. */
async function giveNext(change: Change, batchId: string): Promise<string[]> {
  const { tx } = change
  const { rows: chosen } = await sql<{ id: string }>`
    delete from member_task_awaiting where batch_id = ${batchId}::bigint and member_id in (
      select member_id from member_task_awaiting where batch_id = ${batchId}::bigint order by 1 limit ${AT_ONCE} for update)
    returning member_id as id`.execute(tx)
  const ids = await giveTo(
    change,
    batchId,
    chosen.map(({ id }) => id),
  )
  if (ids.length > 0) await tellApp(change, ids)
  if (chosen.length === AT_ONCE) await deliver(change, { kind: KIND, key: batchId, payload: { batchId } })
  return ids
}

/** In the order of members, so that two who give tasks meet nobody crosswise. Who has got the same one meanwhile keeps that. */
async function giveTo({ tx }: Change, batchId: string, memberIds: readonly string[]): Promise<string[]> {
  // Whose they are must not change before what is seen by those is stored.
  await sql`select id from member where id = any(${memberIds}::bigint[]) order by id for share`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    insert into member_task
      (batch_id, title, note, member_id, due_on, target, reward_coins, creator_id, created_at, owner_id, org_id, teacher_id)
    select b.id, b.title, b.note, m.id, b.due_on, b.target, b.reward_coins, b.creator_id, b.created_at, m.owner_id, m.org_id, m.teacher_id
    from member_task_batch b cross join member m
    where b.id = ${batchId}::bigint and m.id = any(${memberIds}::bigint[]) order by m.id
    on conflict (member_id, title, due_on) where status <> 'CANCELLED' do nothing
    returning id`.execute(tx)
  const had = memberIds.length - rows.length
  if (had > 0)
    await sql`update member_task_batch set members = members - ${had} where id = ${batchId}::bigint`.execute(tx)
  return rows.map(({ id }) => id)
}

export const givingDelivery = defineDelivery<Payload, null>({
  kind: KIND,
  // Nothing is said to anybody outside.
  call: async () => null,
  async settle(change, { batchId }) {
    await giveNext(change, batchId)
  },
})

/** How many have it by the same giving, whoever may see them. */
export async function togetherOf({ db }: App, { id }: Pick<Task, 'id'>): Promise<Task['together']> {
  const { rows } = await sql<Task['together']>`
    select b.members, (select count(*)::int from member_task_awaiting a where a.batch_id = b.id) as awaiting
    from member_task t join member_task_batch b on b.id = t.batch_id where t.id = ${id}::bigint`.execute(db.query)
  return rows[0] as Task['together']
}

export const reachRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${resource.screen.name}/reach`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'create' },
    body: audience,
    answer: reach,
    summary: 'How many members a task would be given to, and which numbers reach nobody; nothing is written.',
    async handle(call, { body }) {
      const asking = { app, db: app.db.query, actor: call.actor, now: call.now, call }
      const { members, ...left } = await findReached(asking, resource.screen.key, body)
      return { members: members.length, ...left }
    },
  })
