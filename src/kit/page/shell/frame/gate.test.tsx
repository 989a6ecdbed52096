import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { frameCalls, openConsole } from '../../../../../tools/testing/console.tsx'
import { type Calls, inTurn, refused, type } from '../../../../../tools/testing/page.tsx'
import { readToken } from '../../token.ts'
import { useUser } from '../../user.ts'

const signedOut = { token: null }

describe('the guard', () => {
  test('an address nobody knows leads home, and says so', async () => {
    const page = await openConsole({ path: '/system/nonsense', calls: frameCalls({}) })
    expect(await screen.findByText('Page not found')).toBeTruthy()
    await waitFor(() => expect(page.address()).toBe('/dashboard'))
  })

  test('a stranger comes to the login page, with the deep link kept', async () => {
    const page = await openConsole({ path: '/order/list?payState=PAID', ...signedOut })
    expect(await screen.findByRole('heading', { name: 'Sign in to Inkstone' })).toBeTruthy()
    expect(page.address()).toBe('/user/login?redirect=%2Forder%2Flist%3FpayState%3DPAID')
    expect(screen.getByText('Copyright 2021')).toBeTruthy()
    expect(document.title).toBe('Sign in - Inkstone')
  })

  test('somebody without a role is told to have it configured, and is signed out', async () => {
    const page = await openConsole({ path: '/order/list', calls: frameCalls({ hasRole: false }) })
    expect(await screen.findByText("Please configure this account's role and permissions!")).toBeTruthy()
    await waitFor(() => expect(page.address()).toContain('/user/login'))
    expect(readToken()).toBeNull()
    expect(page.sent('POST /api/logout')).toHaveLength(1)
  })

  test('when the person cannot be loaded the login has expired: signed out, to login, deep link kept', async () => {
    const calls: Calls = {
      ...frameCalls(),
      'GET /api/auth/userInfo': () => refused(5000, 'Something went wrong: try again', null, 500),
    }
    const page = await openConsole({ path: '/order/list', calls })
    expect(await screen.findByText('Login expired - please log in again')).toBeTruthy()
    await waitFor(() => expect(page.address()).toBe('/user/login?redirect=%2Forder%2Flist'))
    expect(readToken()).toBeNull()
  })

  test('a server too busy to say who somebody is is asked again, and nobody is signed out', async () => {
    const busy = () => refused(5003, 'Unavailable: try again', null, 503)
    const calls: Calls = { ...frameCalls(), 'GET /api/auth/userInfo': inTurn(busy, busy, () => USER) }
    const page = await openConsole({ path: '/dashboard', calls })
    expect(await screen.findByText(/^Good .*, Ana$/)).toBeTruthy()
    expect(page.sent('POST /api/logout')).toEqual([])
  })

  test('a role without permissions signs in and sees the workbench', async () => {
    await openConsole({ path: '/', calls: frameCalls({}) })
    expect(await screen.findByText(/^Good .*, Tester$/)).toBeTruthy()
  })

  test('the user’s own language is spoken where none was chosen on this machine', async () => {
    const calls: Calls = { ...frameCalls(), 'GET /api/auth/userInfo': () => ({ ...USER, language: 'pt-BR' }) }
    await openConsole({ path: '/dashboard', calls })
    expect(await screen.findByRole('navigation', { name: 'Menu principal' })).toBeTruthy()
    await openConsole({ path: '/dashboard', calls, settings: { language: 'en-US' } })
    expect(await screen.findByRole('navigation', { name: 'Main menu' })).toBeTruthy()
  })

  test('registration is explained, not offered', async () => {
    await openConsole({ path: '/user/register', ...signedOut })
    expect(await screen.findByText(/Accounts are created by an administrator/)).toBeTruthy()
  })
})

const USER = {
  id: '1',
  account: 'a',
  name: 'Ana',
  avatar: null,
  language: null,
  mustChangePassword: false,
  preference: {},
  role: { code: 'X', name: 'X', superAdmin: false, permissionList: [] },
}

