import { createServer } from 'node:http'
import pg from 'pg'
import { answerQuestions } from './companion.ts'
import type { Statement } from './statements.ts'

/** One address: what the console asks for at each call, and what it asks for its total once in so long. */
export type BareList = {
  readonly path: string
  readonly each: readonly Statement[]
  readonly total: Statement
  readonly totalLifeMs: number
}
export type BareServer = { readonly url: string; readonly port: number; readonly lists: readonly BareList[] }

/** As many connections as the console's pool for reading. */
const CONNECTIONS = 12

answerQuestions(async ({ url, port, lists }: BareServer) => {
  // The console's choice, and the cheaper one: times travel as text.
  pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, text => text)
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, options: '-c timezone=UTC' })
  const names = new Map<string, string>()
  const rows = async ({ text, values }: Statement): Promise<Record<string, unknown>[]> => {
    const name = names.get(text) ?? `s${names.size}`
    names.set(text, name)
    return (await pool.query({ name, text, values: values as unknown[] })).rows
  }
  const totals = new Map<string, { until: number; value: Promise<number> }>()
  const totalOf = ({ path, total, totalLifeMs }: BareList): Promise<number> => {
    const kept = totals.get(path)
    if (kept && kept.until > Date.now()) return kept.value
    const value = rows(total).then(counted => counted.reduce((sum, { n }) => sum + Number(n), 0))
    totals.set(path, { until: Date.now() + totalLifeMs, value })
    return value
  }
  /** One after the other, as the console must: the last one gives the rows. */
  const recordsOf = async ({ each }: BareList): Promise<Record<string, unknown>[]> => {
    let records: Record<string, unknown>[] = []
    for (const statement of each) records = await rows(statement)
    return records
  }
  const answerOf = async (list: BareList): Promise<string> => {
    const [total, records] = await Promise.all([totalOf(list), recordsOf(list)])
    return JSON.stringify({ code: 0, msg: 'ok', data: { records, total } })
  }
  const known = new Map(lists.map(list => [list.path, list]))
  const server = createServer((request, response) => {
    const list = known.get(request.url ?? '')
    if (!list) return void response.writeHead(404).end()
    answerOf(list).then(
      body => response.setHeader('content-type', 'application/json; charset=utf-8').end(body),
      error => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
})
