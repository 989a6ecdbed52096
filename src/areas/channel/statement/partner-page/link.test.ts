import { describe, expect, test } from 'vitest'
import {
  isCodeOpen,
  type Link,
  MOST_CODES,
  MOST_TRIES,
  pageAsked,
  whyNoCode,
  whyNotConfirmed,
  whyNotShown,
} from './link.model.ts'

const NOW = new Date('2026-11-18T10:00:00+08:00')
const minutes = (n: number) => new Date(NOW.getTime() + n * 60_000)
const [SEEN, OTHER] = ['a'.repeat(64), 'b'.repeat(64)]
const LINK: Link = { expiresAt: minutes(60), isEnded: false, codes: 1, tries: 0, code: { at: minutes(-2), of: SEEN } }
const DRAFT = { isDraft: true, digest: SEEN }

describe('a link to a statement', () => {
  test.each<[string, Partial<Link>, string | undefined]>([
    ['shows it until its time is over', {}, undefined],
    ['is over at its last instant', { expiresAt: NOW }, 'link-over'],
    ['is over once another was sent', { isEnded: true }, 'link-replaced'],
    ['says first that it was replaced', { isEnded: true, expiresAt: minutes(-1) }, 'link-replaced'],
  ])('%s', (_name, link, code) => {
    expect(whyNotShown({ ...LINK, ...link }, NOW)?.code).toBe(code)
  })
})

test.each([
  ['3', 3],
  [undefined, 1],
  ['', 1],
  ['0', 1],
  ['-2', 1],
  ['1.5', 1],
  ['1.001', 1],
  ['1e3', 1],
  ['x', 1],
])('an address that asks for page %s of the lines gets page %s', (typed, page) => {
  expect(pageAsked(typed)).toBe(page)
})

describe('a code', () => {
  test.each<[string, Partial<Link>, Partial<typeof DRAFT>, string, string | undefined]>([
    ['is sent for a draft as it was seen', { code: null, codes: 0 }, {}, SEEN, undefined],
    ['is sent again after a minute', {}, {}, SEEN, undefined],
    ['is not sent twice within a minute', { code: { at: minutes(-0.5), of: SEEN } }, {}, SEEN, 'code-lately'],
    ['is not sent for what looks otherwise by now', {}, { digest: OTHER }, SEEN, 'changed-since'],
    ['is not sent for what was confirmed', {}, { isDraft: false }, SEEN, 'already-confirmed'],
    ['is not sent by a link that is over', { expiresAt: NOW }, {}, SEEN, 'link-over'],
    ['is sent so many times by a link and no more', { codes: MOST_CODES }, {}, SEEN, 'codes-used-up'],
  ])('%s', (_name, link, standing, seen, code) => {
    expect(whyNoCode({ ...LINK, ...link }, { ...DRAFT, ...standing }, seen, NOW)?.code).toBe(code)
  })

  test('says how long to wait for another', () => {
    expect(whyNoCode({ ...LINK, code: { at: minutes(-0.75), of: SEEN } }, DRAFT, SEEN, NOW)).toEqual({
      code: 'code-lately',
      params: { seconds: 15 },
    })
  })

  test.each<[string, Partial<Link>, boolean]>([
    ['may be entered for ten minutes', { code: { at: minutes(-9.9), of: SEEN } }, true],
    ['may not be entered after them', { code: { at: minutes(-10), of: SEEN } }, false],
    ['may not be entered for another state of the statement', { code: { at: minutes(-1), of: OTHER } }, false],
    ['may not be entered once it was tried too often', { tries: MOST_TRIES }, false],
    ['may not be entered before one was sent', { code: null }, false],
  ])('%s', (_name, link, isOpen) => {
    expect(isCodeOpen({ ...LINK, ...link }, SEEN, NOW)).toBe(isOpen)
  })
})

describe('a statement', () => {
  const entered = { seen: SEEN, isRight: true }
  test.each<[string, Partial<Link>, Partial<typeof DRAFT>, Partial<typeof entered>, string | undefined]>([
    ['is confirmed by the right code', {}, {}, {}, undefined],
    ['is not confirmed by a wrong one', {}, {}, { isRight: false }, 'code-wrong'],
    ['is not confirmed without one', { code: null }, {}, {}, 'code-missing'],
    ['is not confirmed by one that is over', { code: { at: minutes(-10), of: SEEN } }, {}, {}, 'code-over'],
    ['is not confirmed after five wrong tries', { tries: MOST_TRIES }, {}, {}, 'code-used-up'],
    ['is not confirmed where the page showed something else', {}, {}, { seen: OTHER }, 'changed-since'],
    ['is not confirmed where it changed since', {}, { digest: OTHER }, {}, 'changed-since'],
    ['is not confirmed by a code for its former state', { code: { at: NOW, of: OTHER } }, {}, {}, 'changed-since'],
    ['is not confirmed twice', {}, { isDraft: false }, {}, 'already-confirmed'],
    ['is not confirmed by a link that is over', { expiresAt: NOW }, {}, {}, 'link-over'],
    ['is not confirmed by a link that was replaced', { isEnded: true }, {}, {}, 'link-replaced'],
  ])('%s', (_name, link, standing, more, code) => {
    const refusal = whyNotConfirmed({ ...LINK, ...link }, { ...DRAFT, ...standing }, { ...entered, ...more }, NOW)
    expect(refusal?.code).toBe(code)
  })

  test('a wrong code says how many tries are left', () => {
    const wrong = { seen: SEEN, isRight: false }
    expect(whyNotConfirmed({ ...LINK, tries: 3 }, DRAFT, wrong, NOW)?.params).toEqual({ left: 1 })
    expect(whyNotConfirmed({ ...LINK, tries: 4 }, DRAFT, wrong, NOW)?.params).toEqual({ left: 0 })
  })
})
