import * as z from 'zod'
import { id, number, optional } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** In per cent; nothing where it is as for everybody. */
const share = () => optional(number(0, 100))

/** What became of a teacher's comments within the last days, and how many of those to come somebody looks at again. */
const teacherLooks = z.strictObject({
  id: id(),
  name: z.string(),
  department: z.string(),
  share: share(),
  commented: z.int(),
  due: z.int(),
  passed: z.int(),
  overturned: z.int(),
})
export type TeacherLooks = z.infer<typeof teacherLooks>

export const secondLooks = z.strictObject({ usual: z.int(), days: z.int(), teachers: z.array(teacherLooks) })
export type SecondLooks = z.infer<typeof secondLooks>

/** `before` as it was when somebody decided: of two who decide at once the second is told. */
export const shareBody = z.strictObject({ share: share(), before: share() })

/** How closely somebody's own work is looked at is for others to say. */
export function whyNotSet(teacherId: string, actor: { readonly id: string }): Refusal | undefined {
  if (teacherId === actor.id) return refuse('own-share')
}
