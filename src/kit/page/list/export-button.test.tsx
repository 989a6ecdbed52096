import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { Page as Dictionary } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import { type Answer, button, paged, press, refused, renderPage } from '../../../../tools/testing/page.tsx'
import { dictionaryType } from '../../../../tools/testing/page-records.ts'

const EXPORT = 'GET /api/system/dictionary/download'

async function exportWith(answer: Answer) {
  const page = await renderPage(<Dictionary />, {
    search: 'query=pen&builtIn=false&sort=name%3Aasc&current=4&size=50',
    superAdmin: true,
    calls: { 'GET /api/system/dictionary': () => paged([dictionaryType('1')], 151), [EXPORT]: answer },
  })
  await screen.findByText('Type 1')
  press('Export')
  return page
}

describe('an export', () => {
  test('is what the filter matches, all pages of it, saved under the name the server gives', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const page = await exportWith(() => new Response('sheet', { headers: { filename: '%E5%AD%97%E5%85%B8.xlsx' } }))
    await waitFor(() => expect(click).toHaveBeenCalledOnce())
    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('字典.xlsx')
    expect(page.sent(EXPORT).map(({ query }) => query)).toEqual([{ query: 'pen', builtIn: 'false', sort: 'name:asc' }])
    await waitFor(() => expect(button('Export').className).not.toContain('loading'))
  })

  test('of many rows becomes a task: that is said, with the way to where it ends', async () => {
    const page = await exportWith(() => ({ taskId: '5' }))
    expect(await screen.findByText(/^This is a large export/)).toBeTruthy()
    press('My tasks')
    expect(page.opened).toEqual(['/account/settings/exports'])
  })

  test('that is refused says why', async () => {
    await exportWith(() => refused(CODES.rule, 'Refused: Narrow the filter'))
    expect(await screen.findByText('Narrow the filter')).toBeTruthy()
  })
})
