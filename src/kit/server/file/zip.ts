import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { formatInstant } from '#kit/model/time.ts'

/** A file that is packed in itself already is stored as it is; text that is written piece by piece is packed as it comes. */
export type ZipEntry = { readonly name: string; readonly content: Buffer | AsyncIterable<string> }

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const BEHIND = 0x08074b50
const END = 0x06054b50
/** Names are UTF-8. */
const FLAGS = 0x0800
/** Sum and lengths stand behind the content: while it is written nobody knows them. */
const IS_BEHIND = 0x0008
const STORED = 0
const DEFLATED = 8
/** A sheet packed at the usual level is a tenth smaller and takes twice as long. */
const LEVEL = 3
const VERSION = 20
const MOST_BYTES = 0xffffffff

type Kept = {
  readonly name: Buffer
  readonly flags: number
  readonly method: number
  readonly offset: number
  crc: number
  packed: number
  length: number
}

/**
 * A ZIP of files, each written as soon as it is there: whole packs are never held. Made for less than four gigabytes and
 * 65 000 files.
 */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  made: Date,
): AsyncGenerator<Buffer> {
  const time = dosTime(made)
  const kept: Kept[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const isWhole = Buffer.isBuffer(content)
    const entry: Kept = {
      name: Buffer.from(name),
      ...(isWhole ? { flags: FLAGS, method: STORED } : { flags: FLAGS | IS_BEHIND, method: DEFLATED }),
      ...(isWhole
        ? { crc: crc32(content), packed: content.length, length: content.length }
        : { crc: 0, packed: 0, length: 0 }),
      offset,
    }
    kept.push(entry)
    const head = Buffer.concat([fieldsOf(LOCAL, [], entry, time, []), entry.name])
    yield head
    offset += head.length
    if (isWhole) yield content
    else {
      for await (const part of deflated(content, entry)) yield part
      yield behindOf(entry)
      offset += BEHIND_BYTES
    }
    offset += entry.packed
    if (entry.length > MOST_BYTES || offset > MOST_BYTES) throw new Error(`${name} is too large for this kind of ZIP`)
  }
  const directory = kept.map(entry => Buffer.concat([centralOf(entry, time), entry.name]))
  const length = directory.reduce((sum, { length: bytes }) => sum + bytes, 0)
  yield Buffer.concat([...directory, endOf(kept.length, length, offset)])
}

/** Packed in a thread of its own while the next text is made; what it was and became is counted on its way. */
async function* deflated(texts: AsyncIterable<string>, entry: Kept): AsyncGenerator<Buffer> {
  async function* counted() {
    for await (const text of texts) {
      const bytes = Buffer.from(text)
      entry.crc = crc32(bytes, entry.crc)
      entry.length += bytes.length
      yield bytes
    }
  }
  for await (const part of Readable.from(counted()).compose(createDeflateRaw({ level: LEVEL, chunkSize: 65_536 }))) {
    entry.packed += part.length
    yield part
  }
}

const BEHIND_BYTES = 16
function behindOf({ crc, packed, length }: Kept): Buffer {
  const bytes = Buffer.alloc(BEHIND_BYTES)
  bytes.writeUInt32LE(BEHIND)
  for (const [at, value] of [crc, packed, length].entries()) bytes.writeUInt32LE(value % (MOST_BYTES + 1), 4 + 4 * at)
  return bytes
}

/** What both headers of a file share: signature, versions, flags, method, time, sum, sizes and the length of its name. */
function fieldsOf(
  signature: number,
  before: readonly number[],
  { crc, packed, length, name, flags, method }: Kept,
  time: number,
  after: readonly number[],
): Buffer {
  const shorts = [...before, VERSION, flags, method, time & 0xffff, time >>> 16]
  const bytes = Buffer.alloc(4 + 2 * shorts.length + 12 + 2 * (2 + after.length))
  let at = bytes.writeUInt32LE(signature, 0)
  for (const value of shorts) at = bytes.writeUInt16LE(value, at)
  for (const value of [crc, packed, length]) at = bytes.writeUInt32LE(value, at)
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
