import { describe, expect, test } from 'vitest'
import { type FollowEvent, foldFollowing } from './following.model.ts'
import { isSameMenu, type MenuLine, menuFault, treeOf } from './menu.model.ts'
import { buttonsOf } from './menu.server.ts'
import { type ReplyLine, repliesFault, replyTo } from './replies.model.ts'

const top = (name: string, more: Partial<MenuLine> = {}): MenuLine => ({
  level: 'TOP',
  name,
  action: 'VIEW',
  value: 'https://h5.example.test/a',
  ...more,
})
const sub = (name: string, more: Partial<MenuLine> = {}): MenuLine => ({ ...top(name), level: 'SUB', ...more })
const opens = (name: string): MenuLine => top(name, { action: 'OPEN', value: '' })

describe('a menu the platform would not take is refused where it is wrong', () => {
  test.each<[string, MenuLine[], [number, string] | undefined]>([
    [
      'three entries, one of them with five below',
      [opens('学习'), ...'一二三四五'.split('').map(name => sub(name)), top('课'), top('我')],
      undefined,
    ],
    ['an entry that stands below none', [sub('课')], [0, 'level']],
    ['a fourth entry', [top('一'), top('二'), top('三'), top('四')], [3, 'level']],
    ['a sixth below one', [opens('一'), ...'一二三四五六'.split('').map(name => sub(name))], [6, 'level']],
    ['no name', [top('')], [0, 'name']],
    ['five Chinese characters at the top', [top('免费体验课')], [0, 'name']],
    ['four Chinese characters at the top', [top('免费体验')], undefined],
    ['eight letters at the top', [top('Homework')], undefined],
    ['nine letters at the top', [top('Homeworks')], [0, 'name']],
    ['nine Chinese characters below', [opens('一'), sub('一二三四五六七八九')], [1, 'name']],
    ['a page behind an entry that opens others', [top('一'), sub('二')], [0, 'action']],
    ['nothing to open', [opens('一')], [0, 'action']],
    ['one that opens nothing behind others', [opens('一'), sub('二'), opens('三')], [2, 'action']],
    ['a page that is not safe', [top('一', { value: 'http://h5.example.test' })], [0, 'value']],
    ['a word to be answered', [top('一', { action: 'CLICK', value: '课程' })], undefined],
    ['no word to be answered', [top('一', { action: 'CLICK', value: '' })], [0, 'value']],
    ['a link behind what opens', [top('一', { action: 'OPEN', value: 'https://x.test' }), sub('二')], [0, 'value']],
  ])('%s', (_what, lines, expected) => {
    const fault = menuFault(lines)
    expect(fault && [fault.at, fault.part]).toEqual(expected)
  })

  test('the platform gets it as a tree, and the same menu is known as the same', () => {
    const lines = [opens('学习'), sub('打卡'), sub('点评', { action: 'CLICK', value: '点评' }), top('课程')]
    expect(treeOf(lines).map(({ subs }) => subs.length)).toEqual([2, 0])
    expect(buttonsOf(lines)).toEqual([
      {
        name: '学习',
        sub_button: [
          { name: '打卡', type: 'view', url: 'https://h5.example.test/a' },
          { name: '点评', type: 'click', key: '点评' },
        ],
      },
      { name: '课程', type: 'view', url: 'https://h5.example.test/a' },
    ])
    expect(isSameMenu(lines, structuredClone(lines))).toBe(true)
    expect(isSameMenu(lines, lines.toReversed())).toBe(false)
  })
})

describe('whoever types something gets', () => {
  const line = (keyword: string, more: Partial<ReplyLine> = {}): ReplyLine => ({
    keyword,
    match: 'CONTAINS',
    priority: 0,
    reply: `on ${keyword}`,
    ...more,
  })
  const replies = [
    line('课'),
    line('课程'),
    line('课程价格', { match: 'EXACT' }),
    line('人工', { priority: 9 }),
    line('app', { match: 'EXACT' }),
  ]
  test.each([
    ['the longest word that stands in it', '想问问课程安排', '课程'],
    ['the exact word before one it holds', '课程价格', '课程价格'],
    ['the higher priority before a longer word', '课程找人工', '人工'],
    ['the same in any width and case, with blanks around', ' ＡＰＰ ', 'app'],
    ['nothing where an exact word is only part of it', 'app 打不开', undefined],
    ['nothing to what nobody has thought of', '你好', undefined],
    ['nothing to nothing', '  ', undefined],
  ])('%s', (_what, typed, keyword) => {
    expect(replyTo(replies, typed)?.keyword).toBe(keyword)
  })

  test('no answer twice: the second of two alike is refused, and so is an empty one', () => {
    expect(repliesFault([line('课'), line('课', { match: 'EXACT' })])).toBeUndefined()
    expect(repliesFault([line('App'), line('ａｐｐ')])).toMatchObject({ at: 1, part: 'keyword' })
    expect(repliesFault([line('课', { reply: '' })])).toMatchObject({ at: 0, part: 'reply' })
  })
})

describe('how somebody stands follows from all that was told', () => {
  const told = (kind: FollowEvent['kind'], atMs: number, sceneId: string | null = null): FollowEvent => ({
    kind,
    atMs,
    sceneId,
    cameBy: null,
  })
  const CASES: readonly (readonly [string, readonly FollowEvent[], object])[] = [
    ['followed by a code', [told('SUBSCRIBE', 1, 'a')], { status: 'FOLLOWING', sceneId: 'a', times: 1 }],
    ['and left', [told('SUBSCRIBE', 1, 'a'), told('UNSUBSCRIBE', 5)], { status: 'LEFT', leftMs: 5, sceneId: 'a' }],
    [
      'came back by another code',
      [told('SUBSCRIBE', 1, 'a'), told('UNSUBSCRIBE', 5), told('SUBSCRIBE', 9, 'b')],
      { status: 'FOLLOWING', sceneId: 'a', times: 2, leftMs: null },
    ],
    ['only ever scanned as a follower', [told('SCAN', 3, 'b')], { status: 'FOLLOWING', sceneId: null, times: 0 }],
    ['only left a number', [told('NUMBER', 3)], { status: 'NEVER', firstMs: 3 }],
    [
      'left a number, then followed',
      [told('NUMBER', 3), told('SUBSCRIBE', 4, 'a')],
      { status: 'FOLLOWING', firstMs: 3 },
    ],
    ['followed and left in one moment', [told('SUBSCRIBE', 1), told('UNSUBSCRIBE', 1)], { status: 'LEFT' }],
  ]
  test.each(CASES)('%s, in whatever order it came', (_what, events, expected) => {
    for (const order of permutations(events)) expect(foldFollowing(order)).toMatchObject(expected)
  })
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map(rest => [item, ...rest]))
}
