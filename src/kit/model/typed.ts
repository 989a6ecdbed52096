import { parsePhone } from './mask.ts'

/** What somebody typed to find something, read as people mean it. */
export type Typed =
  | { readonly kind: 'phone'; readonly phone: string }
  /** The last four digits of a phone find nobody by themselves: they tell people of a name apart. */
  | {
      readonly kind: 'last-four'
      readonly digits: string
      readonly name: string
      /** Written in one: it may as well be what a product is called (常用字3500). */
      readonly isJoined?: true
    }
  /** From a paper: of an order, a parcel, a transfer. */
  | { readonly kind: 'number'; readonly text: string }
  /** Pinyin, initials, an account, or a name in Latin letters. */
  | { readonly kind: 'letters'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }

export const MAX_TYPED = 100

/** The last four digits of a phone without a name. */
export const isEnd = (typed: string): boolean => /^\d{4}$/.test(typed.normalize('NFKC').trim())

const LAST_FOUR = [/^(?<digits>\d{4})\s+(?<name>\D+)$/, /^(?<name>\D+)\s+(?<digits>\d{4})$/]
const JOINED = /^(?<name>[\p{Script=Han}·]+)(?<digits>\d{4})$/u
const HAN = /\p{Script=Han}/u

/** Digits and letters of any width are read alike; nothing typed is nothing. */
export function readTyped(typed: string): Typed | undefined {
  const text = typed.normalize('NFKC').trim()
  if (text === '') return undefined
  const phone = parsePhone(text)
  if (phone) return { kind: 'phone', phone }
  for (const shape of LAST_FOUR) {
    const { digits = '', name = '' } = shape.exec(text)?.groups ?? {}
    if (isNameEnough(name)) return { kind: 'last-four', digits, name: name.trim() }
  }
  const { digits = '', name = '' } = JOINED.exec(text)?.groups ?? {}
  if (isNameEnough(name)) return { kind: 'last-four', digits, name, isJoined: true }
  if (/^[\x21-\x7e]*\d[\x21-\x7e]*$/.test(text)) return { kind: 'number', text }
  return { kind: /^[a-z]+$/i.test(text) ? 'letters' : 'name', text }
}

/** A surname will do; of letters it takes two, for one begins every twentieth name. */
const isNameEnough = (name: string): boolean => HAN.test(name) || (name.match(/\p{L}/gu) ?? []).length >= 2

/** Part of a phone number: asked by a call of its own that is counted and logged, and never in an address. */
export const isPersonal = (typed: Typed | undefined): boolean => typed?.kind === 'phone' || typed?.kind === 'last-four'

/** How much of a name must be typed to be looked for inside of names: less is looked for at their beginning. */
export const isPartOfName = (text: string): boolean => [...text].length >= (HAN.test(text) ? 2 : 3)

/** What is worth asking everywhere: one letter or digit begins too much, one sign is a surname. */
export const isEnough = (typed: string): boolean => {
  const text = typed.normalize('NFKC').trim()
  return [...text].length > 1 || HAN.test(text)
}
