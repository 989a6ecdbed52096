export const LANGUAGES = ['zh-CN', 'zh-TW', 'en-US', 'pt-BR'] as const
export type Language = (typeof LANGUAGES)[number]

/** Languages people write; zh-TW is derived from zh-CN, with overrides where the derivation is wrong. */
export type WrittenLanguage = Exclude<Language, 'zh-TW'>

export type Locale<Key extends string = string> = Readonly<
  Record<WrittenLanguage, Readonly<Record<Key, string>>> & { 'zh-TW'?: Readonly<Partial<Record<Key, string>>> }
>

/** The texts of a slice. A text missing from a written language does not compile. Holes are `{name}`, words that follow a number `{name:one|other}`. */
export function defineLocale<const T extends Record<string, string>>(texts: {
  'zh-CN': T
  'en-US': Readonly<Record<keyof NoInfer<T>, string>>
  'pt-BR': Readonly<Record<keyof NoInfer<T>, string>>
  'zh-TW'?: Readonly<Partial<Record<keyof NoInfer<T>, string>>>
}): Locale<Extract<keyof T, string>> {
  return texts as Locale<Extract<keyof T, string>>
}

export type KeyOf<L> = L extends Locale<infer Key> ? Key : never

export const isLanguage = (value: unknown): value is Language => LANGUAGES.includes(value as Language)

/**
 * Puts values into the holes of a text; a hole without a value stays visible. `{count:row|rows}` is the word for one of
 * them, or for any other number.
 */
export const fill = (text: string, params: Readonly<Record<string, unknown>> = {}): string =>
  text.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (hole, name: string, one?: string, other?: string) =>
    String((one === undefined ? params[name] : String(params[name]) === '1' ? one : other) ?? hole),
  )

/** The text of a key, if there is one. A key may come from outside, so what every object has by birth is no text. */
export const textOf = (texts: Readonly<Record<string, string>> | undefined, key: string): string | undefined =>
  texts && Object.hasOwn(texts, key) ? texts[key] : undefined

/** Several names as one reads them out: "A, B, and C", 「A、B和C」. */
export const inOneLine = (language: Language, names: readonly string[]): string =>
  new Intl.ListFormat(language).format(names)
