import * as z from 'zod'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** How a cell is divided: 田 a cross, 米 a cross and diagonals, 回 a frame within, 九 thirds, 方 not at all. */
export const GRIDS = ['TIAN', 'MI', 'HUI', 'JIU', 'FANG'] as const
export type Grid = (typeof GRIDS)[number]

/** Millimetres of a cell, by who is to write in it: the younger the hand, the larger. */
export const CELL_MM = { PRESCHOOL: 20, LOWER: 18, MIDDLE: 15, UPPER: 12 } as const
export type Age = keyof typeof CELL_MM
export const AGES = Object.keys(CELL_MM) as readonly Age[]

/** Rows of cells for each character of a name. */
export const MOST_LINES = 3
/** Names of peoples who join theirs by a dot are long: 迪丽热巴·迪力木拉提. */
export const MOST_NAME = 12
export const MOST_VERSE = 80
/** With more, the squares of its code become too fine for a telephone to tell on common paper. */
export const MOST_LINK = 200

/** What a sheet is to be: everything that is on it follows from this. */
export type SheetOrder = {
  readonly name: string
  /** A poem or a blessing below the name; its lines as they stand. */
  readonly verse: string
  readonly grid: Grid
  readonly age: Age
  readonly lines: number
}

export const DOT = '·'
const HAN = /^\p{Script=Han}$/u
/** What people type for the dot between the parts of a name. */
const DOTS = /[•・‧．.∙⋅]/g

/** As it is written on paper: one kind of dot, and nothing around it. */
export const plainName = (typed: string): string => typed.normalize('NFC').replace(/\s+/g, '').replace(DOTS, DOT)

export const isHan = (character: string): boolean => HAN.test(character)

/** Why nothing can be made of a name; which of its characters nobody can draw is not known here. */
export function nameFault(name: string): Refusal | undefined {
  const characters = [...name]
  const strange = characters.filter(it => !isHan(it) && it !== DOT)
  if (strange.length > 0)
    return refuse('engines/copybook:name-strange', { characters: [...new Set(strange)].join(' ') })
  if (!characters.some(isHan) || /^·|··|·$/.test(name)) return refuse('engines/copybook:name-empty')
  if (characters.length > MOST_NAME) return refuse('engines/copybook:name-long', { max: MOST_NAME })
}

/** What stands in a verse without being practised. */
const MARKS = new Set([...'，。！？、；：《》“”'])
export const isMark = (character: string): boolean => MARKS.has(character)

/** Its lines as they stand, without what is empty. */
export const verseLines = (verse: string): string[] =>
  verse
    .normalize('NFC')
    .split('\n')
    .map(line => line.replace(/\s+/g, ''))
    .filter(Boolean)

export function verseFault(verse: string): Refusal | undefined {
  const characters = verseLines(verse).flatMap(line => [...line])
  const strange = characters.filter(it => !isHan(it) && !isMark(it))
  if (strange.length > 0)
    return refuse('engines/copybook:verse-strange', { characters: [...new Set(strange)].join(' ') })
  if (characters.length > MOST_VERSE) return refuse('engines/copybook:verse-long', { max: MOST_VERSE })
}

const HTTPS = z.url({ protocol: /^https$/ })

/** What nobody sees in an address, or what reads as another place than the one it leads to. */
const DISGUISED = /[\s\p{Cc}\p{Cf}]|^https:\/\/[^/?#]*@/iu

/** Only what a telephone opens without asking, leading to where it says, and no more than a code can carry legibly. */
export function linkFault(link: string): Refusal | undefined {
  if (!HTTPS.safeParse(link).success || DISGUISED.test(link)) return refuse('engines/copybook:link-invalid')
  if (link.length > MOST_LINK) return refuse('engines/copybook:link-long', { max: MOST_LINK })
}
