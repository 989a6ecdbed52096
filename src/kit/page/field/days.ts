import dayjs from 'dayjs'
import 'dayjs/locale/pt-br'
import 'dayjs/locale/zh-cn'
import 'dayjs/locale/zh-tw'
import type { Language } from '#kit/model/language.ts'
import { useLanguage } from '../language.ts'

const NAMES: Readonly<Record<Language, string>> = {
  'zh-CN': 'zh-cn',
  'zh-TW': 'zh-tw',
  'en-US': 'en',
  'pt-BR': 'pt-br',
}

/** What calendars count and name their days with, in the language on screen. It comes with the first picker. */
export function useDays(): typeof dayjs {
  dayjs.locale(NAMES[useLanguage()])
  return dayjs
}
