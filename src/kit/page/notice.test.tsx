import { fireEvent, screen } from '@testing-library/react'
import { Button } from 'antd'
import { describe, expect, test } from 'vitest'
import { renderPage } from '../../../tools/testing/page.tsx'
import { CallFailed } from './call.ts'
import { type Notices, useNotices } from './notice.ts'

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
