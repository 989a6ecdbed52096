import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { setTimeout } from 'node:timers'
import type { FastifyInstance } from 'fastify'
import { routeOf } from '../../src/kit/server/process/log.ts'

/** Everything that leaves an instance under test is written down; `tools/ledger.ts` then looks for what must not leave. */
export type Kind = 'answer' | 'log' | 'push'
export type Entry = { readonly kind: Kind; readonly where: string; readonly text: string }

/** The password of everybody in tests who has one; no answer and no log may hold it. */
export const TEST_PASSWORD = 'mulberry paper 7'

/** Set by `npm test`. A run of a single file keeps no ledger. */
const folder = process.env.INKSTONE_LEDGER
const seen = new Set<string>()

export function note(kind: Kind, where: string, text: string): void {
  if (!folder || text === '') return
  const line = JSON.stringify({ kind, where, text } satisfies Entry)
  if (seen.has(line)) return
  seen.add(line)
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
    else if (Buffer.isBuffer(payload)) appendFileSync(join(folder, `${randomUUID()}.bin`), payload)
    else if (payload instanceof Readable) return payload.compose(recorder(join(folder, `${randomUUID()}.bin`)))
    return payload
  })
}

const recorder = (path: string): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      appendFileSync(path, chunk)
      done(null, chunk)
    },
  })
