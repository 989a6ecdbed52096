import { expect, test } from 'vitest'
import type { ReadCharacter } from '#areas/members/work/suggestion.model.ts'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { Readings } from './suggestion.page.tsx'

const box = { left: 10, top: 20, right: 60, bottom: 70 }
const figures = { across: 11, down: -2, size: 96, aspect: 101, tilt: -1, density: 104, overlap: 88 }
const characters: readonly ReadCharacter[] = [
  { char: '十', box, score: 84, figures, reasons: [{ code: 'off-right', value: 11 }] },
  { char: '土', box: { ...box, left: 70, right: 120 }, score: 97, figures: { ...figures, across: 1 }, reasons: [] },
  { char: '王', box: { ...box, left: 130, right: 180 }, score: 95, reasons: [] },
]

test('each character on the picture says what was measured of it, also where nothing is wrong', async () => {
  await loadTexts('engines/handwriting')
  const { container } = await renderPage(
    <svg>
      <title>page</title>
      <Readings characters={characters} unit={10} />
    </svg>,
  )
  const told = [...container.querySelectorAll('g.work-readings > g')].map(
    one => one.querySelector('title')?.textContent,
  )
  expect(told).toEqual([
    '十 · 84 · 11% too far right · across 11%, down -2% · size 96% · width to height 101% · tilt -1° · density 104% · overlap 88%',
    '土 · 97 · across 1%, down -2% · size 96% · width to height 101% · tilt -1° · density 104% · overlap 88%',
    '王 · 95',
  ])
})
