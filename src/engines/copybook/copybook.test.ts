import { readFileSync } from 'node:fs'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { readGlyph } from '#engines/stroke/server.ts'
import { IS_LONG } from '../../../tools/testing/long.ts'
import { type Filled, type Frame, type ReadPage, readVectors } from '../../../tools/testing/vectors.ts'
import { codeOf } from './code.server.ts'
import { figureOf } from './drawing.model.ts'
import type { SheetWords } from './head.model.ts'
import { columnsOf } from './layout.model.ts'
import { COLOURS } from './look.model.ts'
import {
  CELL_MM,
  GRIDS,
  linkFault,
  MOST_LINK,
  MOST_NAME,
  nameFault,
  plainName,
  type SheetOrder,
  verseFault,
} from './order.model.ts'
import { pdfOf } from './pdf.server.ts'
import { faultsOf, makeSheet, pictureOf, readingsOf } from './server.ts'
import { svgOf } from './svg.model.ts'

const words: SheetWords = {
  title: '姓名字帖',
  blanks: ['班级', '日期'],
  caption: '扫码',
  unordered: '无笔顺',
  strokes: count => `${count} 画`,
  page: (page, pages) => `${page}/${pages}`,
}
const orderOf = (more: Partial<SheetOrder>): SheetOrder => ({
  name: '林小满',
  verse: '',
  grid: 'TIAN',
  age: 'MIDDLE',
  lines: 1,
  ...more,
})
const printed = async (more: Partial<SheetOrder>): Promise<ReadPage[]> => {
  const pages = await makeSheet(orderOf(more), words)
  return readVectors(await pdfOf(pages, { title: words.title, made: new Date(0) }))
}
const cellsOf = ({ frames }: ReadPage, age: keyof typeof CELL_MM) =>
  frames.filter(({ colour, width }) => colour === COLOURS.frame && Math.abs(width - CELL_MM[age]) < 0.01)
const inked = ({ filled }: ReadPage, colour: string): Filled[] => filled.filter(it => it.colour === colour)
const strokesOf = async (character: string): Promise<string[]> =>
  ((await readGlyph(character))?.strokes ?? []).map(({ outline }) => figureOf([outline]))

const LINK = 'https://go.inkstone.example/t/lin.xiaoman?state=lead-20261117'

beforeAll(async () => void (await printed({})))

