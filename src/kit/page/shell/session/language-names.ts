import type { Language } from '#kit/model/language.ts'

/** Each language in its own words: whoever looks for it may not read the current one. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
  'pt-BR': 'Português',
}
