import { glob } from 'node:fs/promises'
import { fill, LANGUAGES, type Language, type Locale, textOf } from '#kit/model/language.ts'
import { figureIn } from '#kit/model/money.ts'
import { INPUT_INVALID, type Refusal } from '#kit/model/refusal.ts'

const SOURCE = new URL('../../../', import.meta.url)

export type Bundles = Readonly<Record<Language, Readonly<Record<string, Readonly<Record<string, string>>>>>>

/** Every locale.ts of the tree by namespace (`kit`, `orders`, `orders/refund-application`), zh-TW derived. */
export async function readTexts(): Promise<Bundles> {
  const locales: [string, Locale][] = []
  for await (const path of glob('{kit,areas,engines}/**/locale.ts', { cwd: SOURCE })) {
    const { locale } = (await import(new URL(path, SOURCE).href)) as { locale: Locale }
    locales.push([path.replace(/^areas\//, '').replace(/\/locale\.ts$/, ''), locale])
  }
  locales.sort(([a], [b]) => a.localeCompare(b))
  const traditional = await traditionalChinese()
  const inLanguage = (language: Language) =>
    Object.fromEntries(
      locales.map(([namespace, locale]) => [
        namespace,
        language === 'zh-TW' ? { ...mapValues(locale['zh-CN'], traditional), ...locale['zh-TW'] } : locale[language],
      ]),
    )
  let derived: Bundles['zh-TW'] | undefined
  return {
    ...Object.fromEntries(LANGUAGES.filter(isWritten).map(language => [language, inLanguage(language)])),
    // When somebody reads it first: most starts are over before.
    get 'zh-TW'() {
      derived ??= inLanguage('zh-TW') as Bundles['zh-TW']
      return derived
    },
  } as Bundles
}

const isWritten = (language: Language) => language !== 'zh-TW'

/** Where the phrase dictionary's choice is not what an office in Taipei would write. */
const WORDS: readonly [string, string][] = [
  ['質量', '品質'],
  ['許可權', '權限'],
  ['賬號', '帳號'],
  ['賬戶', '帳戶'],
]

/** Its dictionaries cost a sixth of a second: once for a process, when the first text is to be turned. */
let convert: ((text: string) => string) | undefined

async function traditionalChinese(): Promise<(text: string) => string> {
  const { Converter } = await import('opencc-js')
  return text => {
    convert ??= Converter({ from: 'cn', to: 'twp' })
    return WORDS.reduce((result, [from, to]) => result.replaceAll(from, to), convert(text))
  }
}

const mapValues = <T>(record: Readonly<Record<string, string>>, change: (value: string) => T) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

export type Texts = {
  text(language: Language, namespace: string, key: string, params?: Readonly<Record<string, unknown>>): string
  has(namespace: string, key: string): boolean
  /** What people wrote in simplified characters, as an office in Taipei would write it. */
  traditional(text: string): string
  /** "title: detail" (spec §8): the title says what kind of refusal it is, the detail what to do. */
  refusal(language: Language, namespace: string, title: string, refusal: Refusal): string
}

/** Read once for all instances of a process. */
let read: Promise<[Bundles, (text: string) => string]> | undefined

export async function openTexts(): Promise<Texts> {
  read ??= Promise.all([readTexts(), traditionalChinese()])
  const [bundles, traditional] = await read
  const has = (namespace: string, key: string) => textOf(bundles['zh-CN'][namespace], key) !== undefined
  const text: Texts['text'] = (language, namespace, key, params) =>
    fill(textOf(bundles[language][namespace], key) ?? key, params)
  return {
    text,
    has,
    traditional,
    refusal(language, namespace, title, { code, params }) {
      const [home, key] = code.includes(':') ? (code.split(':') as [string, string]) : [namespace, code]
      const where = has(home, key) ? home : 'kit'
      const named = Object.fromEntries(
        Object.entries(params ?? {}).map(([name, value]) => [
          name,
          // In the words of whoever refuses, or else of the screen it is told on.
          labelled(text, has, language, has(home, String(value)) ? home : namespace, value),
        ]),
      )
      if (code === INPUT_INVALID) named.names = fieldLabels(text, has, language, namespace, String(params?.names))
      return `${text(language, 'kit', title)}: ${text(language, where, key, named)}`
    },
  }
}

/** The fields of a body by the words that stand beside them; one of a line by its own word, or by that of its lines. */
function fieldLabels(
  text: Texts['text'],
  has: Texts['has'],
  language: Language,
  namespace: string,
  names: string,
): string {
  const labels = names.split(', ').map(path => {
    const parts = path.split('.').filter(part => !/^\d+$/.test(part))
    const known = [parts.at(-1), parts[0]].map(part => `field.${part}`).find(key => has(namespace, key))
    return known === undefined ? path : text(language, namespace, known)
  })
  return [...new Set(labels)].join(language.startsWith('zh') ? '、' : ', ')
}

/** A parameter that is a key of the slice's texts (`status.PAID`) is shown by its text, anything else as it is. */
function labelled(
  text: Texts['text'],
  has: Texts['has'],
  language: Language,
  namespace: string,
  value: string | number,
): string | number {
  if (typeof value !== 'string') return value
  return has(namespace, value) ? text(language, namespace, value) : figureIn(language, value)
}
