import { constants, crc32, deflateRawSync } from 'node:zlib'

/** What stands in a part, one piece after the other; a piece may stand there many times, and is packed once. */
type Pieces = readonly { readonly text: string; readonly times?: number }[]

/** Each piece is packed for itself, so that its bytes may follow each other any number of times. */
function packPieces(pieces: Pieces): { packed: Buffer; crc: number; length: number } {
  const packed: Buffer[] = []
  let [crc, length] = [0, 0]
  for (const { text, times = 1 } of pieces) {
    const bytes = Buffer.from(text)
    const piece = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
    for (let nth = 0; nth < times; nth += 1) {
      packed.push(piece)
      crc = crc32(bytes, crc)
    }
    length += bytes.length * times
  }
  return { packed: Buffer.concat([...packed, deflateRawSync('')]), crc, length }
}

const pack = (content: string | Buffer | Pieces) => {
  if (Array.isArray(content)) return packPieces(content as Pieces)
  const bytes = Buffer.from(content as string)
  return { packed: deflateRawSync(bytes, { level: 9 }), crc: crc32(bytes), length: bytes.length }
}

/** A ZIP of these parts, each packed, as spreadsheets are. */
export function zip(parts: Readonly<Record<string, string | Buffer | Pieces>>): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(parts)) {
    const path = Buffer.from(name)
    const { packed, crc, length } = pack(content)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc, 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(length, 18)
    head.writeUInt16LE(path.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    files.push(Buffer.from('PK\x03\x04', 'latin1'), head, path, packed)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, place, path)
    at += 30 + path.length + packed.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(parts).length, 8)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, entries, end])
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** A workbook of one sheet with these rows as XML, so many times; `prolog` stands before the sheet. */
export const workbook = (rows: string, prolog = '', times = 1): Buffer =>
  zip({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': [
      { text: `${prolog}<worksheet xmlns="${MAIN}"><sheetData>` },
      { text: rows, times },
      { text: '</sheetData></worksheet>' },
    ],
  })

export const textCell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`
