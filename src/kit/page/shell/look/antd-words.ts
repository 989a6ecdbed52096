import type { Locale } from 'antd/es/locale'
import type { Language } from '#kit/model/language.ts'
import { loadChunk } from '../../chunk.ts'

/** antd's own words, one language at a time. */
const WORDS: Readonly<Record<Language, () => Promise<{ default: Locale }>>> = {
  'zh-CN': () => import('antd/es/locale/zh_CN'),
  'zh-TW': () => import('antd/es/locale/zh_TW'),
  'en-US': () => import('antd/es/locale/en_US'),
  'pt-BR': () => import('antd/es/locale/pt_BR'),
}

export const loadWords = async (language: Language): Promise<Locale> => (await loadChunk(WORDS[language])).default
