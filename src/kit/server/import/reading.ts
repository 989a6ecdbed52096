import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { XLSX_TYPE } from '#kit/model/upload.ts'
import { declaresDoctype, readContent, unpackedBytes } from '../storage/content.ts'
import { giveBackThread, takeThread } from './reading-thread.ts'

/** A row as it stands in the file; `no` counts from 1, as spreadsheets do. */
export type FileRow = { readonly no: number; readonly cells: readonly string[] }
export type FileFormat = 'xlsx' | 'utf-8' | 'gb18030'
export type ReadingRequest = { readonly content: Uint8Array; readonly format: FileFormat; readonly maxRows: number }
export type Message = { readonly rows: FileRow[] } | { readonly refusal: Refusal } | { readonly ended: true }

export const BATCH = 1_000
export const MAX_COLUMNS = 100
const MAX_UNPACKED_BYTES = 200 * 1_048_576
/** Spreadsheets pack to a tenth, very even ones to a fiftieth; what packs better was made to unfold. Small files may. */
const MAX_RATIO = 100
const SMALL_BYTES = 10 * 1_048_576
/** The thread's own time for a whole file; what its rows are judged for takes longer and is not counted. */
const READING_MS = 60_000

/** What a file of rows is, told by its content: a workbook, or text with its encoding. */
export function formatOf(bytes: Buffer): FileFormat {
  const content = readContent(bytes)
  const format = typeof content === 'object' ? workbookFormat(bytes, content.type) : textFormat(bytes)
  if (!format) throw unreadable('file-unreadable')
  return format
}

function workbookFormat(bytes: Buffer, type: string): 'xlsx' | undefined {
  if (type !== XLSX_TYPE) return undefined
  const unpacked = unpackedBytes(bytes)
  if (unpacked > MAX_UNPACKED_BYTES || unpacked > Math.max(SMALL_BYTES, bytes.length * MAX_RATIO))
    throw unreadable('file-too-large')
  if (declaresDoctype(bytes)) throw unreadable('file-unreadable')
  return 'xlsx'
}

function unreadable(code: string): Refused {
  const refusal = refuse(`kit/server/import:${code}`)
  return onField('file', refusal)
}

function textFormat(bytes: Buffer): 'utf-8' | 'gb18030' | undefined {
  // Text has line ends and tabs, and no other control characters.
  if (bytes.length === 0 || bytes.subarray(0, 65_536).some(byte => byte < 32 && !(byte >= 9 && byte <= 13)))
    return undefined
  return (['utf-8', 'gb18030'] as const).find(encoding => {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes) !== ''
    } catch {
      return false
    }
  })
}

/**
 * The rows that hold anything, at most so many, in batches. Read in a thread of its own: it takes seconds of a core, and
 * what a file unfolds to in memory is bounded there.
 */
export async function* readRows(
  bytes: Buffer,
  format: FileFormat,
  maxRows: number,
  readingMs = READING_MS,
): AsyncGenerator<FileRow[]> {
  const request: ReadingRequest = { content: new Uint8Array(bytes), format, maxRows }
  const worker = takeThread()
  const said: Message[] = []
  let ended: Refusal | undefined
  let wake = () => {}
  const end = (code: string) => {
    ended ??= refuse(`kit/server/import:${code}`)
    wake()
  }
  const hear = (message: Message) => {
    said.push(message)
    wake()
  }
  const broke = () => end('file-too-large')
  const left = () => end('file-unreadable')
  worker.on('message', hear).on('error', broke).on('exit', left)
  worker.postMessage(request, [request.content.buffer as ArrayBuffer])
  let leftMs = readingMs
  let isDone = false
  try {
    while (true) {
      const message = said.shift()
      if (message === undefined) {
        if (ended) throw new Refused(ended, 'validation')
        const begun = performance.now()
        const late = setTimeout(() => end('file-too-slow'), leftMs)
        await new Promise<void>(resolve => {
          wake = resolve
        })
        clearTimeout(late)
        leftMs = Math.max(0, leftMs - (performance.now() - begun))
        continue
      }
      isDone = !('rows' in message)
      if ('refusal' in message) throw new Refused(message.refusal, 'validation')
      if ('ended' in message) return
      yield message.rows
      worker.postMessage('taken')
    }
  } finally {
    worker.off('message', hear).off('exit', left)
    await giveBackThread(worker, isDone)
    worker.off('error', broke)
  }
}
