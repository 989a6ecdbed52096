import { lockMember } from '#areas/members/member/holding.server.ts'
import { giveReward } from '#engines/entitlement/reward.server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { wordsOfEntries } from '#kit/server/choice/dictionary.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { attach } from '#kit/server/storage/file.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { isScored, type Kind, type Said, said, scoreOf } from './comment.model.ts'
import { LEASE_MS, TAKE_BACK_MS } from './desk.model.ts'
import { type DeskOperation, lockWork, requireHeld, requireKnown, type Standing, writeWork } from './leasing.server.ts'
import { RESOURCES } from './resources.model.ts'
import { isSampled, shareOf } from './second-look.server.ts'
import { settings } from './settings.model.ts'
import { suggestedScore } from './suggesting.server.ts'
import { tellApp } from './telling.server.ts'

const GONE = { holderId: null, leasedUntil: null, assigneeId: null } as const

/** Said, and off the desk; the pupil sees it once it can no longer be taken back. */
export async function comment(op: DeskOperation, id: string, given: Said): Promise<void> {
  const row = await requireHeld(op, id)
  const kind = row.kind as Kind
  if (!isScored(kind, given.scores)) throw onField('scores', refuse('not-scored'))
  await requireOffered(op, { page: RESOURCES[op.medium].screen.key, shape: said.shape }, given)
  await requireOnIt(op, id, given)
  const score = scoreOf(kind, given.scores)
  await op.tx
    .insertInto('work_comment')
    .values({
      work_id: id,
      staff_id: op.actor.id,
      at: op.now,
      status: 'HELD',
      marks: JSON.stringify(given.marks),
      scores: JSON.stringify(given.scores),
      score,
      suggested: await suggestedScore(op.tx, id),
      words: given.words,
      phrases: await phrasesIn(op, given.words),
      voice: [...given.voice],
    })
    .execute()
  await attach(op.tx, op.actor.id, { voice: given.voice }, RESOURCES[op.medium].screen.key, id, 'voice')
  const judged = { score, commenterId: op.actor.id, commentedAt: op.now.toISOString() }
  await writeWork(op, row, { status: 'COMMENTED', ...GONE, ...judged }, 'comment')
}

/** Marks stand on what was handed in: on a picture there is, or at a time of a film. */
async function requireOnIt({ tx, medium }: DeskOperation, id: string, { marks }: Said): Promise<void> {
  const { picture } = await tx.selectFrom('work').select('picture').where('id', '=', id).executeTakeFirstOrThrow()
  const isOnIt = (mark: Said['marks'][number]) =>
    medium === 'VIDEO' || (mark.shape !== 'TIME' && mark.picture < picture.length)
  if (!marks.every(isOnIt)) throw onField('marks', refuse('mark-elsewhere'))
}

/** Codes of the phrases that stand in it, in whatever language. */
async function phrasesIn({ app }: Operation, said: string): Promise<string[]> {
  const phrases = await wordsOfEntries(app, ['WORK_PHRASE'])
  return phrases.flatMap(({ v, words }) => (words.some(word => word !== v && said.includes(word)) ? [v] : []))
}

/** It lies on the desk again, and what was said of it is there to go on with. */
export async function takeBack(op: DeskOperation, id: string): Promise<Said> {
  const row = await requireKnown(op, id)
  const isHis = row.status === 'COMMENTED' && row.commenterId === op.actor.id
  if (!isHis || isSettled(row, op.now)) throw new Refused(refuse('too-late-to-take-back'))
  const { marks, scores, words, voice } = await endComment(op, id, 'TAKEN_BACK')
  const leasedUntil = new Date(op.now.getTime() + LEASE_MS).toISOString()
  // Whose comment was overturned still may not say it anew.
  const unsaid = { score: null, commenterId: await overturnedAuthor(op, id), commentedAt: null }
  await writeWork(op, row, { status: 'LEASED', holderId: op.actor.id, leasedUntil, ...unsaid }, 'takeBack')
  return said.parse({ marks, scores, words, voice })
}

