import { crc32, deflateSync } from 'node:zlib'

/** What the bytes of a picture mean: places in a palette, or red, green and blue. */
export type Dots = { readonly width: number; readonly bytes: Uint8Array; readonly palette?: readonly number[] }

/** PNG (ISO/IEC 15948), each line unfiltered. */
export function asPng({ width, bytes, palette }: Dots): Buffer {
  const line = width * (palette ? 1 : 3)
  const height = bytes.length / line
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, palette ? 3 : 2, 0, 0, 0], 8)
  const lines = Buffer.alloc(height * (line + 1))
  for (let y = 0; y < height; y += 1) lines.set(bytes.subarray(y * line, (y + 1) * line), y * (line + 1) + 1)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    ...(palette ? [chunk('PLTE', Buffer.from(palette.flatMap(partsOf)))] : []),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const partsOf = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
