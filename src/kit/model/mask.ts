/** Which kind of personal data a field holds; decides what of it may be shown. */
export type Personal = 'phone' | 'name' | 'address' | 'chat' | 'account' | 'email' | 'month'

const MASKS: Readonly<Record<Personal, (value: string) => string>> = {
  phone: value => (/^\d{11}$/.test(value) ? `${value.slice(0, 3)}****${value.slice(-4)}` : '***'),
  name: value => (value === '' ? '***' : `${[...value][0]}*`),
  // Province, city and district are what a parcel is sorted by; street and number stay hidden.
  address: value => `${/^.{2,12}?[省市区县旗州盟](?:.{1,8}?[市区县旗])?/u.exec(value)?.[0] ?? ''}***`,
  // Enough to tell two accounts of one person apart.
  account: value => (value.length >= 8 ? `***${value.slice(-4)}` : '***'),
  // Whose server it is tells whether it can be right.
  email: value => (/^[^@]+@[^@]+$/.test(value) ? `${[...value][0]}***${value.slice(value.indexOf('@'))}` : '***'),
  chat: value => `${value.slice(0, 2)}***`,
  // Of a birth even the year is more than a reader needs.
  month: () => '****-**',
}

/** Fails closed: a value of an unexpected shape shows nothing of itself. */
export const mask = (kind: Personal, value: string): string => MASKS[kind](value)

export const isPhone = (typed: string): boolean => /^1[3-9]\d{9}$/.test(typed)

/** "+86 138-0013-8000" and full-width digits become "13800138000"; gives nothing when that is no mobile number. */
export function parsePhone(typed: string): string | undefined {
  const digits = typed
    .normalize('NFKC')
    .replace(/[\s()-]/g, '')
    .replace(/^(\+?86)(?=1)/, '')
  return isPhone(digits) ? digits : undefined
}

/** A mobile phone, an identity card, a bank card: numbers that lead to a person, by their shape. */
const NUMBERS =
  /(?<!\d)(1[3-9]\d[ -]?\d{4}[ -]?\d{4}|\d{6}(19|20)\d{2}(0[1-9]|1[0-2])\d{5}[\dXx]|62\d{2}( ?\d{4}){3}\d{0,3})(?!\d)/

/** Whether such a number stands somewhere in a text. */
export const holdsNumber = (text: string): boolean => NUMBERS.test(text.normalize('NFKC'))

/** How long a personal value stands in full before it is masked again: long enough to dial it, or to read it out. */
export const SHOWN_MS = 60_000
