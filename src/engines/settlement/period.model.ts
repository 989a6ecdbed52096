import { addDays } from '#kit/model/time.ts'

/** A calendar month in the business's zone, by its first and its last day. */
export type Period = { readonly from: string; readonly to: string }

/** The month a day is in. */
export function periodOf(day: string): Period {
  const from = `${day.slice(0, 7)}-01`
  // Thirty-one days after the first of a month it is the next month, whichever it is.
  return { from, to: addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1) }
}

/** The month before the one a day is in. */
export const periodBefore = (day: string): Period => periodOf(addDays(periodOf(day).from, -1))

/** What a statement is called: the month, and whose it is. */
export const statementNo = ({ from }: Period, partnerId: string): string =>
  `C${from.slice(0, 7).replace('-', '')}-${partnerId.padStart(4, '0')}`
