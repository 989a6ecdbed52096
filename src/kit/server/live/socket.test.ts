import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { SOCKET_CLOSE, TOKEN_GRACE_MS } from '#kit/model/contract.ts'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { listen, openSocket, type TestSocket } from '../../../../tools/testing/live.ts'

const DAY_MS = 86_400_000

let instance: TestInstance
let host: string
beforeAll(async () => {
  instance = await openTestInstance()
  host = await listen(instance)
})

const sessionOf = async (token: string) => (await instance.app.sessions.find(token))?.id ?? ''
const endSession = async (token: string) => {
  const id = await sessionOf(token)
  await instance.app.db.write(tx => instance.app.sessions.end(tx, [id], 'LOGOUT'))
}

describe('who is let in', () => {
  test('a token opens a socket', async () => {
    const { token } = await person(instance)
    const open = instance.live.metrics.open
    await openSocket(host, token)
    expect(instance.live.metrics.open).toBe(open + 1)
  })

  test('a ticket opens one socket of its session, and no second one', async () => {
    const somebody = await person(instance)
    const { data } = await somebody.post<{ ticket: string }>('/iam/ticket')
    const socket = await openSocket(host, data.ticket)
    await expect(openSocket(host, data.ticket)).rejects.toBe(401)
    await endSession(somebody.token)
    expect(await socket.closed).toBe(SOCKET_CLOSE.ended)
  })

  test('a ticket is good for a minute', async () => {
    const somebody = await person(instance)
    const { data } = await somebody.post<{ ticket: string }>('/iam/ticket')
    instance.clock.forward(60_000)
    await expect(openSocket(host, data.ticket)).rejects.toBe(401)
  })

  test('a ticket of a session that ended opens nothing', async () => {
    const somebody = await person(instance)
    const { data } = await somebody.post<{ ticket: string }>('/iam/ticket')
    await endSession(somebody.token)
    await expect(openSocket(host, data.ticket)).rejects.toBe(401)
  })

  test('nobody gets a ticket without a session', async () => {
    const answer = await instance.http.inject({ method: 'POST', url: '/api/iam/ticket', payload: {} })
    expect(answer.statusCode).toBe(401)
  })

  test.each([
    ['an unknown token', 'x'.repeat(43)],
    ['something that is no token', 'hello'],
    ['an unknown ticket', `t.${'x'.repeat(43)}`],
  ])('%s is refused before the upgrade', async (_name, slot) => {
    await expect(openSocket(host, slot)).rejects.toBe(401)
  })

  test("another site's page is refused before the upgrade, our own page is not", async () => {
    const { token } = await person(instance)
    await expect(openSocket(host, token, { headers: { origin: 'https://elsewhere.example' } })).rejects.toBe(403)
    await expect(openSocket(host, token, { headers: { origin: 'null' } })).rejects.toBe(403)
    await openSocket(host, token, { headers: { origin: `http://${host}` } })
  })

  test('the cookie alone opens nothing', async () => {
    const { token } = await person(instance)
    await expect(openSocket(host, 'none', { headers: { cookie: `Access-Token=${token}` } })).rejects.toBe(401)
  })

  test('somebody who must change the password first is not let in', async () => {
    const somebody = await person(instance)
    await instance.app.db.query.updateTable('staff').set({ must_change: true }).where('id', '=', somebody.id).execute()
    await expect(openSocket(host, somebody.token)).rejects.toBe(403)
  })

  test('another address is no socket', async () => {
    const { token } = await person(instance)
    await expect(openSocket(host, `${token}/more`)).rejects.toBe(404)
  })

  test('tokens and tickets stand in no log line', async () => {
    const somebody = await person(instance)
    const { data } = await somebody.post<{ ticket: string }>('/iam/ticket')
    await openSocket(host, somebody.token)
    await openSocket(host, data.ticket)
    await openSocket(host, data.ticket).catch(() => {})
    const log = instance.logged.join('')
    expect(log).toContain('/ws/websocket/:uuid/:ticket')
    expect(log).not.toContain(somebody.token)
    expect(log).not.toContain(data.ticket)
  })
})

