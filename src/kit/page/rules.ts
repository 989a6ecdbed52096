import type { FormRule } from 'antd'
import { useMemo } from 'react'
import { isPhone } from '#kit/model/mask.ts'
import { HINT_MINIMUM, strengthOf } from '#kit/model/password.ts'
import { type Say, useTexts } from './language.ts'
import type { locale } from './rules/locale.ts'

/** Spec §5, §9. */
const MAX_INVITEES = 5
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

type Key = Extract<keyof (typeof locale)['zh-CN'], string>
type Template = 'title' | 'date' | 'goal' | 'metrics' | 'client'
export type Rules = ReturnType<typeof rulesOf>

/** The template rules of spec §5 as rules of antd's form: presence and form, each in its own words. */
export const rulesOf = (say: Say<Key>) => ({
  email: (): FormRule[] => [missing(say('email-missing')), format(EMAIL, say('email-format'))],
  /** A password of six characters or more that is not merely long enough to be counted. */
  password: (): FormRule[] => [
    missing(say('password-missing')),
    test(typed => strengthOf(String(typed)) !== 'too-short', say('password-short', { min: HINT_MINIMUM })),
  ],
  repeated: (field: string): FormRule[] => [
    missing(say('repeat-missing')),
    ({ getFieldValue }) => test(typed => typed === getFieldValue(field), say('repeat-different')),
  ],
  phone: (): FormRule[] => [missing(say('phone-missing')), test(typed => isPhone(String(typed)), say('phone-format'))],
  captcha: (): FormRule[] => [missing(say('captcha-missing'))],
  required: (name: Template): FormRule[] => [missing(say(`${name}-missing`))],
  invitees: (): FormRule[] => [
    test(
      people => !Array.isArray(people) || people.length <= MAX_INVITEES,
      say('invitees-many', { max: MAX_INVITEES }),
    ),
  ],
  accountOrEmail: (): FormRule[] => [missing(say('account-missing'))],
})

export function useRules(): Rules {
  const say = useTexts<typeof locale>('kit/page/rules')
  return useMemo(() => rulesOf(say), [say])
}

/** Blanks are nothing, and so is an empty list. */
const missing = (message: string): FormRule => ({ required: true, whitespace: true, message, transform: asText })
const asText = (value: unknown): unknown => (Array.isArray(value) ? value.join('') : value)

const format = (pattern: RegExp, message: string) => test(typed => pattern.test(String(typed)), message)

/** Says nothing about an empty field: whether it may be empty is another rule's question. */
const test = (isRight: (value: unknown) => boolean, message: string) => ({
  validator: async (_: unknown, value: unknown) => {
    if (value !== undefined && value !== null && value !== '' && !isRight(value)) throw new Error(message)
  },
})
