import { type Refusal, refuse } from '#kit/model/refusal.ts'
import type { Env } from '../process/env.ts'
import { COMMON_BASES, PRODUCT_WORDS } from './common-passwords.ts'

type Profile = Env['SECURITY_PROFILE']

/** What a password must be. Characters are counted as people count them: an emoji is one. */
export type PasswordRules = {
  readonly min: number
  readonly max: number
  /** How many of the four classes (small, capital, digit, other) it must hold; 1 asks for nothing. */
  readonly classes: number
  /** How many earlier passwords may not come back, the present one among them. */
  readonly remembered: number
  readonly maxAgeDays: number | null
}

const MAX_CHARACTERS = 128
const DAY_MS = 86_400_000
const SUPER_ADMIN_MIN = 12

/** Level protection (djbh) asks for classes, history and rotation; otherwise length and no guessable word are what counts. */
const PROFILES: Readonly<Record<Profile, PasswordRules>> = {
  default: { min: 8, max: MAX_CHARACTERS, classes: 1, remembered: 1, maxAgeDays: null },
  djbh: { min: 8, max: MAX_CHARACTERS, classes: 3, remembered: 5, maxAgeDays: 90 },
}

export const rulesFor = (profile: Profile, superAdmin: boolean): PasswordRules => ({
  ...PROFILES[profile],
  min: superAdmin ? SUPER_ADMIN_MIN : PROFILES[profile].min,
})

/** Asked when a session is read, so it takes hold at the next sign-in rather than in the middle of the work. */
export function isPasswordOld(profile: Profile, setAt: string, now: Date): boolean {
  const { maxAgeDays } = PROFILES[profile]
  return maxAgeDays !== null && now.getTime() - Date.parse(setAt) > maxAgeDays * DAY_MS
}

/** Why a password is not good enough, or nothing. `own` are words of its owner: account, name, phone. */
export function whyNotPassword(password: string, rules: PasswordRules, own: readonly string[]): Refusal | undefined {
  const characters = [...password].length
  if (characters < rules.min) return refused('password-too-short', { min: rules.min })
  if (characters > rules.max) return refused('password-too-long', { max: rules.max })
  if (classesOf(password) < rules.classes) return refused('password-classes', { classes: rules.classes })
  const reason = whyGuessable(password, own)
  return reason === undefined ? undefined : refused(reason)
}

const refused = (key: string, params?: Refusal['params']) => refuse(`kit/server/auth:${key}`, params)

const classesOf = (password: string): number =>
  [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u].filter(kind => kind.test(password)).length

/** Stands where a guessable part was cut out. */
const CUT = '\u0001'
/** So many different characters must be left once everything guessable is cut out. */
const OWN_CHARACTERS = 4

type Cut = { readonly reason: string; cut(text: string): string }

/**
 * Cuts out what guessing programs try first and looks at what is left: a word nobody would guess between two that everybody
 * would is enough, "Password2024!" is not. The reason is the first cut that found something.
 */
function whyGuessable(password: string, own: readonly string[]): string | undefined {
  const plain = password.normalize('NFKC').toLowerCase()
  if (/^(.{1,4})\1+$/u.test(plain)) return 'password-repeated'
  let left = plain
  let reason: string | undefined
  for (const { reason: found, cut } of cuts(own)) {
    const after = cut(left)
    if (after !== left) reason ??= found
    left = after
  }
  if (reason === undefined) return undefined
  const rest = left.replace(new RegExp(`(?<=${CUT})\\d{1,6}|\\d{1,4}(?=${CUT})`, 'g'), '').replaceAll(CUT, '')
  return new Set(rest).size < OWN_CHARACTERS ? reason : undefined
}

const cuts = (own: readonly string[]): readonly Cut[] => [
  { reason: 'password-own-word', cut: text => cutWords(text, ownWords(own)) },
  { reason: 'password-product-word', cut: text => cutWords(text, PRODUCT_WORDS) },
  { reason: 'password-common', cut: text => cutWords(text, COMMON_BASES).replace(/^1[3-9]\d{9}$/, CUT) },
  { reason: 'password-run', cut: cutRuns },
  { reason: 'password-repeated', cut: text => text.replace(/(.)\1{2,}/gu, CUT) },
  { reason: 'password-year', cut: text => text.replace(/(?:19|20)\d{2}(?:[-./]?[01]?\d[-./]?[0-3]?\d)?/g, CUT) },
]

/** Two letters of a name stand in too many good passwords to be told apart; two Chinese characters do not. */
const ownWords = (own: readonly string[]): string[] =>
  own
    .map(word => word.normalize('NFKC').toLowerCase())
    .filter(word => word.length >= (/\p{Script=Han}/u.test(word) ? 2 : 3))

/** Signs people put for letters count as the letters; i, l, 1 and ! all stand for each other. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '!': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
const likeLetters = (text: string): string => text.replace(/[013457@$!i]/g, sign => LOOK_ALIKES[sign] ?? sign)

/** Cuts the longest words first, in the text as typed and as it reads. */
function cutWords(text: string, words: readonly string[]): string {
  let left = text
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    for (let at = find(left, word); at >= 0; at = find(left, word))
      left = left.slice(0, at) + CUT + left.slice(at + word.length)
  }
  return left
}

function find(text: string, word: string): number {
  const typed = text.indexOf(word)
  return typed >= 0 ? typed : likeLetters(text).indexOf(likeLetters(word))
}

/** Rows and slanted columns of the keyboard, and the alphabet; read in both directions. */
const LINES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '!@#$%^&*()',
]
const RUNS = [...LINES, ...LINES.map(line => [...line].reverse().join(''))]
const RUN_LENGTH = 3

function cutRuns(text: string): string {
  let left = ''
  for (let at = 0; at < text.length; ) {
    const length = runAt(text, at)
    left += length >= RUN_LENGTH ? CUT : text[at]
    at += length >= RUN_LENGTH ? length : 1
  }
  return left
}

function runAt(text: string, at: number): number {
  let length = 1
  while (at + length < text.length && RUNS.some(line => line.includes(text.slice(at, at + length + 1)))) length += 1
  return length
}
