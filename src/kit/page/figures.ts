import * as money from '#kit/model/money.ts'
import { formatMeasure as measure } from '#kit/model/statistic.ts'
import { currentLanguage } from './language.ts'

/** A figure in the language on screen. */
export const figure = (text: string): string => money.figureIn(currentLanguage(), text)

export const formatYuan = (amount: number): string => figure(money.formatYuan(amount))
export const formatFen = (amount: number): string => figure(money.formatFen(amount))
export const formatCount = (count: number): string => figure(money.formatCount(count))
export const formatShare = (permille: number): string => figure(money.formatShare(permille))
export const formatMeasure = (...given: Parameters<typeof measure>): string => figure(measure(...given))
export const yuanOf = (text: string): string => figure(money.yuanOf(text))

/** What a person typed, with the separators of the language on screen, or as a calculator writes it: "1199.5" is no thousand. */
export const parseYuan = (typed: string): money.Fen | undefined =>
  money.parseYuan(figure(typed.trim())) ?? (typed.includes(',') ? undefined : money.parseYuan(typed))