describe('a sheet, read back from its PDF', () => {
  test('shows each character of the name as a model in black, stroke by stroke as it is written', async () => {
    const [page] = (await printed({})) as [ReadPage]
    const models = inked(page, COLOURS.model).slice(0, 3)
    expect(models.map(({ shapes }) => shapes)).toEqual(await Promise.all([...'林小满'].map(strokesOf)))
  })

  test('tells the order of strokes: one cell for each, the new stroke in red after those before it', async () => {
    const [page] = (await printed({ name: '永' })) as [ReadPage]
    const strokes = await strokesOf('永')
    const current = inked(page, COLOURS.current)
    expect(current.map(({ shapes }) => shapes)).toEqual(strokes.map(stroke => [stroke]))
    const before = inked(page, COLOURS.before).map(({ shapes }) => shapes)
    expect(before).toEqual(strokes.slice(1).map((_, at) => strokes.slice(0, at + 1)))
    const places = current.map(({ at }) => at[0])
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(new Set(places).size).toBe(strokes.length)
  })

  test('lets a character be traced, paler from cell to cell, and leaves as many cells to write alone', async () => {
    const [page] = (await printed({ name: '林' })) as [ReadPage]
    const columns = columnsOf(CELL_MM.MIDDLE)
    const [model] = inked(page, COLOURS.model) as [Filled]
    const row = page.filled.filter(({ at, em }) => at[1] === model.at[1] && em === model.em)
    expect(row.map(({ colour }) => colour)).toEqual([COLOURS.model, ...row.slice(1).map(({ colour }) => colour)])
    const traced = row.slice(1).map(({ colour }) => COLOURS.traced.indexOf(colour as never))
    expect(traced).toEqual([...traced].sort((a, b) => a - b))
    expect(new Set(traced).size).toBe(COLOURS.traced.length)
    expect(row.length).toBe(Math.ceil(columns / 2))
    const cells = cellsOf(page, 'MIDDLE').filter(({ y }) => Math.abs(y + CELL_MM.MIDDLE / 2 - model.at[1]) < 0.01)
    expect(cells).toHaveLength(columns)
  })

  test.each([
    ['PRESCHOOL', 20],
    ['LOWER', 18],
    ['MIDDLE', 15],
    ['UPPER', 12],
  ] as const)('for %s has cells of %d mm, within the paper', async (age, millimetres) => {
    const [page] = (await printed({ age })) as [ReadPage]
    const cells = cellsOf(page, age)
    expect(cells.length).toBeGreaterThan(0)
    expect(cells.length % columnsOf(CELL_MM[age])).toBe(0)
    for (const { x, y, width, height } of cells) {
      expect(width).toBeCloseTo(millimetres, 2)
      expect(height).toBeCloseTo(width, 2)
      expect(Math.min(x, y, 210 - x - width, 297 - y - height)).toBeGreaterThan(10)
    }
  })

  test('has cells divided as they were asked for', async () => {
    const guides = await Promise.all(
      GRIDS.map(async grid => {
        const [page] = (await printed({ grid, name: '一' })) as [ReadPage]
        const cells = cellsOf(page, 'MIDDLE').length
        const small = page.frames.filter(it => it.colour === COLOURS.frame).length - cells
        const lines =
          page.lines.filter(it => it.colour === COLOURS.guide).length - 4 - (grid === 'FANG' ? 0 : 2 * small)
        const frames = page.frames.filter(it => it.colour === COLOURS.guide).length
        return [grid, lines / cells, frames / cells]
      }),
    )
    expect(guides).toEqual([
      ['TIAN', 2, 0],
      ['MI', 4, 0],
      ['HUI', 0, 1],
      ['JIU', 4, 0],
      ['FANG', 0, 0],
    ])
  })

  test('ends with rows of the whole name, the dot of a long one in a cell of its own', async () => {
    const [page] = (await printed({ name: '阿依古丽·买买提', age: 'UPPER' })) as [ReadPage]
    const models = inked(page, COLOURS.model)
    const last = models.filter(({ at }) => at[1] === models.at(-1)?.at[1])
    expect(last).toHaveLength([...'阿依古丽·买买提'].length)
    expect(last[4]?.shapes).toHaveLength(1)
    expect(last[5]?.shapes).toEqual(await strokesOf('买'))
    // A character that comes twice is learned once.
    expect(models).toHaveLength(6 + 8)
  })

  test('carries a verse to be traced: phrases whole in a row, an empty row below each', async () => {
    const verse = '床前明月光，疑是地上霜。\n举头望明月，低头思故乡。'
    const [page, second] = (await printed({ name: '李', verse, age: 'PRESCHOOL' })) as [ReadPage, ReadPage?]
    const traced = [page, ...(second ? [second] : [])].flatMap(it => inked(it, COLOURS.traced[0]))
    const light = await strokesOf('光')
    const frost = await strokesOf('霜')
    const [at, below] = [light, frost].map(strokes => traced.find(({ shapes }) => `${shapes}` === `${strokes}`)?.at)
    expect((below?.[1] ?? 0) - (at?.[1] ?? 0)).toBeGreaterThanOrEqual(2 * CELL_MM.PRESCHOOL)
  })

  test('goes on to further pages where one is too short, and says which it is', async () => {
    const pages = await printed({ name: '欧阳繁荣', age: 'PRESCHOOL', lines: 3 })
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) expect(cellsOf(page, 'PRESCHOOL').length).toBeGreaterThan(0)
  })

  test('is the picture the preview shows, mark for mark', async () => {
    const pages = await makeSheet(orderOf({}), words)
    const [page] = readVectors(await pdfOf(pages, { title: '', made: new Date(0) })) as [ReadPage]
    const shown = svgOf(pages[0] ?? [])
    expect(shown.match(/<use /g)).toHaveLength(
      (pages[0] ?? []).reduce((sum, mark) => sum + (mark.kind === 'figures' ? mark.figures.length : 0), 0),
    )
    expect(shown.match(/<g /g)).toHaveLength(page.filled.length)
    const { width, height } = await sharp(await pictureOf(pages[0] ?? [])).metadata()
    expect([width, height]).toEqual([1240, 1754])
  })

  test('weighs no more than 60 KB and is made again byte for byte', async () => {
    for (const name of ['一', '林小满', '欧阳繁荣', '繁藏囊戆']) {
      const pages = await makeSheet(orderOf({ name, age: 'UPPER', grid: 'MI' }), words)
      const [once, again] = await Promise.all([1, 2].map(() => pdfOf(pages, { title: name, made: new Date(0) })))
      expect(once?.length).toBeLessThan(60_000)
      expect(once?.equals(again as Buffer)).toBe(true)
    }
  })

  test('takes no more than 300 ms once warm, and a thousand names no more than two minutes, one after the other', async () => {
    const [families, given] = ['王李张刘陈杨黄赵吴周', '子轩梓涵浩宇欣怡俊杰雨桐思远佳慧明睿若曦']
    const names = Array.from({ length: IS_LONG ? 1_000 : 100 }, (_, nth) =>
      [families[nth % 10], given[nth % 20], given[Math.floor(nth / 10 + nth) % 20]].join(''),
    )
    const took: number[] = []
    for (const name of names) {
      // Time of this thread alone: others run beside it.
      const before = process.threadCpuUsage()
      const pages = await makeSheet(orderOf({ name, grid: 'MI' }), words, codeOf(LINK))
      await pdfOf(pages, { title: name, made: new Date(0) })
      const { user, system } = process.threadCpuUsage(before)
      took.push((user + system) / 1_000)
    }
    expect(Math.max(...took)).toBeLessThan(300)
    expect(took.reduce((sum, ms) => sum + ms, 0) / names.length).toBeLessThan(120)
  })
})

