import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { resource } from '#areas/orders/order/model.ts'
import { startCompanion } from './companion.ts'
import type { BareExported, Writer } from './export-bare.ts'
import { medianOf, oneDigit, shuffled, table, verdict, verdictOf, verdicts, whole } from './figures.ts'
import { type Ground, signIn } from './ground.ts'
import { cpuSeconds, rssBytes, watchPeak } from './proc.ts'
import { call, startServer } from './server.ts'
import { listenToServer, type Statement } from './statements.ts'

const PATH = '/orders/order/download'
/** Few enough to be answered at once: warms the code up, and is no export that counts. */
const FEW = `${PATH}?fulfilState=PARTIAL`
const LOOK_MS = 200
const EXPORT_MS = 600_000
const MAX_ROUNDS = 3
const MB = 1_048_576

type Maker = 'console' | Writer
type Made = { readonly seconds: number; readonly cpu: number; readonly extraMb: number }
type Size = { readonly orders: number; readonly url: string }
type Measured = Map<number, Record<Maker, Made[]>>

/**
 * Every order as xlsx by the list engine's own path (a task that reads a cursor and writes a file), against the same
 * statement written to a file by the same writer without the console around it, and by exceljs where it is installed.
 */
export async function measureExport(ground: Ground): Promise<string> {
  const { settings } = ground
  const sizes: Size[] = [
    { orders: settings.small, url: await ground.database(settings.small) },
    { orders: settings.orders, url: await ground.database(settings.orders) },
  ]
  const statement = await exportStatement(ground, await ground.database(settings.small))
  const makers: Maker[] = ['console', 'workbook', ...(hasExceljs() ? (['exceljs'] as const) : [])]
  const measured: Measured = new Map(sizes.map(({ orders }) => [orders, { console: [], workbook: [], exceljs: [] }]))
  const rounds = Math.min(settings.rounds, MAX_ROUNDS)
  // The first round is for the caches of the machine and of PostgreSQL, and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { size, maker } of shuffled(sizes.flatMap(size => makers.map(maker => ({ size, maker }))))) {
      const made = await (maker === 'console'
        ? exportByConsole(ground, size)
        : exportByBare(ground, size, statement, maker))
      if (round > 0) measured.get(size.orders)?.[maker].push(made)
    }
    console.error(`export: round ${round} of ${rounds}`)
  }
  return report(measured, settings)
}

function hasExceljs(): boolean {
  try {
    createRequire(import.meta.url).resolve('exceljs')
    return true
  } catch {
    return false
  }
}

/** The cursor's statement, heard from a server that makes the export. */
async function exportStatement({ settings, folder }: Ground, url: string): Promise<Statement> {
  const token = await signIn(url, 'SUPER_ADMIN')
  await using listening = await listenToServer(url, settings.port, folder)
  const heard = await listening.heard(async () => {
    const { taskId } = await call<{ taskId: string }>(listening.server.host, token, PATH)
    await taskDone(listening.server.host, token, taskId)
  })
  const statement = heard.findLast(({ text }) => /^select .* from sales_order t .* order by t\.id desc$/.test(text))
  if (!statement) throw new Error('the statement of the export was not heard')
  return statement
}

type Task = { state: string; doneRows: number; startedAt: string; endedAt: string; error: string | null }

async function taskDone(host: string, token: string, id: string): Promise<Task> {
  for (const until = Date.now() + EXPORT_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const task = await call<Task>(host, token, `/common/task/${id}`)
    if (task.state === 'DONE') return task
    if (task.state !== 'WAITING' && task.state !== 'RUNNING') throw new Error(`the export ended: ${task.error}`)
  }
  throw new Error('the export took too long')
}

