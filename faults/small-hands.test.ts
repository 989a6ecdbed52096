import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, cloneDatabase, openTestInstance, person } from '../tools/testing/instance.ts'
import { freePort } from '../tools/testing/port.ts'
import { bareEnv } from '../tools/testing/program.ts'
import { textCell, workbook } from '../tools/testing/zip.ts'

const MEGABYTE = 1_048_576
const READY_MS = 240_000

describe('many small hands', { timeout: 300_000 }, () => {
  let folder: string
  let server: ChildProcess
  let address: string
  const people: Caller[] = []

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    const keeper = await openTestInstance({ url })
    folder = await mkdtemp(join(tmpdir(), 'inkstone-hands-'))
    const grants = { 'order-sendGoods': ['list', 'import'] }
    for (let count = 0; count < 6; count += 1) people.push(await person(keeper, { grants }))
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    server = spawn(process.execPath, [join(import.meta.dirname, '../src/server.ts')], {
      env: {
        ...bareEnv(),
        DATABASE_URL: url,
        DATA_DIR: folder,
        PORT: String(port),
        SEED: 'none',
        LOG_LEVEL: 'silent',
      },
      stdio: 'ignore',
    })
    const until = Date.now() + READY_MS
    while (Date.now() < until && !(await fetch(`${address}/ready`).catch(() => undefined))?.ok) await sleep(100)
  }, 300_000)
  afterAll(async () => {
    const ended = once(server, 'close')
    server.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })

  const rss = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1_024

  /** Megabytes the server grew by at most while this was done. */
  async function growth(work: () => Promise<void>): Promise<number> {
    const before = rss()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, rss())
    }, 20)
    try {
      await work()
    } finally {
      clearInterval(watch)
    }
    return most - before
  }

  const send = async (by: Caller, path: string, bytes: Buffer, name: string) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), name)
    const begun = performance.now()
    const answer = await fetch(`${address}/api${path}`, {
      method: 'POST',
      headers: { authtoken: by.token },
      body: form,
    })
    return { ...(await answer.json()), ms: performance.now() - begun } as { code: number; msg: string; ms: number }
  }
  const parts = async () =>
    (await readdir(join(folder, 'files')).catch(() => [])).filter(name => name.endsWith('.part'))

  test('five small workbooks that unfold are refused, and cost neither memory nor minutes', async () => {
    const row = `<row>${textCell('x')}${textCell('y')}</row>`
    const bomb = workbook(row.repeat(2_000_000))
    const grown = await growth(async () => {
      const answers = await Promise.all(
        people.slice(0, 5).map(by => send(by, '/logistics/shipment/import', bomb, 'rows.xlsx')),
      )
      for (const answer of answers) {
        expect(answer.code).toBe(4005)
        expect(answer.ms).toBeLessThan(60_000)
      }
    })
    expect(grown).toBeLessThan(300)
    expect(await parts()).toEqual([])
  })

  test('thirty uploads of twenty megabytes at once go by the disk, and all are kept', async () => {
    const pdf = Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.alloc(19 * MEGABYTE, 'ink '),
      Buffer.from('\n%%EOF\n'),
    ])
    const grown = await growth(async () => {
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, turn) =>
          send(people[turn % people.length] as Caller, '/common/upload?purpose=document', pdf, 'a.pdf'),
        ),
      )
      expect(answers.filter(({ code }) => code !== 0)).toEqual([])
    })
    expect(grown).toBeLessThan(200)
    expect(await parts()).toEqual([])
  })
})
