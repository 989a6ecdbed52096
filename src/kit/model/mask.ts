/** Which kind of personal data a field holds; decides what of it may be shown. */
export type Personal = 'phone' | 'name' | 'address' | 'chat'

const MASKS: Readonly<Record<Personal, (value: string) => string>> = {
  phone: value => (/^\d{11}$/.test(value) ? `${value.slice(0, 3)}****${value.slice(-4)}` : '***'),
  name: value => (value === '' ? '***' : `${[...value][0]}*`),
  // Province, city and district are what a parcel is sorted by; street and number stay hidden.
  address: value => `${/^.{2,12}?[省市区县旗州盟](?:.{1,8}?[市区县旗])?/u.exec(value)?.[0] ?? ''}***`,
  chat: value => `${value.slice(0, 2)}***`,
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