describe('the login page', () => {
  const fill = (account = 'sales', captcha = 'ink8') => {
    type(screen.getByLabelText('Account'), account)
    type(screen.getByLabelText('Password'), 'secret')
    type(screen.getByLabelText('Verification code'), captcha)
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  }

  test('signs in and goes on to where one wanted to go', async () => {
    const calls: Calls = { ...frameCalls(), 'POST /api/auth/login': () => 'fresh' }
    const page = await openConsole({
      path: '/user/login?redirect=%2Faccount%2Fsettings%2Fexports',
      ...signedOut,
      calls: { ...calls, 'GET /api/common/task': () => ({ records: [], total: 0, totalAt: '' }) },
    })
    fill()
    await waitFor(() => expect(page.address()).toBe('/account/settings/exports'))
    expect(readToken()).toBe('fresh')
    expect(page.sent('POST /api/auth/login')).toMatchObject([
      { query: { verKey: 'k' }, body: { username: 'sales', password: 'secret', captcha: 'ink8' } },
    ])
    await waitFor(() => expect(useUser.getState().info).not.toBeNull())
  })

  test('asks for the code where a second step is needed, takes a recovery code in its place, and goes on', async () => {
    const answers = [
      () => refused(4005, 'Sign-in failed: Wrong', { fields: { code: 'The code is wrong' } }, 422),
      () => 'fresh',
    ]
    const calls: Calls = {
      ...frameCalls(),
      'POST /api/auth/login': () => refused(4007, 'One more step: Enter the code', { current: { ticket: 'once' } }),
      'POST /api/auth/2step-code': () => answers.shift()?.(),
      'GET /api/common/task': () => ({ records: [], total: 0, totalAt: '' }),
    }
    const path = '/user/login?redirect=%2Faccount%2Fsettings%2Fexports'
    const page = await openConsole({ path, ...signedOut, calls })
    fill()
    type(await screen.findByLabelText('6-digit code of your authenticator app'), '123456')
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByText('The code is wrong')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'No phone at hand? Use a recovery code' }))
    type(screen.getByLabelText('Recovery code'), 'abcde-23456')
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(page.address()).toBe('/account/settings/exports'))
    expect(readToken()).toBe('fresh')
    expect(page.sent('POST /api/auth/2step-code').map(({ body }) => body)).toEqual([
      { ticket: 'once', code: '123456' },
      { ticket: 'once', code: 'abcde-23456' },
    ])
  })

  test.each([
    [{ demandedBy: ['Cashiers'], isAskedOfAll: false }, 'Required by: Cashiers. It cannot be turned off.'],
    [{ demandedBy: [], isAskedOfAll: true }, 'This console asks everybody for it. It cannot be turned off.'],
  ])('whoever must set up the second step first sees that page and why, and nothing else: %j', async (by, why) => {
    const calls: Calls = {
      ...frameCalls({ mustEnrol: true }),
      'GET /api/account/settings-factor': () => ({
        since: null,
        codesLeft: 0,
        codesVoidAt: null,
        ...by,
      }),
    }
    const page = await openConsole({ path: '/dashboard', calls })
    expect(await screen.findByText(/^Two-step verification is required/)).toBeTruthy()
    expect(await screen.findByText(why)).toBeTruthy()
    expect(page.address()).toBe('/account/settings/factor')
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeTruthy()
  })

  test('says what is missing before it asks the server', async () => {
    const page = await openConsole({ path: '/user/login', ...signedOut })
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(screen.getAllByRole('alert').map(alert => alert.textContent)).toEqual([
      'Enter your account name',
      'Enter your password',
      'Enter the verification code',
    ])
    expect(page.sent('POST /api/auth/login')).toEqual([])
  })

  test('shows a refusal in place, renews the picture and empties its answer', async () => {
    const calls: Calls = {
      ...frameCalls(),
      'POST /api/auth/login': () => refused(4006, 'Sign-in failed: The account or password is wrong'),
    }
    const page = await openConsole({ path: '/user/login', ...signedOut, calls })
    fill()
    expect((await screen.findByRole('alert')).textContent).toBe('Sign-in failedThe account or password is wrong')
    await waitFor(() => expect(page.sent('GET /api/auth/captcha')).toHaveLength(2))
    expect((screen.getByLabelText('Verification code') as HTMLInputElement).value).toBe('')
    expect((screen.getByLabelText('Account') as HTMLInputElement).value).toBe('sales')
  })

  test('a wrong verification code is said beside it', async () => {
    const answer = () =>
      refused(4005, 'Sign-in failed: Wrong verification code', { fields: { captcha: 'Wrong verification code' } }, 422)
    await openConsole({ path: '/user/login', ...signedOut, calls: { ...frameCalls(), 'POST /api/auth/login': answer } })
    fill()
    const alert = await screen.findByText('Wrong verification code')
    expect(screen.getByLabelText('Verification code').getAttribute('aria-describedby')).toBe(alert.id)
  })

  test('nothing is sent while the picture is on its way', async () => {
    const picture = Promise.withResolvers<{ key: string; image: string }>()
    const calls: Calls = {
      ...frameCalls(),
      'GET /api/auth/captcha': () => picture.promise,
      'POST /api/auth/login': () => 'fresh',
    }
    const page = await openConsole({ path: '/user/login', ...signedOut, calls })
    fill()
    expect(page.sent('POST /api/auth/login')).toEqual([])
    picture.resolve({ key: 'late', image: 'data:,' })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Sign in' })).toHaveProperty('disabled', false))
    fill()
    await waitFor(() => expect(page.sent('POST /api/auth/login')).toMatchObject([{ query: { verKey: 'late' } }]))
  })

  test('the picture is renewed by a click', async () => {
    const page = await openConsole({ path: '/user/login', ...signedOut })
    fireEvent.click(screen.getByRole('button', { name: 'Hard to read? Get a new one' }))
    await waitFor(() => expect(page.sent('GET /api/auth/captcha')).toHaveLength(2))
  })
})
