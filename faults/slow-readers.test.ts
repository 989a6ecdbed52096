import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { listen } from '../tools/testing/live.ts'

const READERS = 20
const BYTES = 20 * 1_048_576
const STALLED_MS = 60_000
/** What the test waits for in place of a minute. */
const SHORT_MS = 2_000

describe('readers of a large file who stop taking it', () => {
  let instance: TestInstance
  let folder: string
  let port: number
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inkstone-readers-'))
    instance = await openTestInstance({ env: { DATA_DIR: folder } })
    await listen(instance)
    port = (instance.http.server.address() as AddressInfo).port
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const connections = () =>
    new Promise<number>((resolve, reject) =>
      instance.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )

  test('cost no memory, keep nobody waiting, and are cut off after a minute', async () => {
    expect(instance.http.server.timeout).toBe(STALLED_MS)
    instance.http.server.setTimeout(SHORT_MS)
    const owner = await person(instance, { superAdmin: true })
    const { app } = instance
    const written = await app.files.write(randomBytes(BYTES), { name: 'a.pdf', type: 'application/pdf' })
    await app.files.keep(app.db.query, written, { purpose: 'proof', ownerId: owner.id, now: app.clock.now() })
    const path = await app.files.link(written.id, app.clock.now())

    const before = process.memoryUsage.rss()
    const stalled = await Promise.all(Array.from({ length: READERS }, () => ask(port, path)))
    for (const socket of stalled) socket.pause()

    expect(await owner.get('/orders/order')).toMatchObject({ code: 0 })
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1_048_576)
    await expect.poll(connections).toBe(0)
  })
})

/** Asks for a file over a connection of its own, and takes the first of it. */
async function ask(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await once(socket, 'data')
  return socket
}
