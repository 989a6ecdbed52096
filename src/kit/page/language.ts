import { late, loaderOf } from 'virtual:texts'
import { useEffect, useMemo } from 'react'
import { create } from 'zustand'
import { fill, isLanguage, type KeyOf, type Language, type Locale, textOf } from '#kit/model/language.ts'
import { speak } from './call.ts'
import { loadChunk } from './chunk.ts'

type Params = Readonly<Record<string, string | number>>
export type Say<Key extends string = string> = (key: Key, params?: Params) => string

/** Bundles on screen: the frame's from the start, a screen's with its page. */
const shown = new Set<string>(['shell'])
/** What has come, by language and bundle, and what it says, by language and namespace. */
const loaded = new Set<string>()
const texts = new Map<string, Readonly<Record<string, string>>>()

/** Which language is spoken; `loads` counts up when further texts arrive, so that whoever waited for them renders anew. */
const useSpoken = create<{ language: Language; loads: number }>(() => ({ language: 'zh-CN', loads: 0 }))

/** All texts on screen change together: they are loaded first, then shown. */
export async function switchLanguage(language: Language): Promise<void> {
  await Promise.all([...shown].map(bundle => loadBundle(language, bundle)))
  speak(language)
  localStorage.setItem(SPOKEN, language)
  document.documentElement.lang = language
  useSpoken.setState(({ loads }) => ({ language, loads: loads + 1 }))
}

const SPOKEN = 'inkstone-spoken'

/** The language of the last visit, to begin with until it is known whether it still is the one. */
export function spokenLast(): Language | null {
  const language = localStorage.getItem(SPOKEN)
  return isLanguage(language) ? language : null
}

/** Texts that will be on screen come together with those that are. */
export const expectTexts = (screen: string): void => void shown.add(screen)

/** The texts of a screen by its name (`orders/order`) with all it shows at once; of an engine, or of a part of the kit. */
export async function loadTexts(namespace: string): Promise<void> {
  const bundle = bundleOf(namespace)
  if (bundle === undefined) return
  shown.add(bundle)
  await loadBundle(currentLanguage(), bundle)
  useSpoken.setState(({ loads }) => ({ loads: loads + 1 }))
}

async function loadBundle(language: Language, bundle: string): Promise<void> {
  const load = loaderOf(language, bundle)
  if (!load || loaded.has(`${language}|${bundle}`)) return
  const { texts: came } = await loadChunk(load)
  for (const [namespace, entries] of Object.entries(came)) texts.set(`${language}|${namespace}`, entries)
  loaded.add(`${language}|${bundle}`)
}

/** What brings the texts of a namespace; nothing for those of an area, which come with each of its screens. */
const bundleOf = (namespace: string): string | undefined => {
  if (namespace.startsWith('kit')) return late.includes(namespace) ? namespace : 'shell'
  return /^[^/]+\/[^/]+/.exec(namespace)?.[0]
}

/** Whether texts are missing that can be brought. */
function isMissing(namespace: string): boolean {
  const language = currentLanguage()
  const bundle = bundleOf(namespace)
  if (bundle === undefined || texts.has(`${language}|${namespace}`) || loaded.has(`${language}|${bundle}`)) return false
  return loaderOf(language, bundle) !== undefined
}

/** Of a bundle that came without this namespace. */
const NONE = {}
const MISSING = {}

/** The texts of one namespace in the language on screen; switching renders anew, and so does what was waited for: no other texts that come. */
export function useTexts<L extends Locale>(namespace: string): Say<KeyOf<L>> {
  const known = useSpoken(({ language }) =>
    isMissing(namespace) ? MISSING : (texts.get(`${language}|${namespace}`) ?? NONE),
  )
  useEffect(
    function loadWhatIsMissing() {
      // Texts of an engine, of another screen whose part stands on this page, or of a late part of the kit.
      const bundle = bundleOf(namespace)
      if (bundle !== undefined && isMissing(namespace) && !shown.has(bundle)) void loadTexts(namespace).catch(() => {})
    },
    [namespace],
  )
  // A text is another function once it says something else. What is still to come is blank, not a key people cannot read.
  return useMemo(
    () => (known === MISSING ? () => '' : (key: string, params?: Params) => fill(textOf(known, key) ?? key, params)),
    [known],
  )
}

/** A text for whoever is no component: a notice, a push. An unknown key is shown as it is. */
export const say = (namespace: string, key: string, params?: Params): string =>
  fill(find(namespace, key) ?? key, params)

/** Whether a text exists: for keys that are optional, such as the help under a field. */
export const hasText = (namespace: string, key: string): boolean => find(namespace, key) !== undefined

const find = (namespace: string, key: string): string | undefined =>
  textOf(texts.get(`${currentLanguage()}|${namespace}`), key)

export const currentLanguage = (): Language => useSpoken.getState().language
export const useLanguage = (): Language => useSpoken(({ language }) => language)
