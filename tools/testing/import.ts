import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { resource } from '../../src/areas/system/dictionary/model.ts'
import type { Envelope } from '../../src/kit/model/contract.ts'
import { type ImportState, isUnderWay } from '../../src/kit/model/import.ts'
import { Refused, refuse } from '../../src/kit/model/refusal.ts'
import { type Catalogue, readCatalogue } from '../../src/kit/server/catalogue.ts'
import { defineImport, type Import, importActions } from '../../src/kit/server/import/definition.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import type { Caller } from './instance.ts'

const { name, code, note, builtIn } = resource.record.shape

/** An import no slice declares: dictionary types, many in one statement. */
export const dictionaryImport = defineImport({
  screen: resource.screen,
  columns: { code, name, note, builtIn },
  unique: ['code'],
  async check({ app }, rows) {
    const known = await app.db.query
      .selectFrom('dictionary_type')
      .select('code')
      .where(
        'code',
        'in',
        rows.map(({ values }) => values.code),
      )
      .execute()
    const codes = new Set(known.map(row => row.code))
    return new Map(rows.flatMap(({ no, values }) => (codes.has(values.code) ? [[no, refuse('kit:taken')]] : [])))
  },
  async apply(op, rows) {
    const { rows: made } = await sql<{ id: string }>`
      insert into dictionary_type (code, name, note, built_in, created_at)
      select r.code, r.name, r.note, r."builtIn", ${op.now}
      from jsonb_to_recordset(${JSON.stringify(rows.map(({ values }) => values))}::jsonb)
        as r (code text, name text, note text, "builtIn" boolean)
      returning id`.execute(op.tx)
    return made.map(({ id }) => id)
  },
  async undo(op, ids) {
    const { rows } = await sql<{ id: string }>`
      delete from dictionary_type where id = any(${[...ids]}::bigint[]) and version = 1 returning id`.execute(op.tx)
    if (rows.length < ids.length) throw new Refused(refuse('kit:changed-meanwhile'))
  },
  constraints: { dictionary_type_code: { code: 'kit:taken', field: 'code' } },
})

export async function catalogueWith(declared: unknown): Promise<Catalogue> {
  const added = declared as Import
  const catalogue = await readCatalogue()
  const slices = catalogue.slices.map(slice =>
    slice.name === added.screen.name ? { ...slice, imports: [added] } : slice,
  )
  const { key } = added.screen
  const pages = new Map(catalogue.pages).set(key, [...(catalogue.pages.get(key) ?? []), ...importActions(added)])
  return { ...catalogue, slices, pages }
}

export type Batch = {
  id: string
  state: ImportState
  allRows: number
  goodRows: number
  badRows: number
  doneRows: number
  failedRows: number
  error: string | null
  taskId: string | null
  isMine: boolean
}
type Uploaded = {
  id: string
  head: string[]
  sample: string[][]
  mapping: Record<string, number>
  before: { by: string; at: string; rows: number } | null
}

/** What is said of a list of numbers that nobody agreed to advertising by, and that the rules deal out. */
export const LIST_SAID = {
  ...{ cameFrom: 'SCHOOL', marketing: 'NOT_AGREED', evidence: null },
  ...{ giveToId: null as string | null, dealToId: null as string | null },
}

/** Sends a file as a browser does. */
export async function sendFile(
  instance: Instance,
  by: Caller,
  path: string,
  bytes: Buffer,
  fileName = 'rows.xlsx',
): Promise<Envelope<Uploaded> & { status: number }> {
  const answer = await instance.http.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: {
      authtoken: by.token,
      'accept-language': 'en-US',
      'content-type': `multipart/form-data; boundary=${EDGE}`,
    },
    payload: asForm(bytes, fileName),
  })
  return { status: answer.statusCode, ...answer.json() }
}

export const EDGE = 'edge'

/** A file as a browser's form sends it. */
export function asForm(bytes: Buffer, fileName: string): Buffer {
  const head = `--${EDGE}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${EDGE}--\r\n`)])
}

/** The import once nothing is under way any more. */
export async function settled(by: Caller, path: string, id: string, patienceMs = 60_000, lookMs = 20): Promise<Batch> {
  for (const until = Date.now() + patienceMs; ; await delay(lookMs)) {
    const { data } = await by.get<Batch>(`${path}/${id}`)
    if (!isUnderWay(data.state) || Date.now() > until) return data
  }
}
