/** Whether the database can keep it: no NUL, no half of a character. Scripts and whatever answers from outside can make both. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const HALF_AT_END = /[\ud800-\udbff]$/

/** What of a text can be kept, not longer than this and without half a character at its end. */
export const storable = (text: string, most = Number.POSITIVE_INFINITY): string =>
  text.toWellFormed().replaceAll('\0', '').slice(0, most).replace(HALF_AT_END, '')
