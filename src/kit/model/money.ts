import type { Language } from './language.ts'

declare const fenBrand: unique symbol

/** An amount of money in fen (1/100 yuan). Whole numbers only; never do arithmetic in yuan. */
export type Fen = number & { readonly [fenBrand]: true }

/** A thousand million yuan: no amount of ours comes near, and sums of many stay exact. */
export const MAX_FEN = 100_000_000_000
/** What one piece may cost: ten lines of a hundred, the most an order takes, stay within `MAX_FEN`. */
export const MAX_PRICE_FEN = MAX_FEN / 1_000

/** Takes what the database or a sum gives. Refuses anything that is not a whole, safe number. */
export function fen(value: number | string): Fen {
  const amount = Number(value)
  if (!Number.isSafeInteger(amount) || value === '') throw new RangeError('money must be a whole, safe number of fen')
  return amount as Fen
}

/**
 * Reads what a person typed ("12.30", "1,234.5"). Gives nothing for a third decimal rather than rounding it away, nor for
 * thousands that are none: whoever writes "1,19" may mean a little more than one.
 */
export function parseYuan(typed: string): Fen | undefined {
  const match = /^(-?)(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/.exec(typed.trim())
  if (!match) return undefined
  const [, sign, yuan = '', decimals = ''] = match
  const amount = Number(yuan.replaceAll(',', '')) * 100 + Number(decimals.padEnd(2, '0'))
  return (sign === '-' && amount !== 0 ? -amount : amount) as Fen
}

/** "1,234.50": thousands separated, always two decimals, no sign of the currency (it stands in the column's head). */
export function formatYuan(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  const yuan = grouped(digits.slice(0, -2))
  return `${amount < 0 ? '-' : ''}${yuan}.${digits.slice(-2)}`
}

/** Fen as they stand in an address, in yuan; what is no amount stays as it is. */
export const yuanOf = (text: string): string => (/^-?\d{1,15}$/.test(text) ? formatYuan(Number(text)) : text)

/** "12,345": what is counted, as people read it. */
export const formatCount = (count: number): string => grouped(String(count))

/** "88.5%" of 885 in a thousand. */
export const formatShare = (permille: number): string => `${permille / 10}%`

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/** A figure as the language writes it: "1.234,50" in Portuguese. What holds anything but a figure stays as it is. */
export function figureIn(language: Language, figure: string): string {
  if (language !== 'pt-BR' || !/^-?¥?-?[\d.,]+%?$/.test(figure)) return figure
  return figure.replace(/[.,]/g, sign => (sign === ',' ? '.' : ','))
}

/** "¥1,234.50", "-¥1.50". */
export const formatFen = (amount: number): string =>
  amount < 0 ? `-¥${formatYuan(-amount)}` : `¥${formatYuan(amount)}`
