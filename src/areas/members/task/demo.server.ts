import { type Member, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { teacherOf } from '#areas/members/member/demo-learning.server.ts'
import { drawPage } from '#areas/members/work/demo-pages.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, DAY_MS, HOUR_MS, owned, remembered, type World } from '#demo/world.server.ts'
import { NOTHING_IN_COMMON } from '#engines/audience/model.ts'
import { coinsFor, ledgerOf } from '#engines/entitlement/demo.server.ts'
import { likenessOf } from '#engines/picture-hash/comparing.server.ts'
import { pictureHash } from '#engines/picture-hash/look.server.ts'
import { compare } from '#engines/picture-hash/server.ts'
import { dayOf } from '#kit/model/time.ts'
import { resource } from './model.ts'

const chance = chanceOf('members/task')

/** What operations ask for: how often, for how many coins, given so many days ago and for so many days. */
const TASKS = [
  { title: '连续练字七天', note: '每天上传一页练习', target: 7, coins: 20, daysAgo: 52, days: 14 },
  { title: '邀请同学体验', note: '邀请一位同学参加体验课', target: 1, coins: 50, daysAgo: 40, days: 20 },
  { title: '书写一首古诗', note: '任选一首五言绝句，拍照上传', target: 1, coins: 15, daysAgo: 26, days: 10 },
  { title: '每日一页打卡五次', note: '上传五页练习', target: 5, coins: 15, daysAgo: 12, days: 14 },
  { title: '观看直播课回放', note: '看完后写一句感想', target: 1, coins: 10, daysAgo: 6, days: 10 },
] as const
type Design = (typeof TASKS)[number]
/** Members each is for, in a business of the usual size. */
const EACH = 36

type Doing = {
  readonly id: number
  readonly member: Member
  readonly task: Design
  readonly at: number
  readonly batchId: number
  readonly submittedAt: number | null
  readonly isApproved: boolean
}
const doingOf = remembered((): Doing[] => [])

function plan(world: World): void {
  const random = chance(world)
  const today = world.now.getTime()
  for (const task of TASKS) {
    const at = today - task.daysAgo * DAY_MS
    const batchId = world.ids.next('member_task_batch')
    const fitting = membersOf(world).filter(({ createdAt }) => createdAt < at)
    const chosen = new Set(
      Array.from({ length: Math.max(1, Math.round(EACH * world.scale)) }, () => random.pick(fitting)),
    )
    for (const member of [...chosen].filter(Boolean)) {
      const submittedAt = at + random.whole(12, (task.days + 2) * 24) * HOUR_MS
      const isSubmitted = submittedAt < today && random.chance(0.75)
      const decidedAt = submittedAt + random.whole(20, 90) * HOUR_MS
      const isApproved = isSubmitted && decidedAt < today
      const id = world.ids.next('member_task')
      doingOf(world).push({ id, member, task, at, batchId, submittedAt: isSubmitted ? submittedAt : null, isApproved })
      if (isSubmitted) world.agenda.at(submittedAt, then => prove(world, then, id))
      if (isApproved) world.agenda.at(decidedAt, then => earn(world, then, id, member, task))
    }
  }
}

const prove = (world: World, at: number, recordId: number): void =>
  world.log.write({
    ...{ at, actor: null, resource, action: 'submit', recordId },
    before: { status: 'OPEN' },
    after: { status: 'SUBMITTED' },
  })

function earn(world: World, at: number, id: number, member: Member, { title, coins }: Design): void {
  ledgerOf(world).give(at, {
    memberId: member.id,
    source: 'REWARD',
    grants: [coinsFor('任务金币', coins)],
    times: 1,
    rewardKey: `task:${id}`,
    note: `完成任务：${title}`,
  })
  world.log.write({
    ...{ at, actor: colleague(world, 'OPERATIONS'), resource, action: 'approve', recordId: id },
    before: { status: 'SUBMITTED', earnedCoins: 0 },
    after: { status: 'DONE', earnedCoins: coins },
  })
}

const WORDS = ['孩子很喜欢这个任务', '已经坚持了一周', '请老师看看', '比上次进步多了'] as const

/** What a task says of itself, to all who are given it. */
const givenOf = (world: World, { task: { title, note, target, coins, days }, at }: Doing) => ({
  ...{ title, note, target, reward_coins: coins },
  due_on: dayOf(new Date(at + days * DAY_MS)),
  creator_id: colleague(world, 'OPERATIONS').id,
  created_at: new Date(at),
})

function rowOf(world: World, doing: Doing): NewRow<'member_task'> {
  const random = chance(world)
  const { id, member, submittedAt, isApproved } = doing
  const given = givenOf(world, doing)
  const { due_on: dueOn, target, reward_coins: coins } = given
  const isOver = dueOn < dayOf(world.now)
  const isCancelled = submittedAt === null && random.chance(0.06)
  const open = isCancelled ? 'CANCELLED' : isOver ? 'OVERDUE' : 'OPEN'
  return {
    ...given,
    id,
    batch_id: doing.batchId,
    member_id: member.id,
    progress: submittedAt === null ? random.whole(0, target - 1) : target,
    picture: [],
    words: submittedAt === null ? null : random.pick(WORDS),
    status: submittedAt === null ? open : isApproved ? 'DONE' : 'SUBMITTED',
    earned_coins: isApproved ? coins : 0,
    submitted_at: submittedAt === null ? null : new Date(submittedAt),
    ...owned(ownerAt(member, world.now.getTime(), world.now)),
    teacher_id: teacherOf(world, member)?.id ?? null,
    version: submittedAt === null ? 1 : isApproved ? 3 : 2,
  }
}

function end(world: World): void {
  const doing = doingOf(world)
  const batches = Map.groupBy(doing, ({ batchId }) => batchId)
  world.rows.add(
    'member_task_batch',
    [...batches].map(([id, of]) => ({ ...givenOf(world, of[0] as Doing), id, members: of.length })),
  )
  world.rows.add(
    'member_task',
    doing.map(one => rowOf(world, one)),
  )
}

/** The newest proofs of what was to be written have pictures; one in six was sent before. */
const PICTURED = 12
const COPIED = 6

export const demo: Story = {
  holds: {
    OPERATIONS: [...READ, 'create', 'approve', 'sendBack', 'cancel'],
    OPERATIONS_MANAGER: ['export', 'reveal'],
    SALES: READ,
    TEACHER: READ,
    AUDITOR: READ,
  },
  plan,
  end,
  // To everybody: whom a filter made up by chance meets is nobody.
  enters: () => ({ ...NOTHING_IN_COMMON, worksFrom: 0 }),
  photographed: {
    table: 'member_task',
    async read(tx) {
      const rows = await tx
        .selectFrom('member_task')
        .select(['id', 'submitted_at as at'])
        .where('submitted_at', 'is not', null)
        .where('title', 'in', [TASKS[2].title, TASKS[3].title])
        .orderBy('submitted_at', 'desc')
        .limit(PICTURED)
        .execute()
      // The earliest first, as they came: what repeats another is found by it.
      return rows.reverse().map(({ id, at }, nth) => {
        const page = nth % COPIED === COPIED - 1 ? nth - COPIED + 1 : nth
        const draw = () => drawPage(page, page)
        return { id, name: `T${id}`, at: new Date(String(at)), same: String(page), draw }
      })
    },
    async stored(tx, { id, fileId, picture }) {
      const looked = [{ fileId, hash: (await pictureHash(picture)) ?? null }]
      const { likeness, likeId } = likenessOf(await compare(tx, { page: resource.screen.key, recordId: id, looked }))
      await tx.updateTable('member_task').set({ likeness, like_id: likeId }).where('id', '=', id).execute()
    },
  },
}
