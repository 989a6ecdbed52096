/** Whether the database can keep it: no NUL, no half of a character. Scripts and whatever answers from outside can make both. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const HALF_AT_END = /[\ud800-\udbff]$/

/** What of a text can be kept, not longer than this and without half a character at its end. */
export const storable = (text: string, most = Number.POSITIVE_INFINITY): string =>
  text.toWellFormed().replaceAll('\0', '').slice(0, most).replace(HALF_AT_END, '')

/** The same of every text in what somebody outside tells. */
export function storableIn<T>(told: T): T
export function storableIn(told: unknown): unknown {
  if (typeof told === 'string') return storable(told)
  if (Array.isArray(told)) return told.map(storableIn)
  if (told === null || typeof told !== 'object') return told
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [storable(name), storableIn(value)]))
}
