import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { type Answer, answerCalls, type Calls, held, refused, type Sent } from '../../../tools/testing/page.tsx'
import {
  askAhead,
  type CallFailed,
  download,
  follow,
  get,
  onSessionEnd,
  post,
  put,
  queryText,
  remove,
  save,
  speak,
  splitMessage,
  upload,
} from './call.ts'
import { clearToken, readToken, writeToken } from './token.ts'

const MINUTE = 60_000

const failureOf = (work: Promise<unknown>): Promise<CallFailed> =>
  work.then(
    () => Promise.reject(new Error('it was expected to fail')),
    (error: CallFailed) => error,
  )

describe('a message of the server', () => {
  test('is split at its first colon, whichever kind of colon that is', () => {
    expect(splitMessage('Refused: only one: per order')).toEqual({
      title: 'Refused',
      description: 'only one: per order',
    })
    expect(splitMessage('操作被拒绝：订单 12:30 已关闭')).toEqual({
      title: '操作被拒绝',
      description: '订单 12:30 已关闭',
    })
  })

  test('without a colon stays whole', () => {
    expect(splitMessage('Delete failed')).toEqual({ title: 'Delete failed' })
  })
})

describe('parameters of a call', () => {
  test('repeat an array and leave out what is empty', () => {
    expect(queryText({ status: ['PAID', 'CLOSED'], size: 10, query: '', sort: undefined, zero: 0, no: false })).toBe(
      '?status=PAID&status=CLOSED&size=10&zero=0&no=false',
    )
  })

  test('are encoded, and absent when there are none', () => {
    expect(queryText({ query: '王 & co?' })).toBe('?query=%E7%8E%8B+%26+co%3F')
    expect(queryText()).toBe('')
  })
})

