import type { FormRule } from 'antd'
import { beforeAll, describe, expect, test } from 'vitest'
import { currentLanguage, say, switchLanguage } from './language.ts'
import { type Rules, rulesOf } from './rules.ts'

type Judged = {
  required?: boolean
  message?: string
  transform?(value: unknown): unknown
  validator?(rule: unknown, value: unknown): Promise<void>
}

/** The first complaint about a value, as antd would show it. */
async function complaint(
  rules: FormRule[],
  value: unknown,
  fields: Record<string, unknown> = {},
): Promise<string | undefined> {
  for (const given of rules) {
    const rule = (
      typeof given === 'function' ? given({ getFieldValue: (name: string) => fields[name] } as never) : given
    ) as Judged
    const shown = rule.transform?.(value) ?? value
    if (rule.required && (shown === undefined || shown === null || String(shown).trim() === '')) return rule.message
    try {
      await rule.validator?.({}, value)
    } catch (error) {
      return (error as Error).message
    }
  }
  return undefined
}

describe('the template rules', () => {
  let rules: Rules
  beforeAll(async () => {
    await switchLanguage('en-US')
    rules = rulesOf((key, params) => say('kit/page/rules', key, params))
  })

  test('an e-mail address is required and has a form', async () => {
    expect(await complaint(rules.email(), ' ')).toBe('Enter your e-mail address')
    expect(await complaint(rules.email(), 'ink@stone')).toBe('Invalid e-mail address')
    expect(await complaint(rules.email(), 'ink@stone.example')).toBeUndefined()
  })

  test('a password is required and has at least six characters', async () => {
    expect(await complaint(rules.password(), '')).toBe('Enter your password')
    expect(await complaint(rules.password(), 'inks1')).toBe('At least 6 characters')
    expect(await complaint(rules.password(), 'inks12')).toBeUndefined()
  })

  test('the two passwords must match', async () => {
    expect(await complaint(rules.repeated('password'), '', { password: 'a' })).toBe('Confirm the password')
    expect(await complaint(rules.repeated('password'), 'b', { password: 'a' })).toBe('The passwords do not match')
    expect(await complaint(rules.repeated('password'), 'a', { password: 'a' })).toBeUndefined()
  })

  test('a phone number is required and has a form', async () => {
    expect(await complaint(rules.phone(), undefined)).toBe('Enter your phone number')
    expect(await complaint(rules.phone(), '12345')).toBe('Invalid phone number')
    expect(await complaint(rules.phone(), '13800138000')).toBeUndefined()
  })

  test('a verification code is required', async () => {
    expect(await complaint(rules.captcha(), '')).toBe('Enter the verification code')
  })

  test('title, date, goal, metrics and client are required', async () => {
    const said = await Promise.all(
      (['title', 'date', 'goal', 'metrics', 'client'] as const).map(name => complaint(rules.required(name), undefined)),
    )
    expect(said).toEqual([
      'Enter a title',
      'Choose a start and an end date',
      'Describe the goal',
      'Enter the metrics',
      'Describe the client you serve',
    ])
    expect(await complaint(rules.required('date'), ['2026-01-01', '2026-01-31'])).toBeUndefined()
    expect(await complaint(rules.required('date'), [])).toBe('Choose a start and an end date')
  })

  test('up to five people are invited', async () => {
    expect(await complaint(rules.invitees(), [])).toBeUndefined()
    expect(await complaint(rules.invitees(), ['a', 'b', 'c', 'd', 'e'])).toBeUndefined()
    expect(await complaint(rules.invitees(), ['a', 'b', 'c', 'd', 'e', 'f'])).toBe('Up to 5 invitees')
  })

  test('an account name or e-mail address is required', async () => {
    expect(await complaint(rules.accountOrEmail(), '')).toBe('Enter your account name or e-mail address')
  })

  test('they speak the language on screen', async () => {
    await switchLanguage('pt-BR')
    expect(currentLanguage()).toBe('pt-BR')
    expect(await complaint(rules.password(), 'abc')).toBe('No mínimo 6 caracteres')
  })
})
