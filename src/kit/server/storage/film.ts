import type { UploadType } from '#kit/model/upload.ts'

/** What is seen or heard, and of what is only heard how long. What is neither is blanked where it stands, so that nothing moves. */
export type Film = { readonly type: UploadType; readonly seconds?: number }
type Cleaner = (bytes: Buffer) => Film | undefined

/**
 * Reads the structure down to the tracks; nothing holds where it points behind the end, and bytes after the end make a second
 * file of it. A track that is neither seen nor heard (places and movements of a phone) makes it something else than a film.
 */
export const cleanFilm = {
  'video/mp4': guarded(cleanMp4),
  'video/webm': guarded(cleanWebm),
  'audio/ogg': guarded(cleanOgg),
} as const

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

type Piece = { readonly type: string; readonly at: number; readonly content: number; readonly end: number }

function* boxesIn(bytes: Buffer, from: number, end: number): Generator<Piece> {
  for (let at = from; at < end; ) {
    const told = bytes.readUInt32BE(at)
    const isLong = told === 1
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : told === 0 ? end - at : told
    const content = at + (isLong ? 16 : 8)
    if (at + size < content || at + size > end) throw new RangeError('a box without its end')
    yield { type: bytes.toString('latin1', at + 4, at + 8), at, content, end: at + size }
    at += size
  }
}

// Places, times and notes of the shot stand in everything else: udta, meta, uuid.
const [TOP, MOVIE, TRACK] = [
  ['ftyp', 'styp', 'moov', 'moof', 'mdat', 'mfra', 'sidx'],
  ['mvhd', 'trak', 'mvex'],
  ['tkhd', 'mdia', 'edts', 'tref'],
].map(kept => new Set(kept)) as [Set<string>, Set<string>, Set<string>]
const SEEN_OR_HEARD = new Set(['vide', 'soun'])

function cleanMp4(bytes: Buffer): Film | undefined {
  const handlers: string[] = []
  for (const box of boxesIn(bytes, 0, bytes.length)) {
    if (box.type !== 'moov') keepOrBlank(bytes, box, TOP)
    else for (const part of boxesIn(bytes, box.content, box.end)) handlers.push(...cleanMovie(bytes, part))
  }
  const isFilm = handlers.includes('vide') && handlers.every(handler => SEEN_OR_HEARD.has(handler))
  return isFilm ? { type: 'video/mp4' } : undefined
}

/** What the tracks in this part of a movie are for. */
function cleanMovie(bytes: Buffer, box: Piece): string[] {
  keepOrBlank(bytes, box, MOVIE)
  if (box.type === 'mvhd') forgetTimes(bytes, box)
  if (box.type !== 'trak') return []
  const handlers: string[] = []
  for (const part of boxesIn(bytes, box.content, box.end)) {
    keepOrBlank(bytes, part, TRACK)
    if (part.type === 'tkhd') forgetTimes(bytes, part)
    if (part.type !== 'mdia') continue
    for (const media of boxesIn(bytes, part.content, part.end)) {
      if (media.type === 'mdhd') forgetTimes(bytes, media)
      if (media.type === 'hdlr') handlers.push(bytes.toString('latin1', media.content + 8, media.content + 12))
    }
  }
  return handlers
}

function keepOrBlank(bytes: Buffer, { type, at, content, end }: Piece, kept: ReadonlySet<string>): void {
  if (kept.has(type)) return
  bytes.write('free', at + 4, 'latin1')
  bytes.fill(0, content, end)
}

/** When it was made, and changed: twice four bytes, or eight in the second version. */
function forgetTimes(bytes: Buffer, { content, end }: Piece): void {
  const from = content + 4
  bytes.fill(0, from, Math.min(end, from + (bytes.readUInt8(content) === 1 ? 16 : 8)))
}

const EBML = {
  head: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  cluster: 0x1f43b675,
  time: 0xe7,
  block: 0xa3,
  scale: 0x2ad7b1,
} as const
// How to find one's way (SeekHead, Cues) and what is seen and heard: a cluster's times and blocks stand beside it here.
const SEGMENT = new Set<number>([
  EBML.info,
  EBML.tracks,
  EBML.cluster,
  0x114d9b74,
  0x1c53bb6b,
  0xe7,
  0xa3,
  0xa0,
  0xab,
  0xa7,
])
/** Scale, length, and the programs that wrote it; not its day, its title, or the name of its file. */
const INFO = new Set<number>([EBML.scale, 0x4489, 0x4d80, 0x5741])
const PICTURE_OR_SOUND = new Set([1, 2])

type Element = { readonly id: number; readonly at: number; readonly content: number; readonly end: number }

/** Numbers of their own length: as many zeros before the first one as bytes follow. */
function lengthOf(first: number): number {
  const length = Math.clz32(first) - 23
  if (length > 8) throw new RangeError('a number without a length')
  return length
}