test('two hundred who come back at once all get in', async () => {
  const tokens: string[] = []
  for (let n = 0; n < 40; n += 1) tokens.push((await person(instance)).token)
  const open = instance.live.metrics.open
  const sockets = await Promise.all(tokens.flatMap(token => Array.from({ length: 5 }, () => openSocket(host, token))))
  expect(instance.live.metrics.open).toBe(open + 200)
  for (const { raw } of sockets) raw.terminate()
  await expect.poll(() => instance.live.metrics.open).toBe(open)
})

describe('limits', () => {
  test('five sockets a person, and a sixth is refused until one is closed', async () => {
    const { token } = await person(instance)
    const sockets = []
    for (let n = 0; n < 5; n += 1) sockets.push(await openSocket(host, token))
    await expect(openSocket(host, token)).rejects.toBe(429)
    sockets[0]?.raw.close()
    await sockets[0]?.closed
    await expect.poll(() => openSocket(host, token).then(() => 'let in', String)).toBe('let in')
  })

  test('a socket takes the place of the one with its uuid, and of nobody else', async () => {
    const uuid = randomUUID()
    const mine = await person(instance)
    const other = await person(instance)
    const first = await openSocket(host, mine.token, { uuid })
    const foreign = await openSocket(host, other.token, { uuid })
    await openSocket(host, mine.token, { uuid })
    expect(await first.closed).toBe(SOCKET_CLOSE.replaced)
    expect(foreign.raw.readyState).toBe(foreign.raw.OPEN)
  })

  test('a message of more than 4 KB closes the socket', async () => {
    const { token } = await person(instance)
    const socket = await openSocket(host, token)
    socket.raw.send('x'.repeat(4_097))
    expect(await socket.closed).toBe(1009)
  })

  test('more than 20 messages in 10 seconds close the socket', async () => {
    const { token } = await person(instance)
    const socket = await openSocket(host, token)
    for (let n = 0; n < 20; n += 1) socket.raw.send('not a message of ours')
    await socket.read()
    expect(socket.raw.readyState).toBe(socket.raw.OPEN)
    socket.raw.send('one more')
    expect(await socket.closed).toBe(SOCKET_CLOSE.flooded)
  })

  test('a reader more than 1 MB behind is cut off', async () => {
    const slow = await person(instance, { grants: { 'order-list': ['list'] } })
    const socket = await openSocket(host, slow.token)
    socket.raw.pause()
    const { dropped } = instance.live.metrics
    const content = 'x'.repeat(1_000_000)
    for (let n = 0; n < 40 && instance.live.metrics.dropped === dropped; n += 1) {
      await instance.app.signals.send(instance.app.db.query, 'push', {
        type: 2,
        key: '',
        content,
        page: 'order-list',
        ownerId: null,
        orgId: null,
      })
      await delay(30)
    }
    expect(instance.live.metrics.dropped).toBe(dropped + 1)
  })
})

