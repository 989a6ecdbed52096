import { crc32 } from 'node:zlib'
import { formatInstant } from '#kit/model/time.ts'

export type ZipEntry = { readonly name: string; readonly content: Buffer }

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** Names are UTF-8. */
const FLAGS = 0x0800
const VERSION = 20

type Kept = { readonly name: Buffer; readonly crc: number; readonly length: number; readonly offset: number }

/**
 * A ZIP of files that are packed in themselves already, each stored as it is as soon as it is there: whole packs are never
 * held. Made for less than four gigabytes and 65 000 files.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, made: Date): AsyncGenerator<Buffer> {
  const time = dosTime(made)
  const kept: Kept[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const entry = { name: Buffer.from(name), crc: crc32(content), length: content.length, offset }
    kept.push(entry)
    const head = Buffer.concat([fieldsOf(LOCAL, [], entry, time, []), entry.name])
    yield head
    yield content
    offset += head.length + content.length
  }
  const directory = kept.map(entry => Buffer.concat([centralOf(entry, time), entry.name]))
  const length = directory.reduce((sum, { length: bytes }) => sum + bytes, 0)
  yield Buffer.concat([...directory, endOf(kept.length, length, offset)])
}

/** What both headers of a file share: signature, versions, flags, method, time, sum, sizes and the length of its name. */
function fieldsOf(
  signature: number,
  before: readonly number[],
  { crc, length, name }: Kept,
  time: number,
  after: readonly number[],
): Buffer {
  const shorts = [...before, VERSION, FLAGS, 0, time & 0xffff, time >>> 16]
  const bytes = Buffer.alloc(4 + 2 * shorts.length + 12 + 2 * (2 + after.length))
  let at = bytes.writeUInt32LE(signature, 0)
  for (const value of shorts) at = bytes.writeUInt16LE(value, at)
  for (const value of [crc, length, length]) at = bytes.writeUInt32LE(value, at)
  for (const value of [name.length, 0, ...after]) at = bytes.writeUInt16LE(value, at)
  return bytes
}

function centralOf(entry: Kept, time: number): Buffer {
  const place = Buffer.alloc(8)
  place.writeUInt32LE(entry.offset, 4)
  // No comment, first disk, no attributes.
  return Buffer.concat([fieldsOf(CENTRAL, [VERSION], entry, time, [0, 0, 0]), place])
}

function endOf(files: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(files, 8)
  end.writeUInt16LE(files, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

/** Two seconds to the unit, in the time of the school: the format knows no zones. */
function dosTime(made: Date): number {
  const [year, month, day, hour, minute, second] = (formatInstant(made).match(/\d+/g) ?? []).map(Number) as Clock
  const date = ((year - 1980) << 9) | (month << 5) | day
  return ((date << 16) | (hour << 11) | (minute << 5) | (second >> 1)) >>> 0
}
type Clock = [year: number, month: number, day: number, hour: number, minute: number, second: number]

/** Each name once: what comes again gets a number before its ending. */
export function distinct(): (name: string) => string {
  const seen = new Map<string, number>()
  return name => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    const dot = name.lastIndexOf('.')
    return times === 1 ? name : `${name.slice(0, dot)} (${times})${name.slice(dot)}`
  }
}
