import { followOwner, followTeacher, seenByOwner, seenByTeacher } from '#areas/members/member/handing-over.server.ts'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { giveReward, rewardedAsSaid } from '#engines/entitlement/reward.server.ts'
import type { App } from '#kit/server/app.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { arriving } from './arriving.server.ts'
import { compareDelivery } from './comparing.server.ts'
import { resource, type Share, workflow } from './model.ts'
import { settings } from './settings.model.ts'
import { tellApp, tellDelivery } from './telling.server.ts'

const decided = ({ actor, now }: Operation) => ({ decidedBy: actor.id, decidedAt: now.toISOString() })

export const routes = serve(resource, {
  workflow,
  // The member first: two shares of one week are not rewarded at once.
  async lock(op, id) {
    const found = await op.tx.selectFrom('poster_share').select('member_id').where('id', '=', id).executeTakeFirst()
    if (found) await lockMember(op.tx, found.member_id)
  },
  effects: {
    approve: async (op, share) => ({ ...decided(op), rewardCoins: await reward(op, share) }),
    reject: async (op, _share, { reason }) => ({ ...decided(op), rejectedFor: reason ?? '' }),
  },
  after: tellApp,
  undo: { reject: tellApp },
  detail: async (app, share) => ({ like: await likeOf(app, share) }),
})

/** Coins once a week, however many posters somebody shares; who is frozen earns none. Says how many were given. */
async function reward(op: Operation, { id, memberId, period }: Share): Promise<number> {
  const { app, tx } = op
  const { rewardCoins: coins } = await settingsOf(app, settings, tx)
  const member = await tx.selectFrom('member').select('status').where('id', '=', memberId).executeTakeFirstOrThrow()
  const before = await tx
    .selectFrom('poster_share')
    .select('id')
    .where('member_id', '=', memberId)
    .where('period', '=', period)
    .where('reward_coins', '>', 0)
    .executeTakeFirst()
  if (before || coins === 0 || member.status !== 'ACTIVE') return 0
  const note = app.texts.text(app.env.DEFAULT_LOCALE, 'members/share', 'reward-note', { period })
  await giveReward(op, { memberId, coins, key: `share:${id}`, note })
  return coins
}

/** Whoever may not see that one finds neither it nor its pictures behind these numbers. */
async function likeOf({ db }: App, { likeId, memberId }: Share): Promise<Share['like']> {
  if (likeId === null) return null
  const found = await db.query
    .selectFrom('poster_share')
    .select(['id', 'poster', 'submitted_at as submittedAt', 'status', 'picture', 'member_id'])
    .where('id', '=', likeId)
    .executeTakeFirstOrThrow()
  const { member_id, submittedAt, ...like } = found
  return { ...like, submittedAt: new Date(submittedAt).toISOString(), isSameMember: member_id === memberId }
}

export const events = arriving
export const deliveries = [compareDelivery, tellDelivery]
export const listeners = [
  followOwner('poster_share'),
  followTeacher('poster_share'),
  forgets({
    table: 'poster_share',
    becomes: {
      picture: "'{}'",
      likeness: "'NONE'",
      like_id: 'null',
      rejected_for: "case when rejected_for is not null then '-' end",
    },
  }),
]

export const invariants: readonly Invariant[] = [
  seenByOwner('poster_share'),
  seenByTeacher('poster_share'),
  rewardedAsSaid('share', { table: 'poster_share', coins: 'reward_coins' }),
  {
    name: 'the pictures of a share that was compared are kept, so that the next one like it is found',
    query: `
      select s.id, p.file from poster_share s, unnest(s.picture) as p (file)
      where s.likeness <> 'PENDING' and not exists (select 1 from picture_hash h where h.file_id = p.file)`,
  },
]