describe('a code', () => {
  /** What a telephone sees of the boxes on the paper, four dots to the module. */
  function seen(boxes: readonly Frame[]): { dots: Uint8ClampedArray; size: number } {
    const module = Math.min(...boxes.map(({ height }) => height))
    const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))]
    const size = 4 * (Math.round((Math.max(...boxes.map(({ y, height }) => y + height)) - top) / module) + 8)
    const dots = new Uint8ClampedArray(size * size * 4).fill(255)
    const inDots = (millimetres: number) => Math.round((4 * millimetres) / module)
    for (const { x, y, width, height } of boxes)
      for (let row = 0; row < inDots(height); row += 1)
        for (let column = 0; column < inDots(width); column += 1) {
          const at = 4 * ((inDots(y - top) + 16 + row) * size + inDots(x - left) + 16 + column)
          dots.fill(0, at, at + 3)
        }
    return { dots, size }
  }

  test('in the corner of the printed sheet is read as the link it was made of', async () => {
    const pages = await makeSheet(orderOf({}), words, codeOf(LINK))
    const [page] = readVectors(await pdfOf(pages, { title: '', made: new Date(0) })) as [ReadPage]
    const { dots, size } = seen(page.boxes)
    expect(jsQR(dots, size, size)?.data).toBe(LINK)
  })

  test('is large enough for paper, has the room around it telephones need, and is absent where none is wanted', async () => {
    const [page] = readVectors(
      await pdfOf(await makeSheet(orderOf({}), words, codeOf(LINK)), { title: '', made: new Date(0) }),
    ) as [ReadPage]
    const right = Math.max(...page.boxes.map(({ x, width }) => x + width))
    const left = Math.min(...page.boxes.map(({ x }) => x))
    const module = Math.min(...page.boxes.map(({ height }) => height))
    expect(module).toBeGreaterThan(0.35)
    expect(right - left + 8 * module).toBeCloseTo(21, 1)
    expect((await printed({}))[0]?.boxes).toEqual([])
  })

  test('is made of a link telephones open, and of no other', () => {
    expect(linkFault(LINK)).toBeUndefined()
    for (const link of [
      '',
      'http://x.example',
      'javascript:alert(1)',
      'https://',
      'go.example',
      'https://go.example@x.example/',
      'https://x.example/a b',
      'https://x.example/\u202eb',
    ])
      expect(linkFault(link)?.code).toBe('engines/copybook:link-invalid')
    expect(linkFault(`https://x.example/${'a'.repeat(MOST_LINK)}`)?.code).toBe('engines/copybook:link-long')
  })
})

