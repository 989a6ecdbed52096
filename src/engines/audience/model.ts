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
export type InCommon = {
  readonly levels: readonly string[]
  readonly channels: readonly string[]
  readonly tags: readonly string[]
  readonly ownerIds: readonly string[]
}

/** Whom somebody wants to reach: by what they have in common, or by their numbers. */
export type Audience = { readonly inCommon: InCommon } | { readonly phones: readonly string[] }

export const isNamed = (inCommon: InCommon): boolean => Object.values(inCommon).some(part => part.length > 0)
