/** The smallest films of each type that hold their structure. */

export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** A head with the times it was made and changed at, and 80 bytes of what follows. */
const timed = (type: string, time: Buffer) => box(type, Buffer.alloc(4), time, time, Buffer.alloc(80))

export type Mp4Parts = {
  readonly time?: Buffer
  readonly handlers?: readonly string[]
  /** Further boxes: at the top, in the movie, in each track. */
  readonly top?: readonly Buffer[]
  readonly movie?: readonly Buffer[]
  readonly track?: readonly Buffer[]
}

export function mp4({
  time = Buffer.alloc(4),
  handlers = ['vide', 'soun'],
  top = [],
  movie = [],
  track = [],
}: Mp4Parts = {}): Buffer {
  const tracks = handlers.map(handler =>
    box(
      'trak',
      timed('tkhd', time),
      box(
        'mdia',
        timed('mdhd', time),
        box('hdlr', Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13)),
        box('minf'),
      ),
      ...track,
    ),
  )
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isom')),
    ...top,
    box('moov', timed('mvhd', time), ...tracks, ...movie),
    box('mdat', Buffer.from('frames')),
  ])
}

/** An element of EBML by its name in hexadecimal digits; of unknown length as whoever films while writing leaves it. */
export function element(id: string, content: Buffer | readonly Buffer[], isOpen = false): Buffer {
  const body = Buffer.isBuffer(content) ? content : Buffer.concat([...content])
  const length = isOpen
    ? Buffer.from('01ffffffffffffff', 'hex')
    : Buffer.from([0x40 | (body.length >> 8), body.length & 0xff])
  return Buffer.concat([Buffer.from(id, 'hex'), length, body])
}

export type WebmParts = {
  readonly docType?: string
  readonly types?: readonly number[]
  readonly isOpen?: boolean
  readonly info?: readonly Buffer[]
  readonly segment?: readonly Buffer[]
}

export function webm({
  docType = 'webm',
  types = [1],
  isOpen = false,
  info = [],
  segment = [],
}: WebmParts = {}): Buffer {
  const tracks = types.map(type => element('ae', [element('d7', Buffer.from([1])), element('83', Buffer.from([type]))]))
  const cluster = element(
    '1f43b675',
    [element('e7', Buffer.from([0])), element('a3', Buffer.from([0x81, 0, 0, 0x80, 1, 2, 3]))],
    isOpen,
  )
  return Buffer.concat([
    element('1a45dfa3', [element('4282', Buffer.from(docType))]),
    element(
      '18538067',
      [
        element('1549a966', [element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40])), ...info]),
        element('1654ae6b', tracks),
        ...segment,
        cluster,
        cluster,
      ],
      isOpen,
    ),
  ])
}

/** A page of Ogg: how much was heard by its end, in 48 000ths of a second, and what it holds. */
const oggPage = (heard: number, content: Buffer, stream = 7): Buffer => {
  const head = Buffer.alloc(27)
  head.write('OggS', 'latin1')
  head.writeBigInt64LE(BigInt(heard), 6)
  head.writeUInt32LE(stream, 14)
  head.writeUInt8(1, 26)
  return Buffer.concat([head, Buffer.from([content.length]), content])
}

/** A recording of so many seconds. */
export const ogg = (seconds = 1): Buffer =>
  Buffer.concat([oggPage(0, Buffer.from('OpusHead')), oggPage(seconds * 48_000, Buffer.from('spoken'))])
