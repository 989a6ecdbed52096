import * as z from 'zod'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** An entry of the menu below the chat. Those of the second level stand right behind the one they open from. */
export const menuLine = z.strictObject({
  level: z.enum(['TOP', 'SUB']),
  name: z.string().trim().max(40),
  /** What a tap does: opens what stands below it, opens a page, or is answered as if its word had been typed. */
  action: z.enum(['OPEN', 'VIEW', 'CLICK']),
  value: z.string().trim().max(1_000),
})
export type MenuLine = z.infer<typeof menuLine>

/** The platform's bounds. */
const MAX_TOPS = 3
const MAX_SUBS = 5
export const MAX_LINES = MAX_TOPS * (MAX_SUBS + 1)
const WIDTHS = { TOP: 8, SUB: 16 } as const
const MAX_WORD = 50

/** As wide as it is drawn: a Chinese character takes the place of two letters. */
const widthOf = (name: string): number => [...name].reduce((sum, sign) => sum + (sign > 'ÿ' ? 2 : 1), 0)

type MenuEntry = { readonly line: MenuLine; readonly subs: readonly MenuLine[] }

/** Each entry of the first level with those below it; what stands before the first of them is below nothing. */
export function treeOf(lines: readonly MenuLine[]): MenuEntry[] {
  const tree: { line: MenuLine; subs: MenuLine[] }[] = []
  for (const line of lines)
    if (line.level === 'TOP') tree.push({ line, subs: [] })
    else tree.at(-1)?.subs.push(line)
  return tree
}

type MenuFault = { readonly at: number; readonly part: keyof MenuLine; readonly refusal: Refusal }

/** The first thing the platform would refuse, and where it stands; nothing where it would take the menu. */
export function menuFault(lines: readonly MenuLine[]): MenuFault | undefined {
  let [tops, subs] = [0, 0]
  for (const [at, line] of lines.entries()) {
    const wrong = (part: keyof MenuLine, refusal: Refusal): MenuFault => ({ at, part, refusal })
    if (line.level === 'TOP') [tops, subs] = [tops + 1, 0]
    else subs += 1
    if (tops === 0) return wrong('level', refuse('menu-sub-first'))
    if (tops > MAX_TOPS) return wrong('level', refuse('menu-tops', { most: MAX_TOPS }))
    if (subs > MAX_SUBS) return wrong('level', refuse('menu-subs', { most: MAX_SUBS }))
    if (line.name === '') return wrong('name', refuse('kit:field-missing'))
    if (widthOf(line.name) > WIDTHS[line.level]) return wrong('name', refuse('menu-name', widthsOf(line)))
    const opens = line.level === 'TOP' && lines[at + 1]?.level === 'SUB'
    if (opens !== (line.action === 'OPEN')) return wrong('action', refuse(opens ? 'menu-opens' : 'menu-no-action'))
    const refusal = valueFault(line)
    if (refusal) return wrong('value', refusal)
  }
}

const widthsOf = ({ level }: MenuLine) => ({ wide: WIDTHS[level] / 2, narrow: WIDTHS[level] })

function valueFault({ action, value }: MenuLine): Refusal | undefined {
  if (action === 'OPEN') return value === '' ? undefined : refuse('menu-nothing-here')
  if (action === 'VIEW') return /^https:\/\/[^\s/]+\.[^\s]+$/.test(value) ? undefined : refuse('menu-link')
  if (value === '' || value.length > MAX_WORD) return refuse('menu-word', { most: MAX_WORD })
}

/** Whether the platform would show the same by both. */
export const isSameMenu = (one: readonly MenuLine[], other: readonly MenuLine[]): boolean =>
  JSON.stringify(one.map(partsOf)) === JSON.stringify(other.map(partsOf))

const partsOf = ({ level, name, action, value }: MenuLine) => [level, name, action, value]
