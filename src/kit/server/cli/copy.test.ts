import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { copyOut } from './copy.ts'

const WIDTH = 1_000
let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('templateUrl') })
  await client.connect()
})
afterAll(() => client.end())

const lines = (rows: number) =>
  copyOut(client, `copy (select repeat('x', ${WIDTH - 1}) from generate_series(1, ${rows})) to stdout`)

describe('copying a table out', () => {
  // Around what streams and sockets hold: 16, 64 and 256 KB, 1 MB, and far beyond.
  test.each([0, 1, 15, 16, 17, 63, 64, 65, 66, 127, 128, 129, 255, 256, 257, 1_000, 1_048, 1_049, 1_100, 20_000])(
    'of %i rows of a kilobyte everything comes and the end too, however slowly they are taken',
    async rows => {
      let bytes = 0
      for await (const chunk of lines(rows)) {
        bytes += chunk.length
        await sleep(1)
      }
      expect(bytes).toBe(rows * WIDTH)
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    },
  )

  test('a slow reader makes the database wait, and does not fill the memory', async () => {
    let most = 0
    let chunks = 0
    for await (const chunk of lines(60_000)) {
      most = Math.max(most, chunk.length)
      chunks += 1
      if (chunks < 10) await sleep(50)
    }
    expect(most).toBeLessThan(2 * 1_048_576)
  })

  test('a reader that stops early leaves a connection that works', async () => {
    for await (const _chunk of lines(20_000)) break
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('what the database refuses is told to the reader', async () => {
    await expect(async () => {
      for await (const _chunk of copyOut(client, 'copy (select 1 / 0) to stdout'));
    }).rejects.toThrow(/division by zero/)
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})
