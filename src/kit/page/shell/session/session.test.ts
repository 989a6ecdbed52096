import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { userInfo } from '../../../../../tools/testing/console.tsx'
import { answerCalls, type Calls, refused, type Sent } from '../../../../../tools/testing/page.tsx'
import { get, post } from '../../call.ts'
import { readToken, writeToken } from '../../token.ts'
import { useUser } from '../../user.ts'
import { type Announcement, hear } from '../notice/announce.ts'
import { watchSession } from './session.ts'

const TEXTS = {
  unauthorised: 'Unauthorized',
  unauthorisedDetail: 'Authorization verification failed',
  expired: 'login expired, please log in again',
  forbidden: 'Forbidden',
}
const expired = () => refused(4001, 'Login expired: login expired, please log in again')
const unauthorised = (isLogin: boolean) => () =>
  Response.json({ code: 4001, msg: 'Unauthorized', data: null, result: { isLogin } }, { status: 401 })

describe('the end of a session', () => {
  const said: Announcement[] = []
  const reload = vi.fn()
  const refresh = vi.fn()
  let stop = () => {}
  let sent: Sent[] = []

  beforeEach(() => {
    vi.useFakeTimers()
    said.length = 0
    reload.mockClear()
    refresh.mockClear()
    const silence = hear(announcement => said.push(announcement))
    const unwatch = watchSession({ texts: () => TEXTS, reload, refresh })
    stop = () => [silence(), unwatch()]
    useUser.setState({ info: userInfo() })
    writeToken('good')
  })
  afterEach(() => stop())

  const failTogether = async (calls: Calls, times = 20) => {
    sent = answerCalls({ 'POST /api/logout': unauthorised(false), ...calls })
    await Promise.allSettled(Array.from({ length: times }, () => get('/a')))
  }

  test('expired: the token goes, the person goes, and it is said once however many calls fail', async () => {
    await failTogether({ 'GET /api/a': expired })
    expect(said.map(({ title }) => title)).toEqual(['login expired, please log in again'])
    expect(readToken()).toBeNull()
    expect(useUser.getState().info).toBeNull()
    expect(reload).not.toHaveBeenCalled()
  })

  test('unauthorised: one notice, the token goes, and the page reloads once after a second and a half', async () => {
    await failTogether({ 'GET /api/a': unauthorised(false) })
    expect(said.map(({ title, description }) => [title, description])).toEqual([
      ['Unauthorized', 'Authorization verification failed'],
    ])
    expect(readToken()).toBeNull()
    // Calls that go out before the reload, without a token now, are not spoken of again.
    await get('/a').catch(() => {})
    expect(said).toHaveLength(1)
    vi.advanceTimersByTime(1_499)
    expect(reload).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(reload).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(60_000)
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('unauthorised: the session is ended on the server too, with the token before it goes, and whatever it answers', async () => {
    await failTogether({ 'GET /api/a': unauthorised(false) })
    const ended = sent.filter(({ name }) => name === 'POST /api/logout')
    expect(ended.map(({ headers }) => headers.authtoken)).toEqual(['good'])
    await vi.runAllTimersAsync()
    expect(said).toHaveLength(1)
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('unauthorised without a token: it is said, and nothing is reloaded', async () => {
    localStorage.clear()
    await failTogether({ 'GET /api/a': unauthorised(false) }, 1)
    vi.advanceTimersByTime(60_000)
    expect(said).toHaveLength(1)
    expect(reload).not.toHaveBeenCalled()
  })

  test('a failed sign-in ends nothing', async () => {
    answerCalls({ 'POST /api/auth/login': unauthorised(true) })
    await post('/auth/login', {}).catch(() => {})
    expect(said).toEqual([])
    expect(readToken()).toBe('good')
  })

  test('an answer about an earlier session does not end the new one', async () => {
    answerCalls({
      'GET /api/a': () => {
        writeToken('newer')
        return expired()
      },
    })
    await get('/a').catch(() => {})
    expect(readToken()).toBe('newer')
    expect(said).toEqual([])
  })

  test('forbidden: the server’s words under the title, and rights are read again at most once in ten seconds', async () => {
    await failTogether(
      { 'GET /api/a': () => refused(4003, 'You do not have permission: Ask an administrator.', null, 403) },
      3,
    )
    expect(said[0]).toMatchObject({
      title: 'Forbidden',
      description: 'You do not have permission: Ask an administrator.',
    })
    expect(new Set(said.map(({ key }) => key))).toEqual(new Set(['forbidden']))
    expect(refresh).toHaveBeenCalledTimes(1)
    expect(readToken()).toBe('good')
  })

  test('signing out in another window ends this one too', () => {
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'Access-Token', newValue: null }))
    expect(useUser.getState().info).toBeNull()
  })
})
