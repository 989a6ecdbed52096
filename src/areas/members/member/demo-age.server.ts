import { chanceOf, remembered, type World } from '#demo/world.server.ts'
import { ageGroupOf } from '#engines/consent/model.ts'
import { dayOf } from '#kit/model/time.ts'
import { type Member, membersOf } from './demo-joining.server.ts'

const chance = chanceOf('members/member: age')

/** Of a hundred pupils so many are so old; most begin when they learn to write. */
const AGES: readonly (readonly [years: number, weight: number])[] = [
  [6, 8],
  [7, 16],
  [8, 18],
  [9, 16],
  [10, 13],
  [11, 10],
  [12, 7],
  [13, 4],
  [14, 4],
  [15, 4],
]
/** Of so many nobody has said it. */
const UNKNOWN = 0.08

/** A month in which somebody who is so old on this day was born. */
export function bornMonthsBefore(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  const count = year * 12 + month - 1 - months
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** When each pupil was born, where anybody knows. */
const birthMonths = remembered((world): ReadonlyMap<Member, string | null> => {
  const random = chance(world)
  const today = dayOf(world.now)
  return new Map(
    membersOf(world).map(member => {
      const month = bornMonthsBefore(today, random.weighted(AGES) * 12 + random.whole(1, 11))
      return [member, random.chance(UNKNOWN) ? null : month]
    }),
  )
})

export const birthMonthOf = (world: World, member: Member): string | null => birthMonths(world).get(member) ?? null

/** Whether the pupil could agree alone by then. */
export const mayAgree = (world: World, member: Member, at: number): boolean =>
  ageGroupOf(birthMonthOf(world, member), dayOf(new Date(at))) === 'FROM_14'