test('licences of what is drawn lie beside it unaltered, and are told', () => {
  expect(readFileSync('NOTICE.md', 'utf8')).toMatch(/LXGW WenKai[\s\S]*SIL Open Font License/)
  expect(readFileSync('node_modules/lxgw-wenkai-webfont/OFL.txt', 'utf8')).toMatch(/SIL OPEN FONT LICENSE Version 1\.1/)
})

describe('a name', () => {
  test('is read as names are: surnames their own way, two-character ones too', async () => {
    expect(await readingsOf('单雄信')).toEqual(['shàn', 'xióng', 'xìn'])
    expect((await readingsOf('欧阳修')).slice(0, 2)).toEqual(['ōu', 'yáng'])
    expect(await readingsOf('阿依古丽·买买提')).toHaveLength(8)
  })

  test('is taken however its dot was typed, and without spaces', () => {
    expect(['阿依 古丽', '阿依・古丽', '阿依.古丽', ' 阿依•古丽 '].map(plainName)).toEqual([
      '阿依古丽',
      '阿依·古丽',
      '阿依·古丽',
      '阿依·古丽',
    ])
  })

  test('of one, of four and of many characters is taken; what is no name is refused with what is wrong', () => {
    for (const name of ['李', '欧阳娜娜', '迪丽热巴·迪力木拉提']) expect(nameFault(name)).toBeUndefined()
    expect(nameFault('')?.code).toBe('engines/copybook:name-empty')
    expect(nameFault('·')?.code).toBe('engines/copybook:name-empty')
    expect(nameFault('李·')?.code).toBe('engines/copybook:name-empty')
    expect(nameFault('李a1')).toMatchObject({ params: { characters: 'a 1' } })
    expect(nameFault('李'.repeat(MOST_NAME + 1))?.code).toBe('engines/copybook:name-long')
    expect(verseFault('春眠不觉晓，\n处处闻啼鸟。')).toBeUndefined()
    expect(verseFault('Hello 春')?.code).toBe('engines/copybook:verse-strange')
  })

  test('with a rare character is drawn as a font shows it, and says that its order is not known', async () => {
    const [page] = (await printed({ name: '李珺赟' })) as [ReadPage]
    expect(await faultsOf({ name: '李珺赟', verse: '' })).toEqual({})
    expect(inked(page, COLOURS.current)).toHaveLength((await strokesOf('李')).length)
    const models = inked(page, COLOURS.model)
    expect(models).toHaveLength(6)
    for (const { shapes } of models.slice(1, 3)) expect(shapes.length).toBeGreaterThan(0)
    const unordered = await makeSheet(orderOf({ name: '珺' }), { ...words, unordered: '' })
    const told = await makeSheet(orderOf({ name: '珺' }), words)
    expect((told[0]?.length ?? 0) - (unordered[0]?.length ?? 0)).toBe([...words.unordered].length)
  })

  test('with a character nobody can draw is refused, and told by it', async () => {
    expect(await faultsOf({ name: '李𪚥', verse: '春𪚥𪚥' })).toEqual({
      name: { code: 'engines/copybook:character-unknown', params: { characters: '𪚥' } },
      verse: { code: 'engines/copybook:character-unknown', params: { characters: '𪚥' } },
    })
    expect(await faultsOf({ name: '欧阳娜娜', verse: '福' })).toEqual({})
  })
})
