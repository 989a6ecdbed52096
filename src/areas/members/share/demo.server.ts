import { type Member, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { lessonTaken, teacherOf } from '#areas/members/member/demo-learning.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, DAY_MS, HOUR_MS, MINUTE_MS, owned, remembered, type World } from '#demo/world.server.ts'
import { coinsFor, ledgerOf } from '#engines/entitlement/demo.server.ts'
import { pictureHash } from '#engines/picture-hash/look.server.ts'
import { keepPictures } from '#engines/picture-hash/server.ts'
import { dayOf } from '#kit/model/time.ts'
import { drawScreenshot } from './demo-screenshot.server.ts'
import { resource, weekOf } from './model.ts'

const chance = chanceOf('members/share')

const COINS = 10
/** Of the last two days, in a business of the usual size. */
const WAITING = 18
const POSTERS = ['中秋练字海报', '开学季体验课', '我的练字一百天', '书法大赛报名', '暑期打卡营', '新年福字'] as const
const REJECTED = ['截图里看不到海报', '分享后立即删除', '与之前的截图相同', '不是本周的分享'] as const

type Shared = {
  readonly id: number
  readonly member: Member
  readonly at: number
  readonly decided: { readonly at: number; readonly isApproved: boolean; readonly coins: number } | null
}
const sharesOf = remembered((): Shared[] => [])
const rewardedWeeks = remembered((): Set<string> => new Set())

/** Whoever came to a lesson may show it to friends the same evening; operations look at it the next day. */
function plan(world: World): void {
  const random = chance(world)
  lessonTaken.hear(world, (at, { member }) => {
    if (!random.chance(0.16)) return
    const decidedAt = at + random.whole(10, 40) * HOUR_MS
    if (decidedAt > world.now.getTime()) {
      add(world, member, at, null)
      return
    }
    const week = `${member.id} ${weekOf(dayOf(new Date(at)))}`
    const isApproved = random.chance(0.85)
    const coins = isApproved && !rewardedWeeks(world).has(week) ? COINS : 0
    const { id } = add(world, member, at, { at: decidedAt, isApproved, coins })
    if (coins === 0) return
    rewardedWeeks(world).add(week)
    world.agenda.at(decidedAt, then =>
      ledgerOf(world).give(then, {
        memberId: member.id,
        source: 'REWARD',
        grants: [coinsFor('分享金币', coins)],
        times: 1,
        rewardKey: `share:${id}`,
        note: '海报分享奖励',
      }),
    )
  })
}

function add(world: World, member: Member, at: number, decided: Shared['decided']): Shared {
  const share = { id: world.ids.next('poster_share'), member, at, decided }
  sharesOf(world).push(share)
  return share
}

function end(world: World): void {
  const random = chance(world)
  const members = membersOf(world).filter(({ createdAt }) => createdAt < world.now.getTime() - 3 * DAY_MS)
  for (let nth = 0; nth < Math.max(1, Math.round(WAITING * world.scale)) && members.length > 0; nth += 1)
    add(world, random.pick(members), world.now.getTime() - random.whole(5, 47 * 60) * MINUTE_MS, null)
  const shares = sharesOf(world).sort((a, b) => a.at - b.at)
  world.rows.add(
    'poster_share',
    shares.map((share, nth) => rowOf(world, share, shares[nth - 3])),
  )
}

/** One in nine has sent a screenshot that was there already. */
const isCopy = ({ id }: Pick<Shared, 'id'>): boolean => id % 9 === 4

function rowOf(world: World, share: Shared, before: Shared | undefined): NewRow<'poster_share'> {
  const random = chance(world)
  const { id, member, at, decided } = share
  const isLike = before !== undefined && isCopy(share) && !isCopy(before)
  const isRejected = decided?.isApproved === false
  return {
    id,
    key: `S${String(id).padStart(9, '0')}`,
    member_id: member.id,
    poster: random.pick(POSTERS),
    platform: random.pick(['MOMENTS', 'MOMENTS', 'MOMENTS', 'WECHAT_GROUP', 'XIAOHONGSHU', 'DOUYIN'] as const),
    picture: [],
    likeness: isLike ? 'SAME' : 'NEW',
    like_id: isLike ? before.id : null,
    period: weekOf(dayOf(new Date(at))),
    status: decided === null ? 'SUBMITTED' : isRejected ? 'REJECTED' : 'APPROVED',
    reward_coins: decided?.coins ?? 0,
    rejected_for: isRejected ? random.pick(REJECTED) : null,
    decided_by: decided ? colleague(world, 'OPERATIONS').id : null,
    decided_at: decided ? new Date(decided.at) : null,
    submitted_at: new Date(at),
    ...owned(ownerAt(member, world.now.getTime(), world.now)),
    teacher_id: teacherOf(world, member)?.id ?? null,
    version: decided ? 3 : 2,
  }
}

/** The newest have pictures. */
const PICTURED = 45

export const demo: Story = {
  holds: {
    OPERATIONS: [...READ, 'approve', 'reject'],
    OPERATIONS_MANAGER: ['export', 'reveal'],
    SALES: READ,
    TEACHER: READ,
    AUDITOR: READ,
  },
  plan,
  end,
  photographed: {
    table: 'poster_share',
    async read(tx) {
      const rows = await tx
        .selectFrom('poster_share')
        .select(['id', 'key', 'like_id as likeId', 'submitted_at as at'])
        .orderBy('submitted_at', 'desc')
        .limit(PICTURED)
        .execute()
      return rows.map(({ id, key, likeId, at }) => {
        const seed = likeId ?? id
        return { id, name: key, at: new Date(at), same: seed, draw: () => drawScreenshot(Number(seed)) }
      })
    },
    stored: async (tx, { id, fileId, picture }) =>
      keepPictures(tx, {
        page: resource.screen.key,
        recordId: id,
        looked: [{ fileId, hash: (await pictureHash(picture)) ?? null }],
      }),
  },
}
