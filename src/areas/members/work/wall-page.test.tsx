import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PAGE_SIZES } from '#kit/model/contract.ts'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Wall } from './wall.page.tsx'

const work = (id: string, lesson: string, submittedAt: string, score: number) => ({
  ...{ id, lesson, submittedAt, score, status: 'RELEASED', picture: [`picture-${id}`] },
  characters: lesson === '横画' ? '十土' : '人',
})
const WORKS = [
  work('4', '撇捺', '2026-11-02T10:00:00Z', 93),
  work('3', '横画', '2026-10-02T10:00:00Z', 91),
  work('2', '点', '2026-02-02T10:00:00Z', 75),
  work('1', '横画', '2025-02-02T10:00:00Z', 62),
]

test('a wall shows the same lesson then and now, and beside it how its characters are written', async () => {
  for (const texts of ['members/work', 'members/work-desk']) await loadTexts(texts)
  const page = await renderPage(<Wall memberId="7" />, {
    calls: {
      ...commonCalls,
      'GET /api/members/work': () => ({ records: WORKS, total: WORKS.length }),
      'GET /api/members/work/model-character': () => [
        [
          [0, 0],
          [0.1, 0],
          [0.1, 0.1],
        ],
      ],
      'POST /api/common/file/links': ({ body }) =>
        Object.fromEntries((body as { ids: string[] }).ids.map(id => [id, `/${id}.jpg`])),
    },
    grants: { 'opus-list': ['list'] },
  })
  const model = await screen.findByRole('region', { name: 'Model' })
  const names = [...document.querySelectorAll('.work-wall-pair li')].map(item => item.textContent)
  expect(names).toEqual([expect.stringMatching(/横画.*2025-02-02.*62/), expect.stringMatching(/横画.*2026-10-02.*91/)])
  expect(await within(model).findByRole('img', { name: '十' })).toBeTruthy()
  // What the server answers, and nothing else.
  const sizes = page.sent('GET /api/members/work').map(({ query }) => Number(query.size))
  expect(sizes.filter(size => !PAGE_SIZES.some(known => known === size))).toEqual([])
  expect(page.sent('GET /api/members/work/model-character').map(({ query }) => query.character)).toEqual(['十', '土'])
})
