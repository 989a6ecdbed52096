import type { NewRow } from '#demo/insert-rows.server.ts'
import { byTime, chanceOf, colleague, DAY_MS, MINUTE_MS, remembered, type World } from '#demo/world.server.ts'
import { type Act, PURPOSES, type Purpose, type Speaker } from '#engines/consent/model.ts'
import { mayAgree } from './demo-age.server.ts'
import { type Member, membersOf } from './demo-joining.server.ts'

const chance = chanceOf('members/member: consent')

const WORDING = 'C2025-03'
/** Of a hundred guardians so many agree to each. */
const AGREES: Readonly<Record<Purpose, number>> = { PICTURE: 82, VOICE: 70, VIDEO: 58, DISPLAY: 64, MARKETING: 55 }

type Word = {
  readonly purpose: Purpose
  readonly act: Act
  readonly at: number
  readonly byHand: boolean
  readonly saidAs: Speaker
}

/** Asked when the member registers; some come back on it, some sign a sheet at the school. */
const wordsOf = remembered((world): ReadonlyMap<Member, readonly Word[]> => {
  const random = chance(world)
  return new Map(
    membersOf(world).map(member => {
      const byHand = member.source === 'SCHOOL'
      const at = member.createdAt + 3 * MINUTE_MS
      // Whoever is old enough often answers in the app before the guardian does.
      const saidAs = !byHand && mayAgree(world, member, at) && member.id % 3 > 0 ? 'PUPIL' : 'GUARDIAN'
      const given = PURPOSES.filter(purpose => random.chance(AGREES[purpose] / 100))
      const words = given.flatMap((purpose): Word[] => {
        const later = at + random.whole(20, 200) * DAY_MS
        const changed = random.chance(0.07) && later < world.now.getTime() - DAY_MS
        const agreed: Word = { purpose, act: 'GIVEN', at, byHand, saidAs }
        return changed
          ? [agreed, { purpose, act: 'WITHDRAWN', at: later, byHand: false, saidAs: 'GUARDIAN' }]
          : [agreed]
      })
      return [member, words.filter(word => word.at < world.now.getTime())]
    }),
  )
})

/** What had been said about a purpose by then. */
export const saidBy = (world: World, member: Member, purpose: Purpose, at: number): Act | undefined =>
  (wordsOf(world).get(member) ?? []).findLast(word => word.purpose === purpose && word.at <= at)?.act

export function consentRows(world: World): NewRow<'consent'>[] {
  const clerk = colleague(world, 'OPERATIONS')
  const rows = [...wordsOf(world)].flatMap(([member, words]) =>
    words.map(({ purpose, act, at, byHand, saidAs }) => ({
      member_id: member.id,
      purpose,
      act,
      stands: saidBy(world, member, purpose, world.now.getTime()) === act,
      way: byHand ? 'PAPER' : act === 'WITHDRAWN' && purpose === 'MARKETING' ? 'REPLY' : 'APP',
      said_as: saidAs,
      said_by: saidAs === 'PUPIL' ? member.name : member.guardianName,
      text_version: act === 'GIVEN' ? WORDING : null,
      evidence: byHand ? `授权书 ${String(member.id).padStart(6, '0')}` : null,
      happened_at: new Date(at),
      staff_id: byHand ? clerk.id : null,
      created_at: new Date(at),
    })),
  )
  return byTime(rows, ({ happened_at }) => happened_at)
}
