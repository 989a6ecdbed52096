import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { XLSX_TYPE } from '#kit/model/upload.ts'
import type { App } from '#kit/server/app.ts'
import { requireStaff } from '#kit/server/auth/access.ts'
import type { Call } from '#kit/server/call.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { lockRow, writeChange } from '#kit/server/change/step.ts'
import { openRows } from '#kit/server/database/cursor.ts'
import { type Row, run } from '#kit/server/database/database.ts'
import { exportTitle, type Sheet, watermarkOf, workbookOf } from '#kit/server/file/sheet.ts'
import { FileAnswer, idParams, type Route, route } from '#kit/server/http/route.ts'
import type { ReadRow } from '#kit/server/list/select.ts'
import { codeKeys, grouped } from './code.server.ts'
import { type CodeBatch, resource, whyNotExport } from './model.ts'

const { name, key } = resource.screen
/** SHA-256 of the file, for whoever carries it on. */
const CHECKSUM_HEADER = 'checksum'

type ExportCall = Call<{ page: string; action: string }>

/** The plain codes as a sheet. Its checksum is kept before a byte leaves: confirming it later wipes the codes here. */
export const exportRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${name}/:id/export-codes`,
    texts: name,
    access: { page: key, action: 'exportCodes' },
    params: idParams,
    answer: 'file',
    summary:
      'The codes of a batch as xlsx, for one person, until that person confirms the file. The checksum is in a header.',
    async handle(call, { params }) {
      if (!app.exports.take()) throw new Refused(refuse('kit/server/file:exports-busy'), 'too-many')
      try {
        const batch = await operate(app, call, op => takeOut(op, params.id))
        const bytes = await sheetOf(app, call, batch)
        const checksum = createHash('sha256').update(bytes).digest('hex')
        await operate(app, call, op => keepChecksum(op, batch, checksum))
        call.answerHeader(CHECKSUM_HEADER, checksum)
        return new FileAnswer(`${exportTitle(batch.batchNo, call.now)}.xlsx`, XLSX_TYPE, bytes)
      } finally {
        app.exports.free()
      }
    },
  })

/** From here on the codes are with this person alone, who does not leave meanwhile. */
async function takeOut(op: Operation, id: string): Promise<CodeBatch> {
  await requireStaff(op.tx, op.actor.id)
  const row = await lockRow(op, resource, id)
  const refusal = whyNotExport(row, op.actor)
  if (refusal) throw new Refused(refusal)
  await writeChange(op, resource, row, { exportedBy: op.actor.id, exportedAt: op.now.toISOString() }, 'exportCodes')
  return row
}

/** Between the two transactions the batch was free: what was confirmed or closed meanwhile gives no second file. */
async function keepChecksum(op: Operation, { id }: CodeBatch, checksum: string): Promise<void> {
  const row = await lockRow(op, resource, id)
  const refusal = whyNotExport(row, op.actor)
  if (refusal) throw new Refused(refusal)
  await run(op.tx, 'update code_batch set checksum = $1 where id = $2', [checksum, id])
}

/** Whole in memory, because its checksum goes before it: a hundred thousand codes are about three megabytes. */
async function sheetOf(app: App, call: ExportCall, batch: CodeBatch): Promise<Buffer> {
  const said = (text: string) => app.texts.text(call.language, name, text)
  const sheet: Sheet = {
    title: batch.batchNo,
    columns: [
      { header: said('code-number'), width: 10 },
      { header: said('code'), width: 30 },
    ],
    cells: ({ number, code }) => [number as number, code as string],
  }
  const source = await openRows(app.db)
  try {
    const sealed = await source.read('select sealed from sealed_codes where batch_id = $1 order by part', [batch.id])
    const watermark = watermarkOf(app, call.language, call.actor, call.now, call.requestId)
    return await whole(workbookOf(sheet, opened(app, batch.id, sealed), watermark))
  } finally {
    await source.close()
  }
}

async function* opened(app: App, batchId: string, batches: AsyncIterable<Row[]>): AsyncGenerator<ReadRow[]> {
  const keys = codeKeys(app.env)
  let before = 0
  for await (const rows of batches)
    for (const { sealed } of rows) {
      const codes = keys.open(sealed as Buffer, batchId)
      yield codes.map((code, index) => ({ labels: {}, number: before + index + 1, code: grouped(code) }))
      before += codes.length
    }
}

async function whole(content: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
