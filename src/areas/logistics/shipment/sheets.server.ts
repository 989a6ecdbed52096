import { readFile } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import type { NamedPart } from '../parts.model.ts'
import { code128 } from './code128.model.ts'
import type { Shipment } from './model.ts'

type Pdf = PDFKit.PDFDocument
export type Paper = {
  readonly title: string
  readonly made: string
  readonly rows: readonly Shipment[]
  say(key: string, params?: Readonly<Record<string, string | number>>): string
}
/** Gives way after each parcel: hundreds of them are drawn in a process that answers others meanwhile. */
export type Draw = { readonly size: string | [number, number]; draw(pdf: Pdf, paper: Paper): Generator<void> }

/** Set in a font that travels with the product: the printing machine may have none for Chinese. */
const FONTS = new URL('../fonts/', import.meta.resolve('@embedpdf/fonts-sc'))
const [PLAIN, BOLD] = ['plain', 'bold']
let fonts: Promise<readonly [Buffer, Buffer]> | undefined

/** Points to the millimetre. */
const MM = 72 / 25.4
const GREY = '#666666'
const LINE = '#bbbbbb'

/** So many parcels are some ten milliseconds. */
const DRAWN_AT_ONCE = 10

/** The whole document in memory: a few hundred pages of text. `drawn` is told how many parcels stand on it. */
export async function written({ size, draw }: Draw, paper: Paper, drawn?: (parcels: number) => void): Promise<Buffer> {
  fonts ??= Promise.all([
    readFile(new URL('NotoSansHans-Regular.otf', FONTS)),
    readFile(new URL('NotoSansHans-Bold.otf', FONTS)),
  ])
  const [plain, bold] = await fonts
  const pdf = new PDFDocument({ size, margin: 0, bufferPages: true, info: { Title: paper.title } })
  pdf.registerFont(PLAIN as string, plain)
  pdf.registerFont(BOLD as string, bold)
  const chunks: Buffer[] = []
  const ended = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', chunk => chunks.push(chunk as Buffer))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  let parcels = 0
  for (const _ of draw(pdf, paper)) {
    parcels += 1
    if (parcels % DRAWN_AT_ONCE !== 0) continue
    drawn?.(parcels)
    await breathe()
  }
  pdf.end()
  return ended
}

type Style = { readonly bold?: boolean; readonly size?: number; readonly colour?: string }
const styled = (pdf: Pdf, { bold = false, size = 10, colour = '#000000' }: Style): Pdf =>
  pdf
    .font((bold ? BOLD : PLAIN) as string)
    .fontSize(size)
    .fillColor(colour)

function bars(pdf: Pdf, text: string, at: { x: number; y: number; width: number; height: number }): void {
  const widths = code128(text)
  const module = at.width / widths.reduce((sum, width) => sum + width, 0)
  let { x } = at
  pdf.fillColor('#000000')
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) pdf.rect(x, at.y, width * module, at.height)
    x += width * module
  }
  pdf.fill()
}

const A4 = { width: 210 * MM, height: 297 * MM, edge: 15 * MM }
const PICK_WIDTH = A4.width - 2 * A4.edge
const ROW_HEIGHT = 20

/** First what to take from the shelf in all, then what goes into which parcel, with a box to tick. */
export const drawPickList: Draw = {
  size: 'A4',
  *draw(pdf, { title, made, say, rows }) {
    let y = A4.edge
    /** Begins a page when what comes next does not fit on this one. */
    const room = (height: number) => {
      if (y + height <= A4.height - A4.edge) return
      pdf.addPage()
      y = A4.edge
    }
    const line = (part: NamedPart) => {
      room(ROW_HEIGHT)
      partRow(pdf, part, y)
      y += ROW_HEIGHT
    }
    styled(pdf, { bold: true, size: 18 }).text(title, A4.edge, y)
    styled(pdf, { colour: GREY }).text(made, A4.edge, y + 26)
    y += 52
    styled(pdf, { bold: true, size: 13 }).text(say('paper.summary'), A4.edge, y)
    y += 24
    heads(pdf, say, y)
    y += ROW_HEIGHT
    for (const part of sums(rows)) line(part)
    for (const row of rows) {
      y += 16
      room(44 + ROW_HEIGHT)
      parcelHead(pdf, row, y)
      y += 36
      for (const part of row.parts) line(part)
      yield
    }
    numberPages(pdf, say)
  },
}

/** How many of each base product all parcels need together, in the order of their codes. */
function sums(rows: readonly Shipment[]): NamedPart[] {
  const all = new Map<string, NamedPart>()
  for (const part of rows.flatMap(({ parts }) => parts)) {
    const before = all.get(part.baseProductId)
    all.set(part.baseProductId, { ...part, quantity: part.quantity + (before?.quantity ?? 0) })
  }
  return [...all.values()].sort((a, b) => (a.sku < b.sku ? -1 : 1))
}

const COLUMNS = { sku: 0, name: 110, quantity: PICK_WIDTH - 130, tick: PICK_WIDTH - 40 }

function heads(pdf: Pdf, say: Paper['say'], y: number): void {
  for (const [column, x] of Object.entries(COLUMNS))
    styled(pdf, { size: 9, colour: GREY }).text(say(`paper.${column}`), A4.edge + x, y, {
      lineBreak: false,
      ...(column === 'quantity' ? { width: 60, align: 'right' as const } : {}),
    })
  rule(pdf, y + ROW_HEIGHT - 5)
}

