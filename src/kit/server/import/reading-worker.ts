import { parentPort } from 'node:worker_threads'
import { streamCsvRows } from 'hucre/csv'
import { type CellValue, streamXlsxRows } from 'hucre/xlsx'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { storable } from '#kit/model/storable.ts'
import { BATCH, type FileRow, MAX_COLUMNS, type Message, type ReadingRequest } from './reading.ts'

/** Letters in all cells together: shared texts unfold, so the size of the file says nothing. */
const MAX_LETTERS = 100_000_000
/** Batches on their way at most: what waits, waits here, where memory is bounded. */
const AHEAD = 4
/** Rows a spreadsheet can hold, and columns of it that any sheet uses: beyond, a small file would fill memory with nothing. */
const MAX_SEEN_ROWS = 1_048_576
const MAX_SEEN_COLUMNS = 1_024
/** What a spreadsheet lets stand in one cell. */
const MAX_CELL = 32_767
/** Whole numbers of more digits than a spreadsheet keeps. */
const LONG = 1e15

class Unreadable extends Error {
  readonly refusal: Refusal
  constructor(code: string, params?: Refusal['params']) {
    super(code)
    this.refusal = refuse(`kit/server/import:${code}`, params)
  }
}

const port = parentPort
if (!port) throw new Error('a file is read in a thread of its own')
const send = (message: Message) => port.postMessage(message)

// Rows are taken from the parser as it gives them: it does not wait, and its own queue is slow when it is long.
const ready: FileRow[][] = []
let onTheWay = 0
let wake = () => {}

function sendReady(): void {
  while (onTheWay < AHEAD) {
    const rows = ready.shift()
    if (!rows) break
    send({ rows })
    onTheWay += 1
  }
  wake()
}
port.on('message', (said: ReadingRequest | 'taken') => {
  if (said !== 'taken') return void answer(said)
  onTheWay -= 1
  sendReady()
})

async function untilSent(): Promise<void> {
  while (ready.length > 0)
    await new Promise<void>(resolve => {
      wake = resolve
    })
}

/** One file after another: the next is asked for when this one has its answer. */
async function answer(request: ReadingRequest): Promise<void> {
  try {
    await read(request)
    await untilSent()
    send({ ended: true })
  } catch (error) {
    // What was read of it before is not wanted any more.
    ready.length = 0
    send({ refusal: error instanceof Unreadable ? error.refusal : refuse('kit/server/import:file-unreadable') })
  }
}

async function read({ content, format, maxRows }: ReadingRequest): Promise<void> {
  let batch: FileRow[] = []
  let [letters, filled, seen] = [0, 0, 0]
  for await (const row of format === 'xlsx' ? xlsxRows(content) : csvRows(content, format)) {
    seen += 1
    if (seen > MAX_SEEN_ROWS) throw new Unreadable('file-too-large')
    if (row.cells.every(cell => cell.trim() === '')) continue
    for (const cell of row.cells) {
      if (cell.length > MAX_CELL) throw new Unreadable('cell-too-long', { row: row.no, max: MAX_CELL })
      letters += cell.length
    }
    if (letters > MAX_LETTERS) throw new Unreadable('file-too-large')
    filled += 1
    batch.push(row)
    if (filled === maxRows) break
    if (batch.length < BATCH) continue
    ready.push(batch)
    sendReady()
    batch = []
  }
  if (batch.length > 0) ready.push(batch)
  sendReady()
}

async function* xlsxRows(content: Uint8Array): AsyncGenerator<FileRow> {
  let last = 0
  for await (const { index, values } of streamXlsxRows(content)) {
    // The file's own numbers, as long as they count up.
    last = Math.max(last + 1, index + 1)
    yield rowOf(last, values)
  }
}

function* csvRows(content: Uint8Array, encoding: string): Generator<FileRow> {
  let no = 0
  for (const values of streamCsvRows(new TextDecoder(encoding).decode(content))) {
    no += 1
    yield rowOf(no, values)
  }
}

function rowOf(no: number, values: readonly CellValue[]): FileRow {
  let width = values.length
  if (width > MAX_SEEN_COLUMNS) throw new Unreadable('file-too-wide', { max: MAX_COLUMNS })
  while (width > 0 && textOf(values[width - 1]).trim() === '') width -= 1
  if (width > MAX_COLUMNS) throw new Unreadable('file-too-wide', { max: MAX_COLUMNS })
  return { no, cells: values.slice(0, width).map(textOf) }
}

/** What people see in the cell. Spreadsheets calculate with fifteen digits and show no more of them. */
function textOf(value: CellValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '')
  if (typeof value !== 'number') return storable(String(value))
  return Math.abs(value) >= LONG ? value.toExponential() : String(Number(value.toPrecision(15)))
}