describe('heartbeat', () => {
  const sweep = async (times: number) => {
    for (let n = 0; n < times; n += 1) await instance.live.sweep()
  }
  /** Until a heartbeat was read and its token looked up: ours is looked up after it. */
  const beaten = async (socket: TestSocket, token: string) => {
    await socket.read()
    await instance.app.sessions.find(token)
    await delay(50)
  }

  test('a socket without a heartbeat for 75 seconds is closed, one with is not', async () => {
    const { token } = await person(instance)
    const silent = await openSocket(host, token)
    const lively = await openSocket(host, token)
    await sweep(3)
    lively.heartbeat(token)
    await beaten(lively, token)
    await sweep(3)
    expect(await silent.closed).toBe(SOCKET_CLOSE.silent)
    expect(lively.raw.readyState).toBe(lively.raw.OPEN)
  })

  test("another session's token is no heartbeat", async () => {
    const { token } = await person(instance)
    const other = await person(instance)
    const socket = await openSocket(host, token)
    await sweep(5)
    socket.heartbeat(other.token)
    socket.raw.send('{"type":1}')
    socket.raw.send('{"type":2,"token":7}')
    await beaten(socket, other.token)
    await sweep(1)
    expect(await socket.closed).toBe(SOCKET_CLOSE.silent)
  })

  test('a token older than a day is exchanged by push type 3, to the sockets of its session alone', async () => {
    const somebody = await person(instance)
    const other = await instance.app.db.write(tx =>
      instance.app.sessions.open(tx, somebody.id, { address: '', device: '' }),
    )
    instance.clock.forward(DAY_MS + 1)
    const socket = await openSocket(host, somebody.token)
    const sibling = await openSocket(host, somebody.token)
    const foreign = await openSocket(host, other.token)
    socket.heartbeat(somebody.token)
    const { token, ...push } = await socket.next(({ type }) => type === 3)
    expect(push).toEqual({ type: 3, key: '', content: '{}' })
    expect(await sibling.next(({ type }) => type === 3)).toMatchObject({ token })
    expect(await sessionOf(String(token))).toBe(await sessionOf(somebody.token))
    instance.clock.forward(TOKEN_GRACE_MS + 1)
    expect(await instance.app.sessions.find(somebody.token)).toBeUndefined()
    expect(foreign.pushes).toEqual([])
    // A token written down for other instances to read could be read by others too.
    const signals = await instance.app.db.query.selectFrom('signal').select('payload').execute()
    expect(JSON.stringify(signals)).not.toContain(token)
    expect(instance.logged.join('')).not.toContain(String(token))
  })

  test('a socket opened by a ticket beats with the token of its session', async () => {
    const somebody = await person(instance)
    const { data } = await somebody.post<{ ticket: string }>('/iam/ticket')
    const socket = await openSocket(host, data.ticket)
    await sweep(5)
    socket.heartbeat(somebody.token)
    await beaten(socket, somebody.token)
    await sweep(1)
    expect(socket.raw.readyState).toBe(socket.raw.OPEN)
  })
})

describe('the end of a session', () => {
  test('closes its sockets within a second, and no other', async () => {
    const { token } = await person(instance)
    const stays = await openSocket(host, (await person(instance)).token)
    const socket = await openSocket(host, token)
    const began = performance.now()
    await endSession(token)
    expect(await socket.closed).toBe(SOCKET_CLOSE.ended)
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(stays.raw.readyState).toBe(stays.raw.OPEN)
  })

  test('by expiry closes its sockets at the next look', async () => {
    const { token } = await person(instance)
    const socket = await openSocket(host, token)
    instance.clock.forward(7 * DAY_MS)
    for (let n = 0; n < 4; n += 1) await instance.live.sweep()
    expect(await socket.closed).toBe(SOCKET_CLOSE.ended)
  })

  test('that happens while a socket is let in closes that socket', async () => {
    const { token } = await person(instance)
    const id = await sessionOf(token)
    const { sessions } = instance.app
    const find = sessions.find
    // The session is looked up, and ends before the socket is open.
    Object.assign(sessions, {
      find: async (slot: string) => {
        const found = await find(slot)
        await instance.app.db.write(tx => sessions.end(tx, [id], 'FORCED'))
        await delay(200)
        return found
      },
    })
    const socket = await openSocket(host, token).finally(() => Object.assign(sessions, { find }))
    expect(await socket.closed).toBe(SOCKET_CLOSE.ended)
  })

  test('somebody disabled is closed out', async () => {
    const somebody = await person(instance)
    const socket = await openSocket(host, somebody.token)
    await instance.app.db.write(async tx => {
      await tx.updateTable('staff').set({ status: 'DISABLED' }).where('id', '=', somebody.id).execute()
      await instance.app.signals.send(tx, 'access', { staffIds: [somebody.id] })
    })
    expect(await socket.closed).toBe(SOCKET_CLOSE.ended)
  })
})

test('a stopping instance sends its clients away to come back, and lets nobody in', async () => {
  const stopping = await openTestInstance({ url: instance.url, clock: instance.clock })
  const place = await listen(stopping)
  const { token } = await person(stopping)
  const socket = await openSocket(place, token)
  const stopped = stopping.live.close()
  expect(await socket.closed).toBe(SOCKET_CLOSE.restart)
  await expect(openSocket(place, token)).rejects.toBe(503)
  await stopped
  expect(stopping.live.metrics.open).toBe(0)
})
