import dayjs, { type Dayjs, type PluginFunc } from 'dayjs'
import 'dayjs/locale/pt-br'
import 'dayjs/locale/zh-cn'
import 'dayjs/locale/zh-tw'
import type { Language } from '#kit/model/language.ts'
import { formatInstant, isDay } from '#kit/model/time.ts'
import { useLanguage } from '../language.ts'

const NAMES: Readonly<Record<Language, string>> = {
  'zh-CN': 'zh-cn',
  'zh-TW': 'zh-tw',
  'en-US': 'en',
  'pt-BR': 'pt-br',
}

/** What a calendar asks of the moment, where it can, to learn what day it is and how late: Shanghai's, wherever the browser stands. */
const standsInShanghai: PluginFunc = (_, { prototype }) => {
  Object.assign(prototype, { tz: () => dayjs(formatInstant(new Date())) })
}
dayjs.extend(standsInShanghai)

/** What calendars count and name their days with, in the language on screen. It comes with the first picker. */
export function useDays(): typeof dayjs {
  dayjs.locale(NAMES[useLanguage()])
  return dayjs
}

/** A day of an address as a calendar takes it; nothing for what is no day, which calendars choke on. */
export const dayIn = (days: typeof dayjs, text: string | undefined): Dayjs | null =>
  text !== undefined && isDay(text) ? days(text) : null
