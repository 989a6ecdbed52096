import * as money from '#kit/model/money.ts'
import { currentLanguage } from './language.ts'

/** A figure in the language on screen. */
export const figure = (text: string): string => money.figureIn(currentLanguage(), text)

export const formatYuan = (amount: number): string => figure(money.formatYuan(amount))
export const formatFen = (amount: number): string => figure(money.formatFen(amount))
export const formatCount = (count: number): string => figure(money.formatCount(count))
export const formatShare = (permille: number): string => figure(money.formatShare(permille))
export const yuanOf = (text: string): string => figure(money.yuanOf(text))

/** What a person typed, with the separators of the language on screen, or as a calculator writes it: "1199.5" is no thousand. */
export const parseYuan = (typed: string): money.Fen | undefined =>
  money.parseYuan(figure(typed.trim())) ?? (typed.includes(',') ? undefined : money.parseYuan(typed))

/**
 * A whole number as a person types it, with the thousands of the language on screen or without any. What stands where
 * another language has its decimals is no guess: "1.234" is a thousand in Portuguese, and in Chinese nothing.
 */
export function readWhole(typed: string): number | undefined {
  const plain = figure(typed.normalize('NFKC').trim())
  return /^-?(\d{1,15}|[1-9]\d{0,2}(,\d{3}){1,4})$/.test(plain) ? Number(plain.replaceAll(',', '')) : undefined
}

/** For an input of figures that takes whole numbers: what is none is put back to what stood there. */
export const WHOLE = {
  precision: 0,
  parser: (typed: string | undefined): number =>
    // Emptied it holds nothing, which the input knows by an empty text alone.
    typed === undefined || typed === '' ? ('' as never) : (readWhole(typed) ?? Number.NaN),
}
