import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { Refused } from '#kit/model/refusal.ts'
import { textCell, workbook } from '../../../../tools/testing/zip.ts'
import { formatOf, readRows } from './reading.ts'

/** What reading a file says: its number of rows, or why it is refused. */
async function outcome(bytes: Buffer, readingMs?: number): Promise<number | string> {
  let count = 0
  try {
    for await (const rows of readRows(bytes, formatOf(bytes), 200_000, readingMs)) count += rows.length
    return count
  } catch (error) {
    if (error instanceof Refused) return error.refusal.code.replace('kit/server/import:', '')
    throw error
  }
}
const row = (...cells: string[]) => `<row>${cells.map(textCell).join('')}</row>`
const MOST_UNFOLDED = 200 * 1_048_576
const even = (count: number) =>
  Array.from({ length: count }, (_, at) => row(`C-${at * 7_919}`, `${Math.sin(at)}`)).join('')

describe('a workbook that is made to hurt', () => {
  test('an honest one is read', async () => {
    expect(await outcome(workbook(even(20_000)))).toBe(20_000)
  })

  test('a small one that unfolds to hundreds of megabytes is refused before it is unfolded', async () => {
    const bomb = workbook(row('x', 'y').repeat(10_000), '', 300)
    expect(bomb.length).toBeLessThan(1_000_000)
    const begun = performance.now()
    expect(await outcome(bomb)).toBe('file-too-large')
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  test('one that unfolds to hundreds of megabytes is refused too where it is packed no better than honest ones', async () => {
    const bomb = workbook(row('x', 'y').repeat(10_000) + even(1_000), '', 250)
    expect(bomb.length).toBeGreaterThan(MOST_UNFOLDED / 100)
    expect(await outcome(bomb)).toBe('file-too-large')
  })

  test('one that unfolds more than a hundredfold is refused long before that, unless it is small even then', async () => {
    const folded = (times: number) => workbook(row('x', 'y').repeat(10_000), '', times)
    expect(await outcome(folded(15))).toBe('file-too-large')
    expect(await outcome(folded(2))).toBe(20_000)
  })

  test('one with an empty cell in the last column of every row is refused', async () => {
    expect(await outcome(workbook(row('a', 'b') + '<row><c r="XFD2"/></row>'.repeat(50_000)))).toBe('file-too-wide')
  })

  test('one with more in a cell than a spreadsheet holds is refused', async () => {
    expect(await outcome(workbook(row('a') + row('x'.repeat(32_768))))).toBe('cell-too-long')
    expect(await outcome(workbook(row('a') + row('x'.repeat(32_767))))).toBe(2)
  })

  test('one with a document type is refused', async () => {
    const prolog = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    expect(await outcome(workbook(row('a') + row('&b;'), prolog))).toBe('file-unreadable')
    expect(await outcome(workbook(row('a') + row('b'), '<?xml version="1.0"?>'))).toBe(2)
  })

  test('one that takes long is given up at its deadline', async () => {
    const begun = performance.now()
    expect(await outcome(workbook(even(60_000)), 50)).toBe('file-too-slow')
    expect(performance.now() - begun).toBeLessThan(15_000)
  })
})

describe('the thread that reads', () => {
  const honest = workbook(row('a', 'b') + row('1', '2'))
  /** Threads are numbered as they start: one of our own tells how many have started before it. */
  async function started(): Promise<number> {
    const probe = new Worker('', { eval: true })
    const { threadId } = probe
    await probe.terminate()
    return threadId
  }

  test('reads file after file, those it refuses among them', async () => {
    await outcome(honest)
    const before = await started()
    const tooWide = workbook(`${row('a', 'b')}<row><c r="XFD2"/></row>`)
    const seen = [await outcome(honest), await outcome(tooWide), await outcome(Buffer.from('a,b\r\n1,2\r\n'))]
    expect({ seen, started: (await started()) - before }).toEqual({ seen: [2, 'file-too-wide', 2], started: 1 })
  })

  test('is not used again after a file it was stopped at', async () => {
    expect(await outcome(workbook(even(60_000)), 50)).toBe('file-too-slow')
    const before = await started()
    expect(await outcome(honest)).toBe(2)
    expect((await started()) - before).toBe(2)
  })
})
