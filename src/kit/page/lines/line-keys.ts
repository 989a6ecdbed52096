const KEYS = new WeakMap<object, string>()
let born = 0

/** What a line is known by while it is edited: its own from birth, never its place, and nothing that would be sent. */
export function keyOf(line: object): string {
  const known = KEYS.get(line)
  if (known !== undefined) return known
  born += 1
  return inPlaceOf(line, `line-${born}`)
}

function inPlaceOf(line: object, key: string): string {
  KEYS.set(line, key)
  return key
}

/** The line goes on under the key of the one it was made from. */
export const follow = (line: object, before: object): void => void inPlaceOf(line, keyOf(before))

/** Whether it ever stood in an editor. */
export const hasKey = (line: object): boolean => KEYS.has(line)
