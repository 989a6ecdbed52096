import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Refused } from '#kit/model/refusal.ts'
import { IS_LONG } from '../../../tools/testing/long.ts'
import { cutPage } from './cutting.server.ts'
import { missedOn } from './demo-measure.server.ts'
import { practicePage } from './demo-page.server.ts'
import { scorePage } from './server.ts'

const PAGES = IS_LONG ? 200 : 3
/** As a phone takes them in the long run; otherwise no larger than what is looked at. */
const SHOT = IS_LONG ? {} : { longSide: 1200 }
const COLOURS = ['red', 'green', 'grey'] as const

const refusalOf = (bytes: Uint8Array, text = '永'): Promise<string> =>
  scorePage(bytes, { text }).then(
    () => 'read',
    (error: Refused) => error.refusal.code,
  )

describe('a photographed page', () => {
  test('is cut into its characters, whatever the colour of its grid, turned, in perspective and in shadow', {
    timeout: 3_600_000,
  }, async () => {
    let [all, missed, extra] = [0, 0, 0]
    for (let seed = 1; seed <= PAGES; seed += 1) {
      const style = { colour: COLOURS[seed % COLOURS.length] as (typeof COLOURS)[number] }
      const page = await practicePage(seed, { style, shot: SHOT })
      const cut = await cutPage(page.picture)
      if (typeof cut === 'string') throw new Error(`page ${seed}: ${cut}`)
      expect([cut.columns, cut.rows]).toEqual([page.style.columns, page.style.rows])
      const told = missedOn(page, cut, cut.cells)
      all += page.written.length
      missed += told.missed.length
      extra += told.extra
    }
    expect(1 - missed / all).toBeGreaterThanOrEqual(0.995)
    expect(extra).toBe(0)
  })

  test('is read in a thread of its own, and boxes lie where people see them, also in a picture the camera only says is turned', async () => {
    const page = await practicePage(5, { style: { columns: 3, rows: 2, colour: 'red' }, shot: { longSide: 900 } })
    const turned = await sharp(page.picture).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer()
    for (const picture of [page.picture, turned]) {
      const score = await scorePage(picture, { text: page.text })
      expect(missedOn(page, score, score.characters).missed).toEqual([])
    }
    expect(await refusalOf(page.picture, '永和九年春天地')).toBe('engines/handwriting:text-too-long')
  })

  test('whose grid is as dark as the ink is refused in words, and so is what is no page', async () => {
    const black = await practicePage(6, { style: { columns: 4, rows: 3, colour: 'black' }, shot: { longSide: 900 } })
    expect(await refusalOf(black.picture)).toBe('engines/handwriting:dark-grid')
    const plain = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#eee' } })
      .png()
      .toBuffer()
    expect(await refusalOf(plain)).toBe('engines/handwriting:no-grid')
    expect(await refusalOf(plain.subarray(0, 200))).toBe('engines/handwriting:unreadable')
    expect(await refusalOf(Buffer.from('no picture'))).toBe('engines/handwriting:unreadable')
    const tiny = await sharp(plain).resize(200).png().toBuffer()
    expect(await refusalOf(tiny)).toBe('engines/handwriting:too-small')
  })

  test('on which nothing is written is told to be empty', async () => {
    const style = { columns: 3, rows: 2, colour: 'green' } as const
    const blank = await practicePage(7, { style, shot: { longSide: 900 }, emptyShare: 1 })
    expect(await refusalOf(blank.picture)).toBe('engines/handwriting:empty')
  })
})
