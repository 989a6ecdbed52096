import { hash, randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { setTimeout } from 'node:timers'
import type { FastifyInstance } from 'fastify'
import { routeOf } from '../../src/kit/server/process/log.ts'

/** Everything that leaves an instance under test is written down; `tools/ledger.ts` then looks for what must not leave. */
export type Kind = 'answer' | 'log' | 'push' | 'file'
export type Entry = { readonly kind: Kind; readonly where: string; readonly text: string }

/** The password of everybody in tests who has one; no answer and no log may hold it. */
export const TEST_PASSWORD = 'mulberry paper 7'
/** The guardian of every member tests enrol: a name nobody else has, shown in full only to who says why. */
export const TEST_GUARDIAN = '慕容守玉'
/** What is written down of a body that can be heard, or of a film. */
export const A_RECORDING = 'a recording'

/** Set by `npm test`. A run of a single file keeps no ledger. */
const folder = process.env.INKSTONE_LEDGER
const seen = new Set<string>()

export function note(kind: Kind, where: string, text: string): void {
  if (!folder || text === '') return
  const line = JSON.stringify({ kind, where, text } satisfies Entry)
  // By its digest: a race asks a hundred thousand times, and what it was answered would fill gigabytes.
  const digest = hash('sha1', line, 'base64')
  if (seen.has(digest)) return
  seen.add(digest)
  // Not unreferenced: no process ends before what left it is written.
  if (waiting.length === 0) setTimeout(writeLedger, TOGETHER_MS)
  waiting.push(line)
}

/** A write for each line would take longer than what it tells of. */
const TOGETHER_MS = 50
const waiting: string[] = []

/** At the end of a file: what it said is written, and what the next one says is other than that. */
export function closeLedger(): void {
  writeLedger()
  seen.clear()
}

function writeLedger(): void {
  if (folder && waiting.length > 0)
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${waiting.splice(0).join('\n')}\n`)
}

/** Bodies as they go out; a file as it streams, straight to the disk, because tests measure memory. */
export function keepLedger(http: FastifyInstance): void {
  if (!folder) return
  http.addHook('onSend', async (request, reply, payload) => {
    const where = `${request.method} ${routeOf(request)}`
    note('answer', `${where} headers`, JSON.stringify(reply.getHeaders()))
    if (typeof payload === 'string') note('answer', where, payload)
    else if (Buffer.isBuffer(payload)) keepBytes(where, payload, join(folder, fileNameOf(where)))
    else if (payload instanceof Readable) return payload.compose(recorder(where, join(folder, fileNameOf(where))))
    return payload
  })
}

/** Bytes in a file of their own, which says by its name which call gave them. */
const fileNameOf = (where: string): string => `${encodeURIComponent(where)} ${randomUUID()}.bin`
export const whereOf = (fileName: string): string => decodeURIComponent(fileName.slice(0, fileName.indexOf(' ')))

/** Ogg, and what WebM begins with. */
const HEARD = [Buffer.from('OggS'), Buffer.from([0x1a, 0x45, 0xdf, 0xa3])]

function keepBytes(where: string, bytes: Buffer, path: string): void {
  if (HEARD.some(head => bytes.subarray(0, head.length).equals(head))) note('answer', where, A_RECORDING)
  appendFileSync(path, bytes)
}

const recorder = (where: string, path: string): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      keepBytes(where, chunk, path)
      done(null, chunk)
    },
  })
