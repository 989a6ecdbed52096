import * as z from 'zod'
import { MAX_IMPORT_BYTES, SAMPLE_ROWS } from '#kit/model/import.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { XLSX_TYPE } from '#kit/model/upload.ts'
import { type Gate, requireAttempt } from '../access/gate.ts'
import type { App } from '../app.ts'
import { type Route, route } from '../http/route.ts'
import { safeName } from '../storage/content.ts'
import { checksumOf, importedBefore } from './before.ts'
import { guessMapping, inSample, type Mapping } from './cells.ts'
import type { Import } from './definition.ts'
import { type FileFormat, formatOf, readRows } from './reading.ts'
import { type ImportCall, type Served, texts } from './served.ts'

const DAILY_IMPORTS: Gate = { kind: 'import', limit: 200, windowMs: 86_400_000 }

export function uploadRoute({ app, definition, path, access }: Served): Route {
  return route({
    method: 'POST',
    path,
    texts,
    access,
    body: 'file',
    answer: z.strictObject({
      id: z.string(),
      head: z.array(z.string()),
      sample: z.array(z.array(z.string())),
      mapping: z.record(z.string(), z.int()),
      before: z.strictObject({ by: z.string(), at: z.string(), rows: z.int() }).nullable(),
    }),
    summary: 'Takes a file of rows (xlsx or CSV) and guesses its columns; it is gone after a day.',
    async handle(call) {
      await requireAttempt(app.db.query, DAILY_IMPORTS, call.actor.id, call.now)
      await using sent = await call.raw.file(MAX_IMPORT_BYTES)
      return await app.turns.take(call.actor.id, async () => {
        const bytes = await sent.read()
        const format = formatOf(bytes)
        const [head, ...sample] = await firstRows(bytes, format)
        if (!head || sample.length === 0) throw onField('file', refuse('file-empty'))
        const mapping = guessMapping(app, definition, head, await rememberedHeads(app, definition, call.actor.id))
        const title = safeName(sent.name, XLSX_TYPE).replace(/xlsx$/, format === 'xlsx' ? 'xlsx' : 'csv')
        const checksum = checksumOf(bytes)
        const before = await importedBefore(app.db, { page: definition.screen.key, checksum })
        const id = await keepBatch(app, definition, call, bytes, { title, head, checksum })
        return { id, head, sample: sample.map(row => row.map(inSample)), mapping, before }
      })
    },
  })
}

/** A few rows take no longer, or the file is made to take long. */
const FIRST_LOOK_MS = 15_000

async function firstRows(bytes: Buffer, format: FileFormat): Promise<string[][]> {
  for await (const rows of readRows(bytes, format, 1 + SAMPLE_ROWS, FIRST_LOOK_MS))
    return rows.map(({ cells }) => [...cells])
  return []
}

/** What the columns were called that this person chose last time on this page. */
async function rememberedHeads(app: App, { screen }: Import, staffId: string): Promise<Record<string, string>> {
  const last = await app.db.query
    .selectFrom('import_batch')
    .select(['head', 'mapping'])
    .where('page', '=', screen.key)
    .where('staff_id', '=', staffId)
    .where('status', '<>', 'UPLOADED')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return {}
  const head = last.head as string[]
  return Object.fromEntries(Object.entries(last.mapping as Mapping).map(([field, at]) => [field, head[at] ?? '']))
}

async function keepBatch(
  app: App,
  { screen }: Import,
  { actor, now }: ImportCall,
  bytes: Buffer,
  { title, head, checksum }: { title: string; head: readonly string[]; checksum: string },
): Promise<string> {
  const type = title.endsWith('.csv') ? 'text/csv' : XLSX_TYPE
  const written = await app.files.write(bytes, { name: title, type })
  return app.db.write(async tx => {
    await app.files.keep(tx, written, { purpose: 'import', ownerId: actor.id, now })
    const { id } = await tx
      .insertInto('import_batch')
      .values({
        page: screen.key,
        title,
        file_id: written.id,
        checksum,
        head: JSON.stringify(head),
        staff_id: actor.id,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}
