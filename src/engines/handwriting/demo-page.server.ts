import { type Random, randomFrom } from '#demo/builders.server.ts'
import {
  type Draw,
  drawnFrom,
  FAULTS,
  type Fault,
  faultyWriting,
  goodWriting,
} from '#engines/stroke/demo-hand.server.ts'
import { type Photo, photograph, type Shot, usualShot } from '#engines/stroke/demo-photo.server.ts'
import { drawSheet, type Entry, type Sheet, type SheetStyle } from '#engines/stroke/demo-sheet.server.ts'
import type { Glyph } from '#engines/stroke/glyph.model.ts'
import { seen } from '#engines/stroke/plane.model.ts'
import { readGlyph } from '#engines/stroke/server.ts'
import type { Box } from './ink.model.ts'

/** Characters children write in their first years, of every structure: single, side by side, one over the other, enclosed. */
export const PRACTISED = [
  '永和九年春天地人大小上下中国学生字书写好日月水火山石田土木禾米心手口目耳足走车马牛羊鸟鱼虫草花树林森风雨云电雪星光明',
  '一二三四五六七八十百千万个多少左右前后里外东西南北早晚古今来去出入高低长短方圆红黄蓝白黑青绿父母兄弟姐妹爷奶男女老师同友',
  '说话读请谢你我他她们是不有在这那什么很会能可以爱想听看见问答对错做作业班级校园教室桌椅黑板笔墨纸砚文章词句诗歌画图音乐体',
  '家门窗房屋床灯衣服鞋帽饭菜茶果苹桃李杏瓜豆麦粮油盐糖饼包刀叉碗杯春夏秋冬晴阴冷热温清江河湖海洋波浪船桥路街村镇城市都',
].join('')

/** What somebody did to a character; `good` is nothing. */
export type Kind = 'good' | Fault
export const KINDS: readonly Kind[] = ['good', ...FAULTS]
export type Written = {
  readonly index: number
  /** What was to be written; `drawn` is what was. */
  readonly char: string
  readonly drawn: string
  readonly kind: Kind
  /** Which stroke was forgotten. */
  readonly missing: number | undefined
  readonly box: Box
}
export type PracticePage = {
  readonly style: SheetStyle
  readonly picture: Buffer
  readonly written: readonly Written[]
  /** What was to be written, a line for each row; a space stands for a cell that is left empty. */
  readonly text: string
}
export type Hand = (glyph: Glyph, chance: Random) => Draw
export type PageWish = {
  readonly hand?: Hand
  readonly style?: Partial<SheetStyle>
  readonly shot?: Partial<Shot>
  readonly kinds?: readonly Kind[]
  /** Of the cells, how many are left empty. */
  readonly emptyShare?: number
  /** Pairs of what is to be written and what is drawn for it, instead of characters by chance. */
  readonly pairs?: readonly (readonly [char: string, drawn: string])[]
}

/** Of the cells of a page. */
const EMPTY_SHARE = 0.06
/** A stroke that cannot be left out, or a character nobody can draw, is asked for again. */
const TRIES = 20

const penOrBrush: Hand = (glyph, chance) => drawnFrom(glyph, chance.chance(0.5) ? 'pen' : 'brush')

/** A photographed page of practice of which everything is known: the same from the same seed. */
export async function practicePage(seed: number, wish: PageWish = {}): Promise<PracticePage> {
  const chance = randomFrom(seed)
  const style: SheetStyle = {
    columns: chance.whole(7, 9),
    rows: chance.whole(7, 8),
    colour: chance.pick(['red', 'green', 'grey']),
    lines: chance.pick(['star', 'cross', 'none']),
    ...wish.style,
  }
  const wanted: (Wanted | undefined)[] = []
  for (let index = 0; index < style.columns * style.rows; index += 1)
    wanted.push(chance.chance(wish.emptyShare ?? EMPTY_SHARE) ? undefined : await wantedBy(chance, wish))
  const sheet = drawSheet(
    style,
    wanted.map(it => it?.entry),
    chance,
  )
  const photo = await photograph(sheet, { ...usualShot(chance), ...wish.shot }, chance)
  const cells = Array.from({ length: style.rows }, (_, row) =>
    wanted.slice(row * style.columns, (row + 1) * style.columns).map(it => it?.char ?? ' '),
  )
  return {
    style,
    picture: photo.picture,
    text: cells.map(row => row.join('')).join('\n'),
    written: wanted.flatMap((it, index) => {
      const box = pictureBox(sheet, photo, index)
      return it && box
        ? [{ index, char: it.char, drawn: it.drawn, kind: it.kind, missing: it.entry.writing.missing, box }]
        : []
    }),
  }
}

type Wanted = { readonly char: string; readonly drawn: string; readonly kind: Kind; readonly entry: Entry }

async function wantedBy(chance: Random, { hand = penOrBrush, kinds = KINDS, pairs }: PageWish): Promise<Wanted> {
  const all = [...PRACTISED]
  for (let tries = 0; tries < TRIES; tries += 1) {
    const kind = chance.pick(kinds)
    const [char, other] = pairs ? chance.pick(pairs) : [chance.pick(all), chance.pick(all)]
    const drawn = kind === 'wrong' ? other : char
    const glyph = await readGlyph(drawn)
    if (!glyph || (kind === 'wrong' && drawn === char)) continue
    if (kind === 'missing' && glyph.strokes.length < 2) continue
    const writing = kind === 'good' ? goodWriting(chance) : faultyWriting(kind, glyph.strokes.length, chance)
    return { char, drawn, kind, entry: { draw: hand(glyph, chance), writing } }
  }
  throw new Error('nothing of what was asked for can be drawn')
}

function pictureBox({ ink }: Sheet, { view }: Photo, index: number): Box | undefined {
  const box = ink[index]
  if (!box) return undefined
  const corners = [
    [box.left, box.top],
    [box.right, box.top],
    [box.right, box.bottom],
    [box.left, box.bottom],
  ] as const
  const places = corners.map(corner => seen(view, corner))
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}
