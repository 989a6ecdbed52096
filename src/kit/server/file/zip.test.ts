import { describe, expect, test } from 'vitest'
import { unzip } from '../../../../tools/ledger.ts'
import { distinct, type ZipEntry, zipOf } from './zip.ts'

const packed = async (entries: readonly ZipEntry[]): Promise<Buffer> => {
  async function* each() {
    yield* entries
  }
  const parts: Buffer[] = []
  for await (const part of zipOf(each(), new Date('2026-11-17T22:10:00Z'))) parts.push(part)
  return Buffer.concat(parts)
}

describe('a pack of papers', () => {
  test('holds each file as it was, under its name, also a Chinese one', async () => {
    const pack = await packed([
      { name: '林小满.pdf', content: Buffer.from('first') },
      { name: 'b.pdf', content: Buffer.from('second') },
    ])
    expect(unzip(pack)).toEqual(['first', 'second'])
    expect(pack.includes(Buffer.from('林小满.pdf'))).toBe(true)
  })

  test('ends with how many files there are and where each lies, as programs look for them', async () => {
    const content = Buffer.from('paper')
    const pack = await packed([1, 2, 3].map(nth => ({ name: `${nth}.pdf`, content })))
    const end = pack.subarray(-22)
    expect(end.readUInt32LE(0)).toBe(0x06054b50)
    expect(end.readUInt16LE(10)).toBe(3)
    let at = end.readUInt32LE(16)
    for (const nth of [1, 2, 3]) {
      expect(pack.readUInt32LE(at)).toBe(0x02014b50)
      const local = pack.readUInt32LE(at + 42)
      expect(pack.readUInt32LE(local)).toBe(0x04034b50)
      expect(pack.subarray(local + 30, local + 35).toString()).toBe(`${nth}.pdf`)
      expect(pack.subarray(local + 35, local + 40)).toEqual(content)
      at += 46 + pack.readUInt16LE(at + 28)
    }
    // 18 November 2026, 06:10 where the school is.
    const first = end.readUInt32LE(16)
    expect([pack.readUInt16LE(first + 14) & 31, pack.readUInt16LE(first + 12) >> 11]).toEqual([18, 6])
  })

  test('that is empty is still a pack', async () => {
    expect(await packed([])).toHaveLength(22)
  })

  test('gives a name that comes again a number', () => {
    const named = distinct()
    expect(['李.pdf', '李.pdf', '王.pdf', '李.pdf'].map(named)).toEqual([
      '李.pdf',
      '李 (2).pdf',
      '王.pdf',
      '李 (3).pdf',
    ])
  })
})