function elementAt(bytes: Buffer, at: number, limit: number): Element {
  const idLength = lengthOf(bytes.readUInt8(at))
  if (idLength > 4) throw new RangeError('a name no element has')
  const id = bytes.readUIntBE(at, idLength)
  const place = at + idLength
  const length = lengthOf(bytes.readUInt8(place))
  const told = bytes
    .subarray(place, place + length)
    .reduce((sum, byte, nth) => sum * 256 + (nth === 0 ? byte & (0xff >> length) : byte), 0)
  const content = place + length
  // Whoever writes while it is being filmed does not know the length yet.
  const isOpen = told === 2 ** (7 * length) - 1
  const end = isOpen ? limit : content + told
  if (content > limit || end > limit) throw new RangeError('an element without its end')
  return { id, at, content, end }
}

function* elementsIn(bytes: Buffer, from: number, end: number): Generator<Element> {
  for (let at = from; at < end; ) {
    const element = elementAt(bytes, at, end)
    yield element
    at = element.end
  }
}

function cleanWebm(bytes: Buffer): Film | undefined {
  const head = elementAt(bytes, 0, bytes.length)
  const docType = [...elementsIn(bytes, head.content, head.end)].find(({ id }) => id === EBML.docType)
  if (!docType || bytes.toString('latin1', docType.content, docType.end).replace(/\0+$/, '') !== 'webm')
    return undefined
  const segment = elementAt(bytes, head.end, bytes.length)
  if (segment.id !== EBML.segment || segment.end !== bytes.length) return undefined
  const types: number[] = []
  const clock = { scale: 1_000_000, cluster: 0, last: 0 }
  for (let at = segment.content; at < segment.end; ) {
    const element = elementAt(bytes, at, segment.end)
    if (!SEGMENT.has(element.id)) voidElement(bytes, element)
    if (element.id === EBML.info)
      for (const fact of elementsIn(bytes, element.content, element.end))
        if (!INFO.has(fact.id)) voidElement(bytes, fact)
    tick(bytes, element, clock)
    if (element.id === EBML.tracks) types.push(...trackTypes(bytes, element))
    at = element.id === EBML.cluster ? element.content : element.end
  }
  if (types.length === 0 || !types.every(type => PICTURE_OR_SOUND.has(type))) return undefined
  return types.includes(1) ? { type: 'video/webm' } : { type: 'audio/webm', seconds: (clock.last * clock.scale) / 1e9 }
}

type BlockClock = { scale: number; cluster: number; last: number }

/** How far it has come: blocks count from the time of their cluster, and no whole length stands in what is written as it is heard. */
function tick(bytes: Buffer, { id, content, end }: Element, clock: BlockClock): void {
  if (id === EBML.info)
    for (const fact of elementsIn(bytes, content, end))
      if (fact.id === EBML.scale) clock.scale = bytes.readUIntBE(fact.content, fact.end - fact.content)
  if (id === EBML.time) clock.cluster = bytes.readUIntBE(content, end - content)
  if (id !== EBML.block) return
  const after = content + lengthOf(bytes.readUInt8(content))
  clock.last = Math.max(clock.last, clock.cluster + bytes.readInt16BE(after))
}

function trackTypes(bytes: Buffer, { content, end }: Element): number[] {
  return [...elementsIn(bytes, content, end)]
    .filter(({ id }) => id === EBML.track)
    .flatMap(track => [...elementsIn(bytes, track.content, track.end)])
    .filter(({ id }) => id === EBML.trackType)
    .map(({ content: at }) => bytes.readUInt8(at))
}

const VOID = 0xec

/** The same number of bytes that say nothing. */
function voidElement(bytes: Buffer, { at, end }: Element): void {
  const size = end - at
  bytes.fill(0, at, end)
  bytes.writeUInt8(VOID, at)
  if (size < 9) bytes.writeUInt8(0x80 | (size - 2), at + 1)
  else bytes.writeBigUInt64BE((1n << 56n) | BigInt(size - 9), at + 1)
}

const OPUS_HERTZ = 48_000

/** Pages of one stream of Opus, to the last byte; each says how much was heard by its end. */
function cleanOgg(bytes: Buffer): Film | undefined {
  const stream = bytes.readUInt32LE(14)
  let heard = 0
  for (let at = 0; at < bytes.length; ) {
    if (bytes.toString('latin1', at, at + 4) !== 'OggS' || bytes.readUInt32LE(at + 14) !== stream) return undefined
    const body = at + 27 + bytes.readUInt8(at + 26)
    if (body > bytes.length) return undefined
    if (at === 0 && bytes.toString('latin1', body, body + 8) !== 'OpusHead') return undefined
    heard = Math.max(heard, Number(bytes.readBigInt64LE(at + 6)))
    at = bytes.subarray(at + 27, body).reduce((sum, length) => sum + length, body)
    if (at > bytes.length) return undefined
  }
  return { type: 'audio/ogg', seconds: heard / OPUS_HERTZ }
}
