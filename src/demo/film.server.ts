/**
 * A film of pictures one after the other: each is a WebP, whose bytes are a frame of VP8 as they stand. Every frame is whole, so
 * that a player can stop anywhere.
 */
export function filmOf(frames: readonly Buffer[], size: { width: number; height: number }, frameMs: number): Buffer {
  const head = element(0x1a45dfa3, [
    element(0x4286, 1),
    element(0x42f7, 1),
    element(0x42f2, 4),
    element(0x42f3, 8),
    element(0x4282, 'webm'),
    element(0x4287, 2),
    element(0x4285, 2),
  ])
  const info = element(0x1549a966, [
    element(0x2ad7b1, 1_000_000),
    element(0x4489, double(frames.length * frameMs)),
    element(0x4d80, 'inkstone'),
    element(0x5741, 'inkstone'),
  ])
  const video = element(0xe0, [element(0xb0, size.width), element(0xba, size.height)])
  const track = [element(0xd7, 1), element(0x73c5, 1), element(0x83, 1), element(0x86, 'V_VP8'), video]
  const tracks = element(0x1654ae6b, [element(0xae, track)])
  const clusters = frames.map((frame, nth) =>
    element(0x1f43b675, [element(0xe7, nth * frameMs), element(0xa3, [Buffer.from([0x81, 0, 0, 0x80]), vp8In(frame)])]),
  )
  const cues = element(0x1c53bb6b, cuePoints(clusters, frameMs, info.length + tracks.length))
  // The cues stand behind what they point at: none of them moves it.
  return Buffer.concat([head, element(0x18538067, [info, tracks, ...clusters, cues])])
}

/** Where each frame begins, so that whoever seeks need not read what lies before. */
function cuePoints(clusters: readonly Buffer[], frameMs: number, from: number): Buffer[] {
  let at = from
  return clusters.map((cluster, nth) => {
    const place = element(0xb7, [element(0xf7, 1), element(0xf1, at)])
    at += cluster.length
    return element(0xbb, [element(0xb3, nth * frameMs), place])
  })
}

/** The frame in a simple WebP: behind `RIFF….WEBPVP8 ` and its length. */
function vp8In(picture: Buffer): Buffer {
  if (picture.toString('latin1', 12, 16) !== 'VP8 ') throw new Error('not a simple picture of lossy WebP')
  return picture.subarray(20, 20 + picture.readUInt32LE(16))
}

function element(id: number, content: number | string | Buffer | readonly Buffer[]): Buffer {
  const bytes = bytesOf(content)
  const name = Buffer.from(id.toString(16), 'hex')
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE((1n << 56n) | BigInt(bytes.length))
  return Buffer.concat([name, length, bytes])
}

function bytesOf(content: number | string | Buffer | readonly Buffer[]): Buffer {
  if (typeof content === 'string') return Buffer.from(content, 'latin1')
  if (Buffer.isBuffer(content)) return content
  if (typeof content !== 'number') return Buffer.concat([...content])
  const whole = Buffer.alloc(4)
  whole.writeUInt32BE(content)
  return whole
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