function partRow(pdf: Pdf, { sku, name, quantity }: NamedPart, y: number): void {
  const width = COLUMNS.quantity - COLUMNS.name - 10
  styled(pdf, { size: 9, colour: GREY }).text(sku, A4.edge + COLUMNS.sku, y + 1, { width: 104, ...ONE_LINE })
  styled(pdf, {}).text(name, A4.edge + COLUMNS.name, y, { width, ...ONE_LINE })
  styled(pdf, { bold: true, size: 11 }).text(String(quantity), A4.edge + COLUMNS.quantity, y - 1, {
    width: 60,
    align: 'right',
  })
  pdf
    .lineWidth(0.8)
    .strokeColor('#000000')
    .rect(A4.edge + COLUMNS.tick, y, 11, 11)
    .stroke()
  rule(pdf, y + ROW_HEIGHT - 5)
}
/** Cut with an ellipsis, never broken. */
const ONE_LINE = { height: 14, ellipsis: true } as const

/** Whose parcel it is, with its number to be scanned; where it goes stands on the label. */
function parcelHead(pdf: Pdf, row: Shipment, y: number): void {
  styled(pdf, { bold: true, size: 12 }).text(row.shipmentNo, A4.edge, y, { lineBreak: false })
  const to = [row.receiverName, row.province, row.goodsName].filter(Boolean).join(' · ')
  styled(pdf, { size: 9, colour: GREY }).text(to, A4.edge, y + 16, { width: PICK_WIDTH - 180, ...ONE_LINE })
  bars(pdf, row.shipmentNo, { x: A4.edge + PICK_WIDTH - 160, y, width: 160, height: 24 })
}

const rule = (pdf: Pdf, y: number) =>
  pdf
    .lineWidth(0.5)
    .strokeColor(LINE)
    .moveTo(A4.edge, y)
    .lineTo(A4.edge + PICK_WIDTH, y)
    .stroke()

function numberPages(pdf: Pdf, say: Paper['say']): void {
  const { count: pages } = pdf.bufferedPageRange()
  for (let page = 1; page <= pages; page += 1) {
    pdf.switchToPage(page - 1)
    const text = say('paper.page', { page, pages })
    styled(pdf, { size: 8, colour: GREY }).text(text, A4.edge, A4.height - 12 * MM, {
      width: PICK_WIDTH,
      align: 'center',
    })
  }
}

const LABEL = { width: 100 * MM, height: 150 * MM, edge: 6 * MM }
const LABEL_WIDTH = LABEL.width - 2 * LABEL.edge

/** One label a page, 100 × 150 mm, as the label printers of the trade take them. */
export const drawLabels: Draw = {
  size: [LABEL.width, LABEL.height],
  *draw(pdf, { say, rows, made }) {
    for (const [index, row] of rows.entries()) {
      if (index > 0) pdf.addPage()
      label(pdf, row, say, made)
      yield
    }
  },
}

function label(pdf: Pdf, row: Shipment, say: Paper['say'], made: string): void {
  const { edge } = LABEL
  bars(pdf, row.shipmentNo, { x: edge, y: edge, width: LABEL_WIDTH, height: 44 })
  styled(pdf, { bold: true, size: 13 }).text(row.shipmentNo, edge, edge + 50, { width: LABEL_WIDTH, align: 'center' })
  labelRule(pdf, edge + 74)
  styled(pdf, { size: 9, colour: GREY }).text(say('paper.to'), edge, edge + 82)
  styled(pdf, { bold: true, size: 18 }).text(row.receiverName ?? '', edge, edge + 96, {
    width: LABEL_WIDTH,
    height: 26,
    ellipsis: true,
  })
  styled(pdf, { bold: true, size: 16 }).text(row.receiverPhone ?? '', edge, edge + 124, { lineBreak: false })
  const address = `${row.province ?? ''} ${row.receiverAddress ?? ''}`
  styled(pdf, { size: 14 }).text(address, edge, edge + 152, { width: LABEL_WIDTH, height: 84, ellipsis: true })
  labelRule(pdf, edge + 244)
  let y = edge + 252
  const shown = row.parts.slice(0, LABEL_PARTS)
  for (const { name, quantity } of shown) {
    styled(pdf, { size: 10 }).text(name, edge, y, { width: LABEL_WIDTH - 50, ...ONE_LINE })
    styled(pdf, { bold: true, size: 10 }).text(`× ${quantity}`, edge + LABEL_WIDTH - 50, y, {
      width: 50,
      align: 'right',
    })
    y += 16
  }
  if (row.parts.length > LABEL_PARTS)
    styled(pdf, { size: 10, colour: GREY }).text(`… + ${row.parts.length - LABEL_PARTS}`, edge, y)
  styled(pdf, { size: 7, colour: GREY }).text(made, edge, LABEL.height - edge - 10, { width: LABEL_WIDTH, ...ONE_LINE })
}
const LABEL_PARTS = 6

const labelRule = (pdf: Pdf, y: number) =>
  pdf
    .lineWidth(0.8)
    .strokeColor('#000000')
    .moveTo(LABEL.edge, y)
    .lineTo(LABEL.width - LABEL.edge, y)
    .stroke()
