import { describe, expect, test } from 'vitest'
import { generatePassword } from '../auth/one-time.ts'
import { COMMON_BASES } from './common-passwords.ts'
import { isPasswordOld, rulesFor, whyNotPassword } from './password.ts'

const OWN = ['lihua', '李华', '13900001111']
const said = (password: string, profile: 'default' | 'djbh' = 'default', superAdmin = false) =>
  whyNotPassword(password, rulesFor(profile, superAdmin), OWN)?.code.replace('kit/server/auth:password-', '') ?? 'good'

describe('which passwords are accepted', () => {
  test('the table of passwords and profiles', () => {
    const passwords = [
      'short-7',
      'mulberry paper 7',
      'Mulberry paper 7',
      'tR7#kQ2m',
      'kq7mxv3b',
      'correct horse battery staple',
      'Dragon paper 88',
      '墨香满室春意浓重',
      '😀🐱🌈🔑🚀🎈🍀🎵',
      ' spaces stay  ',
      `xxxxxxxxxx${'quill&Jar9'.repeat(11)}12345678`,
      'quill&Jar9'.repeat(13),
    ]
    expect(
      passwords.map(
        word => `${word.slice(0, 30)}: ${said(word)}, djbh ${said(word, 'djbh')}, admin ${said(word, 'default', true)}`,
      ),
    ).toEqual([
      'short-7: too-short, djbh too-short, admin too-short',
      'mulberry paper 7: good, djbh good, admin good',
      'Mulberry paper 7: good, djbh good, admin good',
      'tR7#kQ2m: good, djbh good, admin too-short',
      'kq7mxv3b: good, djbh classes, admin too-short',
      'correct horse battery staple: good, djbh classes, admin good',
      'Dragon paper 88: good, djbh good, admin good',
      '墨香满室春意浓重: good, djbh classes, admin too-short',
      '😀🐱🌈🔑🚀🎈🍀🎵: good, djbh classes, admin too-short',
      ' spaces stay  : good, djbh classes, admin good',
      'xxxxxxxxxxquill&Jar9quill&Jar9: good, djbh good, admin good',
      'quill&Jar9quill&Jar9quill&Jar9: too-long, djbh too-long, admin too-long',
    ])
  })

  test('what guessing programs try first is refused, with the reason', () => {
    const guessable = {
      common: [
        'password',
        'P@ssw0rd',
        'Password2024!',
        'password8391',
        'iloveyou!!',
        'woaini1314',
        'Summer#2026',
        'ＰＡＳＳＷＯＲＤ１２',
        'a1b2c3d4',
        '13800138000',
      ],
      run: ['12345678', '87654321', 'abcdefgh', 'poiuytrew', '1qaz2wsx3edc4rfv', 'zyxwvuts99', 'sdfghjkl'],
      repeated: ['aaaaaaaa', 'abcabcabc', '12121212', '        ', 'zzzz!!!!'],
      year: ['19900512', '2024-2025', '1998.12.31'],
      'product-word': ['inkstone-demo', 'Inkstone2026', 'yantai888', '砚台砚台砚台2026', '1nkst0ne!!'],
      'own-word': ['lihua1990', 'LiHua!!!!', '李华李华2024', '13900001111'],
    }
    for (const [reason, passwords] of Object.entries(guessable)) {
      expect(passwords.map(word => `${word}: ${said(word)}`)).toEqual(passwords.map(word => `${word}: ${reason}`))
    }
  })

  test('every common word is refused with up to six digits behind it', () => {
    const passed = COMMON_BASES.flatMap(base => ['', '1', '88', '4711', '483920'].map(digits => base + digits)).filter(
      word => said(word) === 'good',
    )
    expect(passed).toEqual([])
  })

  test('a common word does not spoil an otherwise good password', () => {
    expect(['dragonfly over reeds', 'my-tiger-eats-kelp', 'love§quartz'].map(word => said(word))).toEqual([
      'good',
      'good',
      'good',
    ])
  })

  test('made-up passwords are good under every profile and never twice the same', () => {
    const made = Array.from({ length: 200 }, generatePassword)
    expect(new Set(made).size).toBe(200)
    expect(made.filter(word => said(word, 'djbh', true) !== 'good')).toEqual([])
  })

  test('only the strict profile asks for a new password after 90 days', () => {
    const now = new Date('2026-11-15T00:00:00Z')
    const ages = ['2026-08-18T00:00:00Z', '2026-08-16T00:00:00Z'] as const
    expect(ages.map(setAt => [isPasswordOld('default', setAt, now), isPasswordOld('djbh', setAt, now)])).toEqual([
      [false, false],
      [false, true],
    ])
  })
})
