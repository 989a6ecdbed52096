import type { Language, WrittenLanguage } from '#kit/model/language.ts'

/** What something is called: in each language people write, and in zh-TW where the derived word is wrong. */
export type Words = Readonly<Record<WrittenLanguage, string> & { 'zh-TW'?: string }>

export const COLOURS = {
  blue: '#1677ff',
  green: '#389e0d',
  orange: '#d46b08',
  red: '#cf1322',
  grey: '#8c8c8c',
  purple: '#722ed1',
  cyan: '#08979c',
  gold: '#d48806',
  indigo: '#2f54eb',
  magenta: '#c41d7f',
} as const

/** A dictionary the code relies on: records store the values, people may rename, colour, disable and add entries. */
export type BuiltInDictionary = {
  readonly name: Words
  readonly note?: Words
  /** By value, in the order people see them. */
  readonly entries: Readonly<Record<string, Words & { readonly colour?: keyof typeof COLOURS }>>
}
export type BuiltInDictionaries = ReadonlyMap<string, BuiltInDictionary>

/** The dictionaries of a slice by their codes. A word missing from a written language does not compile. */
export const defineDictionaries = <const T extends Readonly<Record<string, BuiltInDictionary>>>(declared: T): T =>
  declared

/** The columns of each entry beside its words. */
export const entriesOf = ({ entries }: BuiltInDictionary) =>
  Object.entries(entries).map(([value, { colour }]) => ({ value, colour: colour ? COLOURS[colour] : null }))

/** What people here call an entry, by language; nothing where the declared word will do. */
export type OwnWords = Readonly<Partial<Record<Language, string>>>

/** Of the words given for an entry those the declaration does not say anyway. */
export const ownWords = (given: OwnWords, declared: Words | undefined): OwnWords =>
  Object.fromEntries(Object.entries(given).filter(([language, word]) => word !== declared?.[language as Language]))
