import type * as z from 'zod'
import { choice, day, longText, number, optional, reference as ref, tags } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'

/** How many members an audience may have at most. */
export const MAX_AUDIENCE = 20_000
/** Rows of a file of numbers, the headings not counted: more are refused whole, and never cut. */
export const MAX_FILE_ROWS = MAX_AUDIENCE
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

/** A row of a file as it stands there; `no` counts from 1, as spreadsheets do. */
type Row = { readonly no: number; readonly cells: readonly string[] }

/** Why a row of a file gives no number: nothing stands there, no mobile number does, or one of a row before. */
export const WHY_REFUSED = ['MISSING', 'INVALID', 'SHORTENED', 'REPEATED'] as const
/** A row that gives no number, and why; `first` is the row that has it already. */
export type RefusedRow = {
  readonly no: number
  readonly why: (typeof WHY_REFUSED)[number]
  readonly first: number | null
}
export type FileNumbers = { readonly phones: readonly string[]; readonly refused: readonly RefusedRow[] }

/** "1.38E+10": a spreadsheet has forgotten the last digits. */
const SHORTENED = /^\d(\.\d+)?e\+?\d+$/i

/** The numbers of a file, each once, and of every row that gives none why; a first row without any is its headings. */
export function numbersOfRows(rows: readonly Row[]): FileNumbers {
  const seen = new Map<string, number>()
  const refused: RefusedRow[] = []
  for (const { no, cells } of rows) {
    const phones = cells.flatMap(cell => parsePhone(cell) ?? [])
    const fresh = phones.filter(phone => !seen.has(phone))
    for (const phone of fresh) seen.set(phone, no)
    if (fresh.length > 0) continue
    const [known] = phones
    if (known !== undefined) refused.push({ no, why: 'REPEATED', first: seen.get(known) ?? null })
    else if (no > 1) refused.push({ no, why: whyNone(cells), first: null })
  }
  return { phones: [...seen.keys()], refused }
}

function whyNone(cells: readonly string[]): RefusedRow['why'] {
  if (cells.some(cell => SHORTENED.test(cell.trim()))) return 'SHORTENED'
  return cells.some(cell => HAS_DIGIT.test(cell)) ? 'INVALID' : 'MISSING'
}

/** Whom somebody wants to reach: by what they have in common, or by their numbers. */
export type Audience = { readonly inCommon: InCommon } | { readonly phones: readonly string[] }

const MAX_DAYS = 3_650
const MAX_WORKS = 100_000
const days = () => number(1, MAX_DAYS)

/** What members are told apart by; each part that names something must fit. */
const inCommonFields = {
  levels: tags('MEMBER_LEVEL'),
  channels: tags('CHANNEL'),
  tags: tags('MEMBER_TAG'),
  ofOwnerId: optional(ref('staff')),
  ofTeacherId: optional(ref('staff')),
  packageId: optional(ref('course-package')),
  // From today on, so many days at most.
  endsWithin: optional(number(0, MAX_DAYS)),
  noCheckInDays: optional(days()),
  noWorkDays: optional(days()),
  worksFrom: optional(number(0, MAX_WORKS)),
  worksTo: optional(number(0, MAX_WORKS)),
  registeredFrom: optional(day()),
  registeredTo: optional(day()),
  agreed: optional(choice({ GIVEN: 'done', WITHDRAWN: 'failed', NONE: 'idle' })),
}
/** Members by what they have in common. */
export type InCommon = Readonly<z.infer<z.ZodObject<typeof inCommonFields>>>

/** Nothing in common is asked for. */
export const NOTHING_IN_COMMON: InCommon = {
  levels: [],
  channels: [],
  tags: [],
  ofOwnerId: null,
  ofTeacherId: null,
  packageId: null,
  endsWithin: null,
  noCheckInDays: null,
  noWorkDays: null,
  worksFrom: null,
  worksTo: null,
  registeredFrom: null,
  registeredTo: null,
  agreed: null,
}
const IN_COMMON = Object.keys(inCommonFields) as (keyof InCommon)[]

/** The parts of what somebody entered that say what members have in common; what was not entered asks for nothing. */
export const inCommonOf = (entered: Partial<InCommon>): InCommon =>
  Object.fromEntries(IN_COMMON.map(part => [part, entered[part] ?? NOTHING_IN_COMMON[part]])) as InCommon

/** How somebody says whom: chosen by what they have in common, or by numbers, which are pasted below it. */
export const audienceFields = { audienceBy: choice({ FILTER: 'busy', NUMBERS: 'special' }), ...inCommonFields }
export const AUDIENCE_FIELDS = ['audienceBy', ...IN_COMMON] as const
/** Numbers are kept in the rows they become, and nowhere else. */
export const pastedNumbers = { numbers: longText(MAX_PASTED) }
export type Wish = z.infer<z.ZodObject<typeof audienceFields & typeof pastedNumbers>>

const OF_FILTER: ReadonlySet<string> = new Set(IN_COMMON)

/** Whether a form asks for this part of an audience, once it is known how members are chosen. */
export const isPartShown = (field: string, audienceBy: unknown): boolean => {
  if (OF_FILTER.has(field)) return audienceBy === 'FILTER'
  return field !== 'numbers' || audienceBy !== undefined
}

/** Numbers that reach nobody, and why. */
export type LeftOut = { readonly repeated: number; readonly invalid: number; readonly strangers: number }

export const isNamed = (inCommon: InCommon): boolean =>
  Object.values(inCommon).some(part => part !== null && !(Array.isArray(part) && part.length === 0))
