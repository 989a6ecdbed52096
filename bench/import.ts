import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { readXlsx, writeXlsxStream } from 'hucre/xlsx'
import { MAX_IMPORT_ROWS } from '#kit/model/import.ts'
import { readEnv } from '#kit/server/process/env.ts'
import { openLog } from '#kit/server/process/log.ts'
import { type Instance, openInstance } from '#kit/server/start/start.ts'
import { catalogueWith, dictionaryImport, sendFile, settled } from '../tools/testing/import.ts'
import { type Caller, caller } from '../tools/testing/instance.ts'
import { download } from '../tools/testing/sheet.ts'
import { medianOf, oneDigit, table, verdict, verdicts, whole } from './figures.ts'
import { type Ground, onDatabase, signIn } from './ground.ts'
import { watchPeak } from './proc.ts'

const PATH = '/system/dictionary/import'
const PATIENCE_MS = 120_000
const LOOK_MS = 100
const MB = 1_048_576
/** One row in a hundred of the wrong form, one in two hundred that stands twice. */
const FORM = 100
const TWICE = 200

type Made = { readonly check: number; readonly run: number; readonly whole: number; readonly extraMb: number }

/** A workbook of dictionary types with bad rows: sent, checked, applied, its error file fetched and compared row by row. */
export async function measureImport({ settings, database, folder }: Ground): Promise<string> {
  const rows = settings.quick ? 5_000 : MAX_IMPORT_ROWS
  const url = await database(settings.small)
  const env = readEnv({ DATABASE_URL: url, DATA_DIR: folder, SIMULATE: 'off', SEED: 'none' })
  const catalogue = await catalogueWith(dictionaryImport)
  const instance = await openInstance({ env, url, log: openLog('silent'), catalogue })
  const made: Made[] = []
  try {
    const clerk = caller(instance, '', await signIn(url, 'SUPER_ADMIN'))
    for (let round = 1; round <= Math.min(3, settings.rounds); round += 1) {
      made.push(await importOnce(instance, clerk, await workbookOf(round, rows), rows))
      await onDatabase(url, client => client.query("delete from dictionary_type where code like 'BENCH%'"))
    }
  } finally {
    await instance.close()
  }
  const of = (figure: (one: Made) => number) => medianOf(made, figure)
  const figures = [of(one => one.check), of(one => one.run), of(one => one.whole)].map(oneDigit)
  const names = ['', 'check s', 'run s', 'with upload and error file s', 'MB over baseline']
  return [
    '### Import of xlsx',
    '',
    table(names, [[`${whole(rows)} rows`, ...figures, whole(of(one => one.extraMb))]]),
    '',
    ...verdicts(settings, [
      verdict(
        `seconds, ${whole(rows)} rows`,
        of(one => one.whole),
        { atMost: 8 },
      ),
      verdict(
        'MB over baseline',
        of(one => one.extraMb),
        { atMost: 150 },
      ),
    ]),
  ].join('\n')
}

const isMisshapen = (at: number) => at % FORM === 7
const isTwice = (at: number) => at % TWICE === 8

function workbookOf(round: number, rows: number): Promise<Buffer> {
  const row = (at: number) => {
    if (isMisshapen(at)) return [`bench ${at}`, 'x', '', '否']
    return [`BENCH${round}_${isTwice(at) ? at - 8 : at}`, `名称${at}`, `备注${at}`, '否']
  }
  function* lines() {
    yield ['类型编码', '类型名称', '备注', '内置']
    for (let at = 0; at < rows; at += 1) yield row(at)
  }
  return buffer(Readable.fromWeb(writeXlsxStream(lines(), { name: 'rows' }) as ReadableStream<Uint8Array>))
}

async function importOnce(instance: Instance, clerk: Caller, file: Buffer, rows: number): Promise<Made> {
  const peak = watchPeak(process.pid)
  const before = process.memoryUsage().rss
  const begin = performance.now()
  const { data } = await sendFile(instance, clerk, PATH, file)
  await clerk.post(`${PATH}/${data.id}/check`, { mapping: data.mapping })
  await settled(clerk, PATH, data.id, PATIENCE_MS, LOOK_MS)
  const checked = performance.now()
  await clerk.post(`${PATH}/${data.id}/run`)
  const batch = await settled(clerk, PATH, data.id, PATIENCE_MS, LOOK_MS)
  const ran = performance.now()
  const errors = await download(instance, clerk, `${PATH}/${data.id}/errors`)
  const end = performance.now()
  const extraMb = (peak() - before) / MB
  await requireExact(errors.bytes, batch.doneRows, rows)
  return { check: (checked - begin) / 1_000, run: (ran - checked) / 1_000, whole: (end - begin) / 1_000, extraMb }
}

/** The file lists exactly the bad rows by their numbers, and every other row was applied. */
async function requireExact(bytes: Buffer, done: number, rows: number): Promise<void> {
  const { sheets } = await readXlsx(bytes)
  const listed = sheets[0]?.rows.slice(1).map(([no]) => no) ?? []
  const wanted = Array.from({ length: rows }, (_, at) => at).filter(at => isMisshapen(at) || isTwice(at))
  if (JSON.stringify(listed) !== JSON.stringify(wanted.map(at => at + 2)))
    throw new Error('the error file is not exact')
  if (done !== rows - wanted.length) throw new Error(`${done} rows were applied, not ${rows - wanted.length}`)
}
