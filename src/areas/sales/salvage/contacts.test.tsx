import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Contacts } from './contacts.page.tsx'

const [NEW, OLD] = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002']
const entry = (id: string, content: string, picture: string[]) => ({
  ...{ id, at: '2026-11-16T02:00:00Z', kind: 'PHONE', content, nextAt: null, picture },
  ...{ staffId: '9', staff: '赵晴' },
})

describe('what was said to the person of a lead', () => {
  test('shows its pictures small under the words, each of them opening large', async () => {
    await renderPage(<Contacts row={{ id: '7' }} />, {
      grants: { 'sale-salvage': ['list', 'detail'] },
      calls: {
        ...commonCalls,
        'GET /api/sales/salvage/7/contact': () => [entry('2', '发来孩子的字', [NEW, OLD]), entry('1', '约好再说', [])],
        ...Object.fromEntries(
          [NEW, OLD].map(id => [
            `POST /api/common/file/${id}/link`,
            () => ({ url: `/api/common/file/${id}?whole`, small: `/api/common/file/${id}?small` }),
          ]),
        ),
      },
    })
    await screen.findByText('发来孩子的字')
    const shown = await screen.findAllByRole('img', { name: /Picture|图片/ })
    expect(shown.map(picture => picture.getAttribute('src'))).toEqual(
      [NEW, OLD].map(id => `/api/common/file/${id}?small`),
    )
    shown[1]?.click()
    const large = `/api/common/file/${OLD}?whole`
    await expect.poll(() => document.querySelector(`.ant-image-preview img[src="${large}"]`)).not.toBeNull()
  })
})
