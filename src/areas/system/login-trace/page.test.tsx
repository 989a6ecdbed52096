import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { type LoginTrace, resource } from './model.ts'
import { Page } from './page.tsx'

const PATH = '/api/system/login-trace'
const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36'
const trace = (id: string, part: Partial<LoginTrace>) => sampleRow(resource as never, { id, ...part })
const show = (...rows: object[]) =>
  renderPage(<Page />, {
    calls: { [`GET ${PATH}`]: () => paged(rows), [`GET ${PATH}/counts`]: () => ({}) },
    grants: { 'login-trace': ['list'] },
  })

test('the sign-in log names the device in words, with all that the browser said of itself beside it', async () => {
  await show(trace('1', { device: PHONE }), trace('2', { device: 'curl/8.9.1' }), trace('3', { device: '' }))
  expect((await screen.findByText('Chrome 142 · Android')).title).toBe(PHONE)
  expect(screen.getByText('curl/8.9.1').title).toBe('curl/8.9.1')
  expect(document.querySelector('[data-row-key="3"] span[title=""]')?.textContent).toBe('–')
})

test('the sign-in log says whether somebody is still in only of who got in', async () => {
  await show(
    trace('1', { result: 'SUCCESS', online: true }),
    trace('2', { result: 'SUCCESS', online: false }),
    trace('3', { result: 'CREDENTIALS', online: false }),
  )
  await waitFor(() => expect(document.querySelectorAll('td[data-field="online"]')).toHaveLength(3))
  const said = [...document.querySelectorAll('td[data-field="online"]')].map(({ textContent }) => textContent)
  expect(said).toEqual(['Online', 'Signed out', '–'])
})
