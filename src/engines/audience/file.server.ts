import * as z from 'zod'
import type { Screen } from '#kit/model/area.ts'
import { MAX_IMPORT_BYTES } from '#kit/model/import.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { type Gate, requireAttempt } from '#kit/server/access/gate.ts'
import type { App } from '#kit/server/app.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { type FileRow, formatOf, readRows } from '#kit/server/import/reading.ts'
import { MAX_FILE_ROWS, numbersOfRows, WHY_REFUSED } from './model.ts'

const FILES: Gate = { kind: 'audience-file', limit: 200, windowMs: 86_400_000 }

const answer = z.strictObject({
  phones: z.array(z.string()),
  refused: z.array(z.strictObject({ no: z.int(), why: z.enum(WHY_REFUSED), first: z.int().nullable() })),
})

/** What stands in somebody's own file of numbers, row by row; whose they are is told by nobody here, and nothing is kept. */
export const numbersFileRoute = (
  app: App,
  { screen }: { readonly screen: Screen & { readonly key: string } },
  action: string,
): Route =>
  route({
    method: 'POST',
    path: `/${screen.name}/numbers-file`,
    reads: true,
    texts: screen.name,
    access: { page: screen.key, action },
    body: 'file',
    answer,
    summary: 'Reads the numbers of a file (xlsx or CSV) for an audience, and says of each row that gives none why.',
    async handle(call) {
      await requireAttempt(app.db.query, FILES, call.actor.id, call.now)
      await using sent = await call.raw.file(MAX_IMPORT_BYTES)
      return await app.turns.take(call.actor.id, async () => numbersOfRows(await rowsOf(await sent.read())))
    },
  })

async function rowsOf(bytes: Buffer): Promise<FileRow[]> {
  const rows: FileRow[] = []
  // The headings, and one row too many to know of it.
  for await (const some of readRows(bytes, formatOf(bytes), MAX_FILE_ROWS + 2)) rows.push(...some)
  if (rows.length > MAX_FILE_ROWS + 1)
    throw onField('file', refuse('engines/audience:file-too-long', { max: MAX_FILE_ROWS }))
  return rows
}
