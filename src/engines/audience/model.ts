import type * as z from 'zod'
import { choice, longText, optional, reference as ref, tags } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'

/** How many members an audience may have at most. */
export const MAX_AUDIENCE = 20_000
/** As much as so many numbers take, one to a line. */
export const MAX_PASTED = 400_000

/** Numbers as somebody pasted them, or as they stand in a file: each once, in their order. */
export type Numbers = { readonly phones: readonly string[]; readonly repeated: number; readonly invalid: number }

const BETWEEN = /[\n\r\t,;，；、|"]+/
const HAS_DIGIT = /\p{Nd}/u

/** Headings and names beside the numbers are no numbers; whatever has a digit in it was meant as one. */
export function numbersIn(pasted: string): Numbers {
  const phones = new Set<string>()
  let [repeated, invalid] = [0, 0]
  for (const piece of pasted.split(BETWEEN)) {
    if (!HAS_DIGIT.test(piece)) continue
    const phone = parsePhone(piece)
    if (phone === undefined) invalid += 1
    else if (phones.has(phone)) repeated += 1
    else phones.add(phone)
  }
  return { phones: [...phones], repeated, invalid }
}

/** Members by what they have in common; each part that names something must fit. */
type InCommon = {
  readonly levels: readonly string[]
  readonly channels: readonly string[]
  readonly tags: readonly string[]
  readonly ownerIds: readonly string[]
}

/** Whom somebody wants to reach: by what they have in common, or by their numbers. */
export type Audience = { readonly inCommon: InCommon } | { readonly phones: readonly string[] }

/** How somebody says whom: chosen by what they have in common, or by numbers, which are pasted below it. */
export const audienceFields = {
  audienceBy: choice({ FILTER: 'busy', NUMBERS: 'special' }),
  levels: tags('MEMBER_LEVEL'),
  channels: tags('CHANNEL'),
  tags: tags('MEMBER_TAG'),
  ofOwnerId: optional(ref('staff')),
}
/** Numbers are kept in the rows they become, and nowhere else. */
export const pastedNumbers = { numbers: longText(MAX_PASTED) }
export type Wish = z.infer<z.ZodObject<typeof audienceFields & typeof pastedNumbers>>

const OF_FILTER: ReadonlySet<string> = new Set(['levels', 'channels', 'tags', 'ofOwnerId'])

/** Whether a form asks for this part of an audience, once it is known how members are chosen. */
export const isPartShown = (field: string, audienceBy: unknown): boolean => {
  if (OF_FILTER.has(field)) return audienceBy === 'FILTER'
  return field !== 'numbers' || audienceBy !== undefined
}

/** Numbers that reach nobody, and why. */
export type LeftOut = { readonly repeated: number; readonly invalid: number; readonly strangers: number }

export const isNamed = (inCommon: InCommon): boolean => Object.values(inCommon).some(part => part.length > 0)