async function overturnedAuthor({ tx }: Operation, workId: string): Promise<string | null> {
  const said = await tx
    .selectFrom('work_comment')
    .select('staff_id as author')
    .where('work_id', '=', workId)
    .where('status', '=', 'OVERTURNED')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return said?.author ?? null
}

const isSettled = ({ commentedAt }: Standing, now: Date): boolean =>
  new Date(commentedAt ?? 0).getTime() + TAKE_BACK_MS <= now.getTime()

/** The comment that counts no longer does. */
export const endComment = ({ tx }: Change, workId: string, status: 'TAKEN_BACK' | 'OVERTURNED') =>
  tx
    .updateTable('work_comment')
    .set({ status })
    .where('work_id', '=', workId)
    .where('status', 'in', ['HELD', 'RELEASED'])
    .returning(['marks', 'scores', 'words', 'voice'])
    .executeTakeFirstOrThrow()

/** The pupil is to write it again, and is told why. */
export async function sendBack(op: DeskOperation, id: string, reason: string): Promise<void> {
  const row = await requireHeld(op, id)
  const returned = { status: 'RETURNED', ...GONE, returnedFor: reason } as const
  await writeWork(op, row, returned, 'sendBack', { reason })
  await tellApp(op, id, 'RETURNED')
}

/** What can no longer be taken back goes to the pupil. */
const releaseComments = defineJob({
  name: 'work-release',
  cron: '*/20 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const due = await change.tx
      .selectFrom('work')
      .select(['id', 'member_id as memberId'])
      .where('status', '=', 'COMMENTED')
      .where('commented_at', '<=', new Date(change.now.getTime() - TAKE_BACK_MS).toISOString())
      .orderBy('commented_at')
      .limit(500)
      .execute()
    return each(due, ({ id, memberId }) => release(change, id, memberId))
  },
})

async function release(change: Change, id: string, memberId: string): Promise<boolean> {
  await lockMember(change.tx, memberId)
  const row = await lockWork(change.tx, id)
  if (row?.status !== 'COMMENTED' || !isSettled(row, change.now)) return false
  const inForce = await settingsOf(change.app, settings, change.tx)
  const isMended = row.review === 'OVERTURNED'
  const share = await shareOf(change.tx, row.commenterId, inForce.sampled)
  const review = isMended ? 'PASSED' : isSampled(id, share) ? 'DUE' : row.review
  const rewardCoins = await reward(change, { id, memberId, score: row.score ?? 0 }, inForce)
  await change.tx
    .updateTable('work_comment')
    .set({ status: 'RELEASED' })
    .where('work_id', '=', id)
    .where('status', '=', 'HELD')
    .execute()
  await writeWork(change, row, { status: 'RELEASED', review, ...rewardCoins }, 'release')
  await tellApp(change, id, 'RELEASED')
  return true
}

type Rewarded = { readonly id: string; readonly memberId: string; readonly score: number }

/** Coins for a good work, once however often it is judged; who is frozen earns none. */
async function reward(
  change: Change,
  { id, memberId, score }: Rewarded,
  { rewardCoins: coins, rewardFrom }: { readonly rewardCoins: number; readonly rewardFrom: number },
): Promise<{ rewardCoins?: number }> {
  const { app, tx } = change
  const { status, given } = await tx
    .selectFrom('member as m')
    .innerJoin('work as w', 'w.member_id', 'm.id')
    .select(['m.status', 'w.reward_coins as given'])
    .where('w.id', '=', id)
    .executeTakeFirstOrThrow()
  if (status !== 'ACTIVE' || given > 0 || coins === 0 || score < rewardFrom) return {}
  const note = app.texts.text(app.env.DEFAULT_LOCALE, 'members/work', 'reward-note')
  await giveReward(change, { memberId, coins, key: `work:${id}`, note })
  return { rewardCoins: coins }
}

export const jobs = [releaseComments]
