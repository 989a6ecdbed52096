import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type Calls, paged, press, refused, renderPage, type } from '../../../../tools/testing/page.tsx'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { type OneTime, resource } from './model.ts'
import { Page } from './page.tsx'

const PATH = '/api/system/user'
const RESET = `POST ${PATH}/7/resetPassword`
const TOLD: OneTime = { id: '7', account: 'lilei', name: 'Li Lei', password: 'Xk4-one-time' }
const user = sampleRow(resource as never, {
  name: 'Li Lei',
  account: 'lilei',
  status: 'ENABLED',
  accountState: 'ENABLED',
})

const open = (calls: Calls = {}, actions = ['list', 'detail', 'resetPassword']) =>
  renderPage(<Page />, {
    search: 'with.reset=7',
    calls: {
      [`GET ${PATH}`]: () => paged([user]),
      [`GET ${PATH}/counts`]: () => ({}),
      'GET /api/common/reference/department/tree': () => ({ nodes: [], isWhole: true }),
      [RESET]: () => TOLD,
      ...calls,
    },
    grants: { 'iam-user': actions },
  })
const dialog = () => screen.findByRole('dialog')

describe('resetting a password', () => {
  test('says what follows and asks why: without a reason nothing is sent', async () => {
    const page = await open()
    const asked = await dialog()
    await within(asked).findByText(/all devices are signed out/)
    press('Reset password', asked)
    await within(asked).findByText('Please enter: Reason')
    type(within(asked).getByLabelText('Reason'), '   ')
    press('Reset password', asked)
    await waitFor(() => expect(within(asked).getByLabelText('Reason').getAttribute('aria-invalid')).toBe('true'))
    expect(page.sent(RESET)).toEqual([])
  })

  test('shows the new password and whose it is, for as long as the window is open, and has nothing left to cancel', async () => {
    const page = await open()
    const before = page.sent(`GET ${PATH}`).length
    const asked = await dialog()
    type(await within(asked).findByLabelText('Reason'), 'lost the telephone')
    press('Reset password', asked)
    await within(asked).findByText(TOLD.password)
    within(asked).getByText('lilei')
    within(asked).getByText(/Tell Li Lei now/)
    expect(within(asked).queryByLabelText('Reason')).toBeNull()
    expect(within(asked).getByText('Cancel').closest('button')?.style.display).toBe('none')
    expect(page.sent(RESET).map(({ body }) => body)).toEqual([{ reason: 'lost the telephone' }])
    await waitFor(() => expect(page.sent(`GET ${PATH}`).length).toBeGreaterThan(before))

    press('Passed on, close', asked)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(page.address()).toBe('')
    expect(document.body.textContent).not.toContain(TOLD.password)
    expect(page.isUnsaved()).toBe(false)
  })

  test('that is refused says so, and keeps what was typed', async () => {
    await open({ [RESET]: () => refused(4006, 'Only a super administrator may do this') })
    const asked = await dialog()
    type(await within(asked).findByLabelText('Reason'), 'lost the telephone')
    press('Reset password', asked)
    await screen.findByText(/Only a super administrator may do this/)
    expect((within(asked).getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('lost the telephone')
    expect(within(asked).queryByText(TOLD.password)).toBeNull()
  })

  test('asks whether a reason that was typed may be lost before it is left', async () => {
    const page = await open()
    const asked = await dialog()
    type(await within(asked).findByLabelText('Reason'), 'lost the telephone')
    press('Cancel', asked)
    await screen.findByText('If you leave now, what you entered will be lost.')
    expect(page.address()).toBe('with.reset=7')
    expect(page.sent(RESET)).toEqual([])
  })

  test('is opened by no address for whoever may not', async () => {
    await open({}, ['list', 'detail'])
    await screen.findAllByText('Li Lei')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
