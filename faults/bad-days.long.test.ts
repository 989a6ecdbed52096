import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WAIT_MS } from '../src/kit/server/database/database.ts'
import { openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { listen } from '../tools/testing/live.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { rounds } from './rounds.ts'

const status = async (instance: TestInstance, url: string) => (await instance.http.inject({ url })).statusCode

describe('when every connection to the database is taken', () => {
  test('callers are told within seconds when to come back, and the process is healthy', {
    timeout: 60_000,
  }, async () => {
    const instance = await openTestInstance({ waitMs: WAIT_MS })
    const reader = await person(instance, { grants: { 'order-list': ['list'] } })
    const holder = new pg.Client({ connectionString: instance.url })
    await holder.connect()
    await holder.query('begin; lock table sales_order in access exclusive mode')
    const begun = performance.now()
    const calls = Array.from({ length: rounds(500) }, () => reader.get('/orders/order'))
    await sleep(500)
    expect(await status(instance, '/health')).toBe(200)
    const answers = await Promise.all(calls)
    expect(performance.now() - begun).toBeLessThan(30_000)
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, code: 5003 })
    for (const { headers } of answers) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    await holder.end()
    await expect.poll(async () => (await reader.get('/orders/order')).code, { timeout: 15_000 }).toBe(0)
  })
})

/** A disk of its own of a few megabytes, where this user may mount one. */
async function smallDisk(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'inkstone-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    await rm(folder, { recursive: true })
    return undefined
  }
}
const disk = await smallDisk()

describe.skipIf(disk === undefined)('when the disk is full', () => {
  const folder = disk as string
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance({ env: { DATA_DIR: folder } })
  })
  afterAll(async () => {
    await instance.close()
    execFileSync('umount', ['-l', folder])
    await rm(folder, { recursive: true })
  })

  test('uploads are refused as that, nothing half written stays, and all goes on once there is space again', async () => {
    const sender = await person(instance, { grants: { 'order-list': ['list'] } })
    const upload = async () => {
      const head = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
      const pdf = `%PDF-1.7\n${'ink '.repeat(1_000_000)}\n%%EOF\n`
      const answer = await instance.http.inject({
        method: 'POST',
        url: '/api/common/upload?purpose=document',
        headers: {
          authtoken: sender.token,
          'accept-language': 'en-US',
          'content-type': 'multipart/form-data; boundary=edge',
        },
        payload: `${head}${pdf}\r\n--edge--\r\n`,
      })
      return { status: answer.statusCode, retry: answer.headers['retry-after'], ...answer.json() }
    }
    const names = () => readdir(join(folder, 'files'))
    expect(await upload()).toMatchObject({ code: 0 })
    expect(await status(instance, '/ready')).toBe(200)
    await writeFile(join(folder, 'ballast'), Buffer.alloc(11 * 1_048_576))
    const before = await names()
    expect(await upload()).toMatchObject({
      status: 503,
      code: 5003,
      msg: 'Temporarily unavailable: The server is out of storage space. Please contact an administrator.',
      retry: '60',
    })
    expect(await names()).toEqual(before)
    expect(await sender.get('/orders/order')).toMatchObject({ code: 0 })
    await writeFile(join(folder, 'ballast'), Buffer.alloc(11.5 * 1_048_576))
    await expect.poll(() => status(instance, '/ready'), { timeout: 10_000 }).toBe(503)
    expect(await status(instance, '/health')).toBe(200)
    await rm(join(folder, 'ballast'))
    expect(await upload()).toMatchObject({ code: 0 })
    await expect.poll(() => status(instance, '/ready'), { timeout: 10_000 }).toBe(200)
  })
})

describe('callers who send slowly', () => {
  /** How long after its first bytes a socket that says no more is closed by the server. */
  async function cutAfter(host: string, said: string): Promise<number> {
    const [name = '', port] = host.split(':')
    const socket = connect(Number(port), name)
    await once(socket, 'connect')
    const begun = performance.now()
    socket.on('error', () => {})
    socket.resume()
    socket.write(said)
    const drip = setInterval(() => socket.writable && socket.write('x'), 2_000)
    await once(socket, 'close')
    clearInterval(drip)
    return performance.now() - begun
  }

  test('are cut off after ten seconds without a whole head, and others are served meanwhile', {
    timeout: 90_000,
  }, async () => {
    const instance = await openTestInstance()
    const host = await listen(instance)
    const slow = Array.from({ length: rounds(2_000) }, () =>
      cutAfter(host, 'GET /api/common/settings HTTP/1.1\r\nhost: x\r\nx-a: '),
    )
    await sleep(3_000)
    expect((await fetch(`http://${host}/api/common/settings`)).status).toBe(200)
    const times = await Promise.all(slow)
    expect(Math.min(...times)).toBeGreaterThan(8_000)
    expect(Math.max(...times)).toBeLessThan(25_000)
  })

  test.skipIf(!IS_LONG)('are cut off after thirty seconds without a whole body', { timeout: 120_000 }, async () => {
    const instance = await openTestInstance()
    const host = await listen(instance)
    const head =
      'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{'
    const took = await cutAfter(host, head)
    expect(took).toBeGreaterThan(25_000)
    expect(took).toBeLessThan(45_000)
  })
})
