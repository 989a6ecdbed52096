import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { Button } from 'antd'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { renderPage } from '../../../tools/testing/page.tsx'
import { CallFailed } from './call.ts'
import { useKeptNotices } from './kept-notices.ts'
import { type Notices, useNotices } from './notice.tsx'
import { announce } from './shell/notice/announce.ts'
import { RecentNotices } from './shell/notice/recent-notices.tsx'

function Speaker({ say }: { say(notices: Notices): void }) {
  const notices = useNotices()
  return <Button onClick={() => say(notices)}>speak</Button>
}

const speak = async (say: (notices: Notices) => void) => {
  await renderPage(<Speaker say={say} />)
  fireEvent.click(screen.getByText('speak'))
}
const fail = (error: unknown) => speak(notices => notices.failed(error, 'Edit failed'))

describe('how a call ended', () => {
  test('well is said in a line', async () => {
    await speak(notices => notices.done('Added successfully'))
    expect(await screen.findByText('Added successfully')).toBeTruthy()
  })

  test('badly is said by the server’s title and description', async () => {
    await fail(new CallFailed(200, { code: 4006, msg: 'Refused: You cannot approve your own refund' }))
    const notice = await screen.findByRole('alert')
    expect(notice.querySelector('[class*=title]')?.textContent).toBe('Refused')
    expect(notice.querySelector('[class*=description]')?.textContent).toBe('You cannot approve your own refund')
  })

  test('without a word from the server is said in our own', async () => {
    await fail(new TypeError('Failed to fetch'))
    expect(await screen.findByText('Edit failed')).toBeTruthy()
    expect(screen.queryByText(/fetch/)).toBeNull()
  })

  test('with the session, or for want of a right, is left to the frame to say', async () => {
    await speak(notices => {
      notices.failed(new CallFailed(401, { code: 4001, msg: 'No: token' }), 'Edit failed')
      notices.failed(new CallFailed(200, { code: 4001, msg: 'No: session' }), 'Edit failed')
      notices.failed(new CallFailed(403, { code: 4003, msg: 'No: right' }), 'Edit failed')
      notices.done('spoken')
    })
    await screen.findByText('spoken')
    expect(screen.getAllByRole('alert').map(notice => notice.textContent)).toEqual(['spoken'])
  })
})

test('what the page says and what is pushed meanwhile stand in one pile, and neither lies over the other', async () => {
  await speak(notices => notices.done('Order added', { open: () => {} }))
  act(() => announce({ key: 'push-2-1', kind: 'info', title: 'New order' }))
  const piles = [await screen.findByText('Order added'), await screen.findByText('New order')].map(said =>
    said.closest('.ant-notification'),
  )
  expect(piles[0]).toBe(piles[1])
})

describe('how long a notice stands', () => {
  const refusal = new CallFailed(200, { code: 4006, msg: 'Refused: not yours' })
  /** Time as the notices measure it: by clock and frame. */
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const begin = async (say: (notices: Notices) => void) => {
    await renderPage(<Speaker say={say} />)
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'Date', 'requestAnimationFrame', 'cancelAnimationFrame'],
    })
    fireEvent.click(screen.getByText('speak'))
    await pass(50)
  }
  const notice = () => document.querySelector<HTMLElement>('.ant-notification-notice, .ant-message-notice')

  test.each<[string, (notices: Notices) => void]>([
    ['what worked', notices => notices.done('Added')],
    ['what worked, with a link', notices => notices.done('Added', { open() {} })],
    ['what is told', notices => notices.told('Nothing to close')],
    ['what failed', notices => notices.failed(refusal, 'Edit failed')],
  ])('%s is gone after two and a half seconds', async (_, say) => {
    await begin(say)
    await pass(2_300)
    expect(notice()).not.toBeNull()
    await pass(400)
    expect(notice()).toBeNull()
  })

  test('under the pointer or with the focus in it, it stays', async () => {
    await begin(notices => notices.done('Added', { open() {} }))
    fireEvent.pointerEnter(notice() as Element)
    await pass(10_000)
    fireEvent.pointerLeave(notice() as Element)
    expect(notice()).not.toBeNull()
    act(() => screen.getByRole('button', { name: 'View' }).focus())
    await pass(10_000)
    expect(notice()).not.toBeNull()
    act(() => screen.getByRole('button', { name: 'View' }).blur())
    await pass(2_700)
    expect(notice()).toBeNull()
  })
})

const Recent = () => <RecentNotices open onClose={() => {}} />

describe('what was said can be read again', () => {
  beforeEach(() => useKeptNotices.setState({ kept: [] }))

  const lines = () =>
    [...document.querySelectorAll('.ink-recent li')].map(line => line.querySelector('strong')?.textContent)

  test('newest first, at most fifty', async () => {
    await speak(notices => {
      for (let n = 1; n <= 60; n += 1) notices.done(`Saved ${n}`)
    })
    await renderPage(<Recent />)
    expect([lines().length, lines()[0], lines().at(-1)]).toEqual([50, 'Saved 60', 'Saved 11'])
  })

  test('with its link as often as wanted, and its way back once', async () => {
    const ran: string[] = []
    await speak(notices =>
      notices.done('Deleted', { open: () => void ran.push('open'), undo: () => void ran.push('undo') }),
    )
    await renderPage(<Recent />)
    for (const name of ['View', 'Undo', 'View']) fireEvent.click(screen.getByRole('button', { name }))
    expect(ran).toEqual(['open', 'undo', 'open'])
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('a failure of ours with its number, to be copied', async () => {
    const written = vi.fn(async () => {})
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText: written } as never)
    await fail(new CallFailed(500, { code: 5000, msg: 'Something went wrong: 17', data: { incident: 'incident-17' } }))
    await renderPage(<Recent />)
    fireEvent.click(screen.getByRole('button', { name: 'Copy number' }))
    await waitFor(() => expect(written).toHaveBeenCalledWith('incident-17'))
  })
})

test('what was said is still there after a reload of the page, and gone with its person', async () => {
  await speak(notices => notices.failed(new CallFailed(200, { code: 4006, msg: 'Refused: not yours' }), 'Edit failed'))
  await screen.findByRole('alert')
  const reload = async () => {
    vi.resetModules()
    const [{ useKeptNotices: kept }, { useUser }] = await Promise.all([
      import('./kept-notices.ts'),
      import('./user.ts'),
    ])
    return { kept: () => kept.getState().kept, useUser }
  }
  const again = await reload()
  expect(again.kept()[0]).toMatchObject({ title: 'Refused', description: 'not yours', person: '1' })
  expect(again.kept()[0]?.at).toBeInstanceOf(Date)
  again.useUser.setState({ info: { id: '1' } as never })
  expect((await reload()).kept()).not.toEqual([])
  again.useUser.setState({ info: null })
  expect((await reload()).kept()).toEqual([])
})
