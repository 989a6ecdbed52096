import { followOwner, followTeacher, seenByOwner, seenByTeacher } from '#areas/members/member/handing-over.server.ts'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { numbersFileRoute } from '#engines/audience/file.server.ts'
import { giveReward, rewardedAsSaid } from '#engines/entitlement/reward.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { arriving } from './arriving.server.ts'
import { compareDelivery } from './comparing.server.ts'
import { type Given, giveTask, givingDelivery, reachRoute, togetherOf } from './giving.server.ts'
import { isOverdue, resource, type Task, workflow } from './model.ts'
import { tellApp, tellDelivery } from './telling.server.ts'

const told = async (op: Operation, { id }: Task): Promise<void> => tellApp(op, [id])

const served = serve(resource, {
  workflow,
  store: (op, input) => giveTask(op, input as unknown as Given),
  // The member first, as when proof comes in.
  async lock(op, id) {
    const found = await op.tx.selectFrom('member_task').select('member_id').where('id', '=', id).executeTakeFirst()
    if (found) await lockMember(op.tx, found.member_id)
  },
  effects: {
    approve: async (op, task) => ({ earnedCoins: await reward(op, task) }),
    sendBack: async (_op, _task, { reason }) => ({ returnedFor: reason ?? '' }),
  },
  after: told,
  undo: { sendBack: told, cancel: told },
  detail: async (app, task) => ({ together: await togetherOf(app, task), like: await likeOf(app, task) }),
  constraints: { member_task_once: { code: 'given-anew' } },
})

/** Whoever may not see that one finds neither it nor its pictures behind these numbers. */
async function likeOf({ db }: App, { likeId, memberId }: Task): Promise<Task['like']> {
  if (likeId === null) return null
  const found = await db.query
    .selectFrom('member_task')
    .select(['id', 'title', 'submitted_at as submittedAt', 'status', 'picture', 'member_id'])
    .where('id', '=', likeId)
    .executeTakeFirstOrThrow()
  const { member_id, submittedAt, ...like } = found
  return {
    ...like,
    submittedAt: submittedAt === null ? null : new Date(submittedAt).toISOString(),
    isSameMember: member_id === memberId,
  }
}

/** What was promised, once; who is frozen earns none. */
async function reward(op: Operation, { id, memberId, rewardCoins: coins, title }: Task): Promise<number> {
  const { app, tx } = op
  const member = await tx.selectFrom('member').select('status').where('id', '=', memberId).executeTakeFirstOrThrow()
  if (coins === 0 || member.status !== 'ACTIVE') return 0
  const note = app.texts.text(app.env.DEFAULT_LOCALE, 'members/task', 'reward-note', { title })
  await giveReward(op, { memberId, coins, key: `task:${id}`, note })
  return coins
}

const AT_ONCE = 500

/** Days end by themselves. Proof may still come: what is overdue can be done late. */
const endDays = defineJob({
  name: 'overdue-tasks',
  cron: '*/30 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const today = dayOf(change.now)
    const due = await change.tx
      .selectFrom('member_task')
      .select(['id', 'status', 'due_on as dueOn'])
      .where('status', '=', 'OPEN')
      .where('due_on', '<', today)
      .orderBy('due_on')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    return each(
      due.filter(task => isOverdue(task, today)),
      task => writeChange(change, resource, task, { status: 'OVERDUE' }, 'overdue'),
    )
  },
})

export const routes: Routes = app => [reachRoute(app), numbersFileRoute(app, resource, 'create'), ...served(app)]
export const events = arriving
export const jobs = [endDays]
export const deliveries = [compareDelivery, givingDelivery, tellDelivery]
export const listeners = [
  followOwner('member_task'),
  followTeacher('member_task'),
  forgets({
    table: 'member_task',
    becomes: {
      picture: "'{}'",
      likeness: "'NONE'",
      like_id: 'null',
      words: 'null',
      note: "''",
      returned_for: 'null',
    },
  }),
]

export const invariants: readonly Invariant[] = [
  seenByOwner('member_task'),
  seenByTeacher('member_task'),
  {
    name: 'whoever was chosen for a task has it, or is still to get it',
    query: `
      select b.id, b.members, t.given, a.awaiting from member_task_batch b
      left join (select batch_id, count(*) as given from member_task group by 1) t on t.batch_id = b.id
      left join (select batch_id, count(*) as awaiting from member_task_awaiting group by 1) a on a.batch_id = b.id
      where b.members <> coalesce(t.given, 0) + coalesce(a.awaiting, 0)`,
  },
  {
    name: 'the pictures of a task that were compared are kept, so that the next one like them is found',
    query: `
      select t.id, p.file from member_task t, unnest(t.picture) as p (file)
      where t.likeness <> 'PENDING' and not exists (select 1 from picture_hash h where h.file_id = p.file)`,
  },
  rewardedAsSaid('task', { table: 'member_task', coins: 'earned_coins' }),
]
