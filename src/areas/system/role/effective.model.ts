import * as z from 'zod'
import { code, flag, id, reference, text } from '#kit/model/field.ts'

/** A person and a page: what may this person do there, and why? */
export const question = z.strictObject({ staffId: reference('staff'), page: code(100) })

const names = z.array(z.string())
/** One thing that may be done: by which roles of the person, or else which other roles would allow it. */
const verdict = z.strictObject({ key: z.string(), name: z.string(), isHeld: z.boolean(), by: names, elsewhere: names })
export type Verdict = z.infer<typeof verdict>

/** What somebody has to do before anything that roles allow is open. */
const FIRST = ['PASSWORD', 'FACTOR'] as const
export type First = (typeof FIRST)[number]

/** Whose rows one role shows on the page. */
const reach = z.strictObject({ role: z.string(), scope: z.string(), departments: names })

export const effective = z.strictObject({
  person: z.strictObject({
    id: id(),
    name: text(50),
    isEnabled: flag(),
    isSuperAdmin: flag(),
    first: z.enum(FIRST).nullable(),
    roles: names,
  }),
  verdicts: z.array(verdict),
  /** None where the rows of the page are everybody's. */
  reaches: z.array(reach).nullable(),
  /** What is shown masked, whether this person may open it, and by which roles. */
  fields: z.array(z.strictObject({ name: z.string(), isOpen: z.boolean(), right: z.string().nullable(), by: names })),
})
export type Effective = z.infer<typeof effective>
