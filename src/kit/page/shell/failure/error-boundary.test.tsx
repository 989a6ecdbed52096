import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CallFailed } from '../../call.ts'
import { switchLanguage } from '../../language.ts'
import { type Announcement, hear } from '../notice/announce.ts'
import { setUnsaved } from '../tabs/tabs.ts'
import { AbsentWhenBroken } from './absent-when-broken.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

let thrown: unknown = null
function Page() {
  if (thrown) throw thrown
  return <p>page</p>
}
// React speaks of errors it has handed on; here they are wanted.
const show = (element: ReactNode) => render(element, { onCaughtError: () => {} })

describe('a page that breaks', () => {
  beforeEach(async () => {
    await switchLanguage('en-US')
    thrown = null
  })

  test('says what to do, and is tried again on request', () => {
    thrown = new Error('oops')
    show(
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>,
    )
    expect(screen.getByRole('alert').textContent).toContain('Something went wrong on this page')
    thrown = null
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(screen.getByText('page')).toBeTruthy()
  })

  test('shows the server’s words with its incident number, and a part that did not come as such', () => {
    thrown = new CallFailed(500, { code: 5000, msg: 'Something went wrong: give the administrator the number 4711' })
    const { unmount } = show(
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>,
    )
    expect(screen.getByRole('heading').textContent).toBe('Something went wrong')
    expect(screen.getByText('give the administrator the number 4711')).toBeTruthy()
    unmount()
    thrown = new TypeError('Failed to fetch dynamically imported module: http://x/assets/page.js')
    show(
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>,
    )
    expect(screen.getByRole('heading').textContent).toBe('The page could not be loaded')
  })

  test('whose code did not come is asked for by another document when the network is back, unless something is typed, and no other', () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    thrown = new Error('oops')
    const { unmount } = show(
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>,
    )
    const isBack = () => {
      thrown = null
      network.mockReturnValue(true)
      act(() => void window.dispatchEvent(new Event('online')))
      return screen.queryByText('page') !== null
    }
    expect(isBack()).toBe(false)
    unmount()
    network.mockReturnValue(false)
    thrown = new TypeError('Failed to fetch dynamically imported module: http://x/assets/page.js')
    show(
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>,
    )
    expect(isBack()).toBe(false)
    expect(reload).toHaveBeenCalledTimes(1)
    setUnsaved('/a', true)
    network.mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    // What is typed elsewhere stays: another browser may find the part all the same.
    expect(isBack()).toBe(true)
    expect(reload).toHaveBeenCalledTimes(1)
    setUnsaved('/a', false)
  })

  test('whose code did not come is asked for by another document on request', () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    thrown = new TypeError('Failed to fetch dynamically imported module: http://x/assets/page.js')
    show(
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('hands over its details for the administrator', async () => {
    const written = vi.fn(async (_text: string) => {})
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText: written } as never)
    thrown = new Error('oops')
    show(
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Copy error details' }))
    await vi.waitFor(() => expect(written.mock.calls[0]?.[0]).toContain('Error: oops'))
  })

  test('a part one can do without is absent and says so; the rest stands', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('away')))
    const said: Announcement[] = []
    const silence = hear(announcement => said.push(announcement))
    thrown = new Error('gone')
    show(
      <>
        <p>rest</p>
        <AbsentWhenBroken>
          <Page />
        </AbsentWhenBroken>
      </>,
    )
    expect(screen.getByText('rest')).toBeTruthy()
    await vi.waitFor(() => expect(said.map(({ title }) => title)).toEqual(['The page could not be loaded']))
    silence()
  })
})
