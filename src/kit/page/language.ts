import { loaders } from 'virtual:texts'
import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import type { KeyOf, Language, Locale } from '#kit/model/language.ts'
import { speak } from './call.ts'

const loaded = new Set<string>(['shell'])

/** Starts with the frame's texts; an area's come with its first screen. */
export async function startLanguage(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
    showSupportNotice: false,
  } as never)
  await switchLanguage(language)
}

/** All texts on screen change together: they are loaded first, then shown. */
export async function switchLanguage(language: Language): Promise<void> {
  await Promise.all([...loaded].map(bundle => loadBundle(language, bundle)))
  speak(language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}

export async function loadAreaTexts(area: string): Promise<void> {
  loaded.add(area)
  await loadBundle(i18next.language as Language, area)
}

async function loadBundle(language: Language, bundle: string): Promise<void> {
  const load = loaders[`${language}|${bundle}`]
  if (!load) return
  const { texts } = await load()
  for (const [namespace, entries] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, entries)
}

export type Say<Key extends string = string> = (key: Key, params?: Readonly<Record<string, string | number>>) => string

/** The texts of one namespace in the language on screen; switching renders anew. */
export function useTexts<L extends Locale>(namespace: string): Say<KeyOf<L>> {
  const { t } = useTranslation(namespace)
  return t as unknown as Say<KeyOf<L>>
}

/** A text for whoever is no component: a notice, a push. */
export const say = (namespace: string, key: string, params?: Readonly<Record<string, string | number>>): string =>
  i18next.t(key, { ns: namespace, ...params })

/** Whether a text exists: for keys that are optional, such as the help under a field. */
export const hasText = (namespace: string, key: string): boolean => i18next.exists(key, { ns: namespace })

export const currentLanguage = (): Language => i18next.language as Language
