import { crc32, deflateSync } from 'node:zlib'

/** The smallest files of each type that hold their structure; sizes may be claimed without being there. */

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff])

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

export function png(width = 2, height = 2): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(6))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data])

export const jpeg = (extra: readonly Buffer[] = [], width = 2, height = 2): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...extra,
    segment(0xdb, Buffer.alloc(65)),
    segment(0xc0, Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])])),
    segment(0xc4, Buffer.alloc(17)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 0x3f, 0])),
    // Picture data with an escaped 0xff and a restart mark in it.
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]),
  ])

export function gif(extra: readonly Buffer[] = [], width = 2, height = 2): Buffer {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  screen.writeUInt8(0x80, 4)
  const control = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0])
  const image = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 0x01, 0])
  return Buffer.concat([Buffer.from('GIF89a'), screen, Buffer.alloc(6), ...extra, control, image, Buffer.from([0x3b])])
}

export function webp(extra: readonly [type: string, data: Buffer][] = [], width = 2, height = 2): Buffer {
  const chunk = ([type, data]: readonly [string, Buffer]) => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
  }
  const canvas = Buffer.alloc(10)
  canvas.writeUInt8(extra.length > 0 ? 0x0c : 0)
  canvas.writeUIntLE(width - 1, 4, 3)
  canvas.writeUIntLE(height - 1, 7, 3)
  const body = Buffer.concat([
    chunk(['VP8X', canvas]),
    chunk(['VP8L', Buffer.from([0x2f, 1, 0x40, 0, 0])]),
    ...extra.map(chunk),
  ])
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

export const pdf = (): Buffer =>
  Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n', 'latin1')
