import type { Place } from './comment.model.ts'

export type Size = { readonly width: number; readonly height: number }
/** Where the keyboard points at in a picture, and where what it draws was begun. */
export type Cursor = { readonly at: Place; readonly from: Place | null }

/** Shares of the picture's longer side: a step, and a stride with Shift. */
const STEP = 0.01
const STRIDE = 0.08
/** Ways as they are seen, clockwise. */
const WAYS = ['arrowup', 'arrowright', 'arrowdown', 'arrowleft'] as const
const MOVES = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const

export const isArrow = (key: string): boolean => (WAYS as readonly string[]).includes(key)

/** After an arrow: a step the way that is seen, however the picture was turned. The first one shows it in the middle. */
export function moved(
  before: Cursor | null,
  key: string,
  picture: Size & { turns: number; isStride: boolean },
): Cursor {
  const { width, height, turns, isStride } = picture
  if (!before) return { at: [Math.round(width / 2), Math.round(height / 2)], from: null }
  const seen = (WAYS as readonly string[]).indexOf(key)
  const [dx, dy] = MOVES[(seen - turns + MOVES.length) % MOVES.length] ?? [0, 0]
  const by = Math.max(1, Math.round((isStride ? STRIDE : STEP) * Math.max(width, height)))
  const within = (at: number, most: number) => Math.max(0, Math.min(at, most))
  return { ...before, at: [within(before.at[0] + dx * by, width), within(before.at[1] + dy * by, height)] }
}

/** What Enter draws: a pin at once, a line or a box from where Enter was pressed first; nothing while that has just begun. */
export function entered({ at, from }: Cursor, isPin: boolean): { cursor: Cursor; line: readonly Place[] } {
  if (isPin) return { cursor: { at, from: null }, line: [at] }
  return from === null ? { cursor: { at, from: at }, line: [] } : { cursor: { at, from: null }, line: [from, at] }
}