/** Each in a fresh process: what an earlier export left in the heap would hide what this one needs. */
async function exportByConsole({ settings, folder }: Ground, { url, orders }: Size): Promise<Made> {
  const token = await signIn(url, 'SUPER_ADMIN')
  await using server = await startServer({ url, port: settings.port, folder })
  const few = await fetch(`http://${server.host}/api${FEW}`, { headers: { authtoken: token } })
  if (few.headers.get('code') !== '0') throw new Error('the small export failed')
  await few.arrayBuffer()
  return await whileWatched(server.pid, async () => {
    const { taskId } = await call<{ taskId: string }>(server.host, token, PATH)
    const { doneRows, startedAt, endedAt } = await taskDone(server.host, token, taskId)
    requireAll(doneRows, orders)
    return (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000
  })
}

async function exportByBare(
  { folder }: Ground,
  { url, orders }: Size,
  statement: Statement,
  writer: Writer,
): Promise<Made> {
  await using program = startCompanion('export-bare.ts')
  const ask = (sql: Statement) => {
    const fields = resource.list.columns
    const file = join(folder, 'bare.xlsx')
    return program.ask<BareExported>({ url, statement: sql, fields, writer, file }, EXPORT_MS)
  }
  await ask({ ...statement, text: `${statement.text} limit 100` })
  return await whileWatched(program.pid, async () => {
    const { rows, seconds } = await ask(statement)
    requireAll(rows, orders)
    return seconds
  })
}

function requireAll(rows: number, orders: number): void {
  if (rows !== orders) throw new Error(`${rows} rows were exported, not ${orders}`)
}

async function whileWatched(pid: number, work: () => Promise<number>): Promise<Made> {
  await sleep(500)
  const peak = watchPeak(pid)
  const [rss, cpu] = [rssBytes(pid), cpuSeconds(pid) ?? Number.NaN]
  const seconds = await work()
  return { seconds, cpu: (cpuSeconds(pid) ?? Number.NaN) - cpu, extraMb: (peak() - rss) / MB }
}

function report(measured: Measured, settings: Ground['settings']): string {
  const { small, orders } = settings
  const names = { console: 'console', workbook: 'bare cursor and writer', exceljs: 'bare cursor and exceljs' } as const
  const rows = [...measured].flatMap(([size, makers]) =>
    (Object.keys(names) as Maker[])
      .filter(maker => makers[maker].length > 0)
      .map(maker => {
        const of = (figure: (made: Made) => number) => medianOf(makers[maker], figure)
        const against = (figure: (made: Made) => number) => of(figure) / medianOf(makers.console, figure)
        return [
          `${whole(size)} rows, ${names[maker]}`,
          oneDigit(of(({ seconds }) => seconds)),
          oneDigit(of(({ cpu }) => cpu)),
          whole(of(({ extraMb }) => extraMb)),
          against(({ cpu }) => cpu).toFixed(2),
          against(({ extraMb }) => extraMb).toFixed(2),
        ]
      }),
  )
  const seconds = (maker: Maker) => medianOf(measured.get(small)?.[maker] ?? [], made => made.seconds)
  const extra = (size: number) => medianOf(measured.get(size)?.console ?? [], ({ extraMb }) => extraMb)
  return [
    '### Export as xlsx',
    '',
    table(['', 'seconds', 'CPU s', 'MB over baseline', 'CPU × console', 'MB × console'], rows),
    '',
    ...(hasExceljs() ? [] : ['exceljs is not installed here, so it was not compared. Nothing of ours needs it.', '']),
    ...verdicts(settings, [
      verdictOf(
        `memory of ${whole(orders)} rows against ${whole(small)}`,
        { ours: extra(orders), baseline: extra(small), unit: 'MB' },
        { atMost: 1.5 },
      ),
      verdict(`MB over baseline, ${whole(small)} rows`, extra(small), { atMost: 64 }),
      verdict(
        `seconds, ${whole(small)} rows, beside the bare cursor and writer`,
        seconds('console'),
        { atMost: 4 },
        { ours: seconds('console'), baseline: seconds('workbook'), unit: 's' },
      ),
    ]),
  ].join('\n')
}
