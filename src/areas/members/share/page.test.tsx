import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { Like } from './like.page.tsx'

const PICTURE = '0b0a3a54-0a3c-4a51-9d0e-3f4f5f6f7f80'

test('whoever decides sees the share that has the same screenshot, with its picture and a link to it', async () => {
  await loadTexts('members/share')
  await renderPage(
    <Like
      like={{
        id: '7',
        poster: '中秋',
        submittedAt: '2026-11-16T02:05:00.000Z',
        status: 'APPROVED',
        isSameMember: false,
        picture: [PICTURE],
      }}
    />,
    { calls: { [`POST /api/common/file/${PICTURE}/link`]: () => ({ url: '/api/common/file/x' }) } },
  )
  expect(screen.getByRole('link', { name: '中秋' }).getAttribute('href')).toBe('#/members/share/7')
  expect(screen.getByText(/2026-11-16 10:05 · Approved · another member/)).toBeTruthy()
  expect((await screen.findByRole('img')).getAttribute('src')).toBe('/api/common/file/x')
})
