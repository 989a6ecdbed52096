import { constants, inflateRawSync } from 'node:zlib'
import { isImage, MAX_PIXELS, UPLOAD_TYPES, type UploadType } from '#kit/model/upload.ts'
import { cleanFilm } from './film.ts'
import { cleanImage } from './image.ts'

/** What a file is; of what is heard, how long it is. */
export type Content = { readonly type: UploadType; readonly bytes: Buffer; readonly seconds?: number }

const STARTS: readonly [UploadType, (bytes: Buffer) => boolean][] = [
  ['image/png', bytes => startsWith(bytes, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', bytes => startsWith(bytes, '\xff\xd8\xff')],
  ['image/gif', bytes => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')],
  ['image/webp', bytes => startsWith(bytes, 'RIFF') && bytes.toString('latin1', 8, 12) === 'WEBP'],
  ['application/pdf', bytes => startsWith(bytes, '%PDF-')],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', bytes => startsWith(bytes, 'PK\x03\x04')],
  ['video/mp4', bytes => bytes.toString('latin1', 4, 8) === 'ftyp'],
  ['video/webm', bytes => startsWith(bytes, '\x1a\x45\xdf\xa3')],
  ['audio/ogg', bytes => startsWith(bytes, 'OggS')],
]

/**
 * Tells a file's type by its content alone; name and claimed type are the sender's word. Gives nothing for an unknown
 * type, for one whose structure does not hold, and for a file that is two things at once.
 */
export function readContent(bytes: Buffer): Content | 'too-many-pixels' | undefined {
  const type = STARTS.find(([, starts]) => starts(bytes))?.[0]
  if (type === undefined) return undefined
  if (isImage(type)) {
    const image = cleanImage[type as keyof typeof cleanImage](bytes)
    if (!image) return undefined
    return image.width * image.height > MAX_PIXELS ? 'too-many-pixels' : { type, bytes: image.bytes }
  }
  if (type === 'video/mp4' || type === 'video/webm' || type === 'audio/ogg') {
    const film = cleanFilm[type](bytes)
    return film && { ...film, bytes }
  }
  const whole = type === 'application/pdf' ? isPdf(bytes) : isWorkbook(bytes)
  return whole ? { type, bytes } : undefined
}

const startsWith = (bytes: Buffer, start: string): boolean => bytes.toString('latin1', 0, start.length) === start

/** A PDF that also ends as a ZIP opens as whichever the reader prefers. */
const isPdf = (bytes: Buffer): boolean =>
  bytes.lastIndexOf('%%EOF') >= Math.max(0, bytes.length - 1_024) && endOfDirectory(bytes) === undefined

const DIRECTORY_END = 22
const MAX_COMMENT = 65_535
const MAX_ENTRIES = 2_000

/** Where the ZIP's last record begins, if that record reaches exactly to the end of the file. */
function endOfDirectory(bytes: Buffer): number | undefined {
  const mark = Buffer.from('PK\x05\x06', 'latin1')
  const first = Math.max(0, bytes.length - DIRECTORY_END - MAX_COMMENT)
  for (let at = bytes.lastIndexOf(mark); at >= first; at = at === 0 ? -1 : bytes.lastIndexOf(mark, at - 1)) {
    if (at + DIRECTORY_END <= bytes.length && at + DIRECTORY_END + bytes.readUInt16LE(at + 20) === bytes.length)
      return at
  }
  return undefined
}

type Entry = { readonly name: string; readonly packed: number; readonly unpacked: number; readonly at: number }

/** What the ZIP's directory lists, if it is whole. Nothing is unpacked here. */
function entriesOf(bytes: Buffer): Entry[] | undefined {
  const end = endOfDirectory(bytes)
  if (end === undefined) return undefined
  const count = bytes.readUInt16LE(end + 10)
  const start = bytes.readUInt32LE(end + 16)
  if (count > MAX_ENTRIES || start + bytes.readUInt32LE(end + 12) !== end) return undefined
  const entries: Entry[] = []
  let at = start
  for (let entry = 0; entry < count; entry += 1) {
    if (at + 46 > end || bytes.toString('latin1', at, at + 4) !== 'PK\x01\x02') return undefined
    const name = bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28))
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)]
    entries.push({ name, packed, unpacked, at: bytes.readUInt32LE(at + 42) })
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return at === end ? entries : undefined
}

/** A ZIP whose directory names the parts of a workbook, and no macros. */
function isWorkbook(bytes: Buffer): boolean {
  const names = new Set(entriesOf(bytes)?.map(({ name }) => name))
  if ([...names].some(name => /vbaProject|(^|\/)\.\.(\/|$)/.test(name))) return false
  return names.has('[Content_Types].xml') && names.has('xl/workbook.xml')
}

/** What a ZIP says it unpacks to; its reader holds it to that. An entry that says nothing has no bound. */
export const unpackedBytes = (bytes: Buffer): number =>
  (entriesOf(bytes) ?? []).reduce(
    (sum, { packed, unpacked }) => sum + (unpacked === 0 && packed > 2 ? Number.POSITIVE_INFINITY : unpacked),
    0,
  )

/** A document type comes before everything else in a part; its beginning is enough to see one. */
const SEEN_BYTES = 4_096

/** Parts that declare a document type: spreadsheets write none, and readers differ in what they do with it. */
export const declaresDoctype = (bytes: Buffer): boolean =>
  (entriesOf(bytes) ?? []).some(({ name, at, packed }) => {
    if (!/\.(xml|rels|vml)$/i.test(name) || at + 30 > bytes.length) return false
    const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    const start = bytes.subarray(from, from + Math.min(packed, SEEN_BYTES))
    const isPacked = bytes.readUInt16LE(at + 8) === 8
    try {
      const text = isPacked ? inflateRawSync(start, { finishFlush: constants.Z_SYNC_FLUSH }) : start
      return /<!doctype/i.test(text.toString('latin1'))
    } catch {
      return false
    }
  })

const MAX_NAME = 120

/** A name people can read and no file system or header can trip over; the ending follows the content. */
export function safeName(given: string, type: UploadType): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  // \p{C}: controls and invisible marks that turn the reading direction ("gpj.exe").
  const readable = last.replace(/[\p{C}<>:"|?*;]/gu, '').trim()
  const stem = [...readable.replace(/\.[^.]*$/, '').replace(/^\.+/, '')].slice(0, MAX_NAME).join('')
  return `${stem || 'file'}.${UPLOAD_TYPES[type]}`
}