describe('a call', () => {
  test('goes below /api with method, body, language and token', async () => {
    speak('pt-BR')
    writeToken('t-1')
    const sent = answerCalls({
      'GET /api/a': () => 1,
      'POST /api/a': () => 2,
      'PUT /api/a/7': () => 3,
      'DELETE /api/a/7,8': () => null,
    })
    expect([await get('/a'), await post('/a', { x: 1 }), await put('/a/7', { y: 2 }), await remove('/a/7,8')]).toEqual([
      1,
      2,
      3,
      null,
    ])
    expect(sent.map(({ name, body }) => [name, body])).toEqual([
      ['GET /api/a', undefined],
      ['POST /api/a', { x: 1 }],
      ['PUT /api/a/7', { y: 2 }],
      ['DELETE /api/a/7,8', undefined],
    ])
    for (const { headers } of sent) expect(headers).toMatchObject({ authtoken: 't-1', 'accept-language': 'pt-BR' })
    expect(sent[1]?.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  test('asked ahead is asked once, and its answer is for the first that wants it', async () => {
    const sent = answerCalls({ 'GET /api/a': () => sent.length })
    askAhead('/a')
    expect([await get('/a'), await get('/a')]).toEqual([1, 2])
  })

  test('asked ahead says why it was refused to whoever wants it', async () => {
    answerCalls({ 'GET /api/a': () => refused(CODES.rule, 'Refused: Not on Sundays') })
    askAhead('/a')
    expect(await failureOf(get('/a'))).toMatchObject({ message: 'Refused: Not on Sundays' })
  })

  test('carries no token header before sign-in, and the idempotency key only where one is given', async () => {
    const sent = answerCalls({ 'POST /api/a': () => 1 })
    await post('/a')
    await post('/a', {}, { idempotencyKey: 'k-1' })
    expect(sent.map(({ headers }) => [headers.authtoken, headers['idempotency-key']])).toEqual([
      [undefined, undefined],
      [undefined, 'k-1'],
    ])
  })

  test('keeps the new token when the server has rotated it', async () => {
    writeToken('old')
    answerCalls({ 'GET /api/a': () => answerWith({ code: 0, msg: 'ok', data: 1 }, 200, { authtoken: 'new' }) })
    // What is written, not what stands there afterwards: a link another test has followed takes the jar along.
    const cookie = vi.spyOn(document, 'cookie', 'set')
    await get('/a')
    expect(readToken()).toBe('new')
    expect(cookie).toHaveBeenCalledWith(expect.stringMatching(/^Access-Token=new; path=\//))
  })

  test('answered after signing out brings no token back', async () => {
    writeToken('old')
    const answer = held<Response>()
    answerCalls({ 'GET /api/a': answer.answer })
    const late = get('/a')
    clearToken()
    answer.give(answerWith({ code: 0, msg: 'ok', data: 1 }, 200, { authtoken: 'new' }))
    await late
    expect(readToken()).toBeNull()
  })

  test('that is refused says why, with what belongs beside the fields and the newer version of a record', async () => {
    answerCalls({
      'PUT /api/a/1': () =>
        refused(CODES.conflict, 'Conflict: changed', { fields: { name: 'taken' }, current: { version: 3 } }, 409),
    })
    const failure = await failureOf(put('/a/1', {}))
    expect(failure).toMatchObject({
      message: 'Conflict: changed',
      code: 4009,
      status: 409,
      fields: { name: 'taken' },
      current: { version: 3 },
    })
  })

  test('answered by something that is no envelope fails by its status', async () => {
    answerCalls({ 'GET /api/a': () => new Response('<html>Bad gateway</html>', { status: 502 }) })
    expect(await failureOf(get('/a'))).toMatchObject({ code: 502, message: '', fields: {} })
  })

  test('is given up after ten seconds, and before that when nobody waits for it any more', async () => {
    const clock = new AbortController()
    answerCalls({ 'GET /api/a': held().answer })
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal)
    const late = failureOf(get('/a'))
    clock.abort(new DOMException('too late', 'TimeoutError'))
    expect(await late).toMatchObject({ name: 'Unanswered', isLate: true })
    expect(limit).toHaveBeenCalledWith(10_000)

    limit.mockReturnValue(new AbortController().signal)
    const impatient = new AbortController()
    const unwanted = failureOf(get('/a', { signal: impatient.signal }))
    impatient.abort()
    expect((await unwanted).name).toBe('AbortError')
  })
})

describe('a call that carries a file', () => {
  const begin = (answer: Answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sent = answerCalls({ 'GET /api/a/download': answer })
    return { sent, work: download('/a/download') }
  }

  test('may take ten minutes to begin, and no longer', async () => {
    const { sent, work } = begin(held().answer)
    const late = failureOf(work)
    await vi.advanceTimersByTimeAsync(10 * MINUTE - 1)
    expect(sent[0]?.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await late).toMatchObject({ name: 'Unanswered', isLate: true })
  })

  test('is not called off once it has begun', async () => {
    const { sent, work } = begin(() => new Response('sheet', { headers: { filename: 'a.xlsx' } }))
    await work
    await vi.advanceTimersByTimeAsync(20 * MINUTE)
    expect(sent[0]?.signal.aborted).toBe(false)
  })
})

describe('when the server ends or refuses the session', () => {
  const told: string[] = []
  const tell = async (answer: () => Response) => {
    told.length = 0
    onSessionEnd({
      expired: () => void told.push('expired'),
      unauthorised: () => void told.push('unauthorised'),
      forbidden: message => void told.push(`forbidden: ${message}`),
    })
    answerCalls({ 'GET /api/a': answer })
    await failureOf(get('/a'))
    return told.join()
  }
  afterEach(() => onSessionEnd({ expired() {}, unauthorised() {}, forbidden() {} }))

  test('401, 4001 and 403 each reach their own handler, once', async () => {
    expect(await tell(() => answerWith({ code: 4001, msg: 'no', result: { isLogin: false } }, 401))).toBe(
      'unauthorised',
    )
    expect(await tell(() => refused(4001, 'Login expired'))).toBe('expired')
    expect(await tell(() => refused(4003, 'Forbidden: orders', null, 403))).toBe('forbidden: Forbidden: orders')
  })

  test('what is said of a token that was replaced meanwhile ends nothing', async () => {
    writeToken('old')
    const replaced = (answer: Response) => () => {
      writeToken('new')
      return answer
    }
    expect(await tell(replaced(answerWith({ code: 4001, msg: 'no', result: { isLogin: false } }, 401)))).toBe('')
    writeToken('old')
    expect(await tell(replaced(refused(4001, 'Login expired')))).toBe('')
  })

  test('a failed sign-in and any other refusal reach none', async () => {
    expect(await tell(() => answerWith({ code: 4001, msg: 'no', result: { isLogin: true } }, 401))).toBe('')
    expect(await tell(() => answerWith({ code: 4001, msg: 'no', result: { isLogin: true } }, 200))).toBe('')
    expect(await tell(() => refused(4006, 'Refused: not yours'))).toBe('')
    expect(await tell(() => refused(4005, 'Invalid: name', null, 422))).toBe('')
    expect(await tell(() => refused(5000, 'Error: incident 1', null, 500))).toBe('')
  })
})

describe('a download', () => {
  test('with a filename header is a file of that name', async () => {
    const sent = answerCalls({
      'GET /api/a/download': () => new Response('sheet', { headers: { filename: '%E8%AE%A2%E5%8D%95%202026.xlsx' } }),
    })
    const answer = await download('/a/download', { status: ['PAID'] })
    expect(sent[0]?.query).toEqual({ status: 'PAID' })
    expect('file' in answer && [answer.name, await answer.file.text()]).toEqual(['订单 2026.xlsx', 'sheet'])
  })

  test('without one is what the server says instead: a task, or a refusal', async () => {
    answerCalls({ 'GET /api/a/download': () => ({ taskId: '9' }) })
    expect(await download('/a/download')).toEqual({ data: { taskId: '9' } })
    answerCalls({ 'GET /api/a/download': () => refused(4006, 'Refused: narrow the filter') })
    expect(await failureOf(download('/a/download'))).toMatchObject({ message: 'Refused: narrow the filter' })
  })

  test('is saved under its name', () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    save(new Blob(['x']), 'orders.xlsx')
    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('orders.xlsx')
  })

  test('that lies elsewhere is followed beside the page, and is not told where it was asked from', () => {
    const clicked: string[][] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push([this.href, this.target, this.rel])
    })
    follow('https://storage.example/bucket/f?X-Amz-Signature=1')
    expect(clicked).toEqual([['https://storage.example/bucket/f?X-Amz-Signature=1', '_blank', 'noopener noreferrer']])
    vi.restoreAllMocks()
  })
})

test('an upload sends the file as a form, without naming a content type', async () => {
  const sent = answerCalls({ 'POST /api/common/upload': () => ({ id: 'f-1' }) })
  const file = new File(['x'], 'a.png', { type: 'image/png' })
  expect(await upload('/common/upload', file, { purpose: 'image' })).toEqual({ id: 'f-1' })
  expect(sent[0]?.query).toEqual({ purpose: 'image' })
  const [call] = sent as [Sent]
  expect((call.body as FormData).get('file')).toMatchObject({ name: 'a.png' })
  expect(sent[0]?.headers['content-type']).toBeUndefined()
})

describe('an idle session', () => {
  let sent: Sent[]
  const pings = () => sent.filter(({ name }) => name === 'POST /api/iam/ping').length
  const begin = async (calls: Calls = {}) => {
    sent = answerCalls({ 'GET /api/a': () => 1, 'POST /api/iam/ping': () => null, ...calls })
    await get('/a')
  }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    writeToken('t')
  })

  test('is kept alive by a ping after ten minutes, and again after ten more', async () => {
    await begin()
    await vi.advanceTimersByTimeAsync(10 * MINUTE - 1)
    expect(pings()).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(pings()).toBe(1)
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(pings()).toBe(2)
  })

  test('is not idle while it makes calls', async () => {
    await begin()
    await vi.advanceTimersByTimeAsync(9 * MINUTE)
    await get('/a')
    await vi.advanceTimersByTimeAsync(9 * MINUTE)
    expect(pings()).toBe(0)
  })

  test('is pinged again after a ping that did not get through', async () => {
    await begin({ 'POST /api/iam/ping': () => Promise.reject(new TypeError('offline')) })
    await vi.advanceTimersByTimeAsync(20 * MINUTE)
    expect(pings()).toBe(2)
  })

  test('is left alone once nobody is signed in', async () => {
    await begin()
    clearToken()
    await vi.advanceTimersByTimeAsync(30 * MINUTE)
    expect(pings()).toBe(0)
  })
})

const answerWith = (body: object, status: number, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers })
