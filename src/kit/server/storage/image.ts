import { crc32 } from 'node:zlib'

/** A picture without anything that is not picture: place and time of the shot, notes, and what hides behind its end. */
type CleanImage = { readonly bytes: Buffer; readonly width: number; readonly height: number }

/** Reads the whole structure; gives nothing when it does not hold. Bytes after the end mark make a second file of it. */
export const cleanImage = {
  'image/png': guarded(cleanPng),
  'image/jpeg': guarded(cleanJpeg),
  'image/gif': guarded(cleanGif),
  'image/webp': guarded(cleanWebp),
} as const

type Cleaner = (bytes: Buffer) => CleanImage | undefined

/** A structure that points behind the end of the file is a broken one, not a bug. */
function guarded(clean: Cleaner): Cleaner {
  return bytes => {
    try {
      return clean(bytes)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }
}

const PNG_START = 8
// Colour and animation; text, time and EXIF are left out.
const PNG_KEPT = new Set(['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'pHYs', 'bKGD', 'acTL', 'fcTL', 'fdAT'])

function cleanPng(bytes: Buffer): CleanImage | undefined {
  const kept = [bytes.subarray(0, PNG_START)]
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  for (let at = PNG_START; at < bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return undefined
    const critical = type.charAt(0) < 'a'
    if (critical || PNG_KEPT.has(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') {
      if (end !== bytes.length) return undefined
      return { bytes: Buffer.concat(kept), width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    }
    at = end
  }
  return undefined
}

const [JPEG_EOI, JPEG_SOS] = [0xd9, 0xda]
const NOT_A_FRAME = new Set([0xc4, 0xc8, 0xcc])

/**
 * Keeps what decoding needs and drops every other segment, EXIF (APP1) among them. Phones add a second picture behind
 * the end mark (gain maps), so the rest is cut off and not refused.
 */
function cleanJpeg(bytes: Buffer): CleanImage | undefined {
  const kept = [bytes.subarray(0, 2)]
  let [width, height] = [0, 0]
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === JPEG_EOI) {
      if (width === 0 || height === 0) return undefined
      return { bytes: Buffer.concat([...kept, bytes.subarray(at, at + 2)]), width, height }
    }
    const end = marker === JPEG_SOS ? endOfScan(bytes, at) : at + 2 + bytes.readUInt16BE(at + 2)
    const frame = marker >= 0xc0 && marker <= 0xcf && !NOT_A_FRAME.has(marker)
    if (frame) [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
    if (keepsSegment(bytes, marker, at + 4)) kept.push(bytes.subarray(at, end))
    at = end
  }
}

const JPEG_HEADS: Readonly<Record<number, string>> = { 224: 'JFIF\0', 226: 'ICC_PROFILE\0', 238: 'Adobe' }

function keepsSegment(bytes: Buffer, marker: number, at: number): boolean {
  if (marker === 0xfe) return false
  if (marker < 0xe0 || marker > 0xef) return true
  const head = JPEG_HEADS[marker]
  return head !== undefined && bytes.toString('latin1', at, at + head.length) === head
}

/** Picture data ends at the first mark that is neither an escaped 0xff nor a restart. */
function endOfScan(bytes: Buffer, at: number): number {
  for (let next = at + 2 + bytes.readUInt16BE(at + 2); ; next += 2) {
    next = bytes.indexOf(0xff, next)
    if (next === -1) throw new RangeError('a scan without an end')
    const after = bytes.readUInt8(next + 1)
    if (after !== 0 && (after < 0xd0 || after > 0xd7)) return next
  }
}

const [GIF_EXTENSION, GIF_IMAGE, GIF_END] = [0x21, 0x2c, 0x3b]
const [GIF_CONTROL, GIF_APPLICATION] = [0xf9, 0xff]

function cleanGif(bytes: Buffer): CleanImage | undefined {
  const tableEnd = (at: number, flags: number) => at + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  let at = tableEnd(13, bytes.readUInt8(10))
  const kept = [bytes.subarray(0, at)]
  for (;;) {
    const kind = bytes.readUInt8(at)
    if (kind === GIF_END) {
      if (at + 1 !== bytes.length) return undefined
      kept.push(bytes.subarray(at))
      return { bytes: Buffer.concat(kept), width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    }
    if (kind !== GIF_EXTENSION && kind !== GIF_IMAGE) return undefined
    const start = kind === GIF_EXTENSION ? at + 2 : tableEnd(at + 10, bytes.readUInt8(at + 9)) + 1
    const end = endOfBlocks(bytes, start)
    const label = kind === GIF_EXTENSION ? bytes.readUInt8(at + 1) : 0
    const looping = label === GIF_APPLICATION && bytes.toString('latin1', at + 3, at + 14) === 'NETSCAPE2.0'
    if (kind === GIF_IMAGE || label === GIF_CONTROL || looping) kept.push(bytes.subarray(at, end))
    at = end
  }
}

function endOfBlocks(bytes: Buffer, at: number): number {
  let next = at
  for (let size = bytes.readUInt8(next); size !== 0; size = bytes.readUInt8(next)) next += size + 1
  return next + 1
}

const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

function cleanWebp(bytes: Buffer): CleanImage | undefined {
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined
  const kept = [Buffer.from(bytes.subarray(0, 12))]
  let size: [width: number, height: number] | undefined
  for (let at = 12; at < bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length + (length & 1)
    if (end > bytes.length) return undefined
    const chunk = Buffer.from(bytes.subarray(at, end))
    // The head names what follows: EXIF and XMP no longer do.
    if (type === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~0x0c, 8)
    if (WEBP_KEPT.has(type)) kept.push(chunk)
    size ??= webpSize(type, chunk.subarray(8))
    at = end
  }
  if (!size) return undefined
  const clean = Buffer.concat(kept)
  clean.writeUInt32LE(clean.length - 8, 4)
  return { bytes: clean, width: size[0], height: size[1] }
}

function webpSize(type: string, body: Buffer): [number, number] | undefined {
  if (type === 'VP8X') return [body.readUIntLE(4, 3) + 1, body.readUIntLE(7, 3) + 1]
  if (type === 'VP8 ') return [body.readUInt16LE(6) & 0x3fff, body.readUInt16LE(8) & 0x3fff]
  if (type !== 'VP8L') return undefined
  const bits = body.readUInt32LE(1)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}
