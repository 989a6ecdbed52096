import { readXlsx } from 'hucre/xlsx'
import type { Instance } from '../../src/kit/server/start/start.ts'
import type { Caller } from './instance.ts'

export type Download = {
  status: number
  headers: Record<string, unknown>
  bytes: Buffer
  code: number
  data: { taskId: string } | null
}

/** Fetches what may be a file or an envelope. */
export async function download(instance: Instance, by: Caller, path: string, language = 'en-US'): Promise<Download> {
  const answer = await instance.http.inject({
    method: 'GET',
    url: `/api${path}`,
    headers: { authtoken: by.token, 'accept-language': language },
  })
  const isJson = answer.headers['content-type']?.toString().startsWith('application/json')
  const body = isJson ? answer.json() : { code: Number(answer.headers.code), data: null }
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, ...body }
}

export type SheetCell = string | number | boolean | Date | null

/** The cells of every sheet's rows, the head first and the watermark last. */
export async function readSheet(bytes: Buffer): Promise<{ head: SheetCell[]; rows: SheetCell[][]; watermark: string }> {
  const { sheets } = await readXlsx(bytes)
  const [head = [], ...rows] = sheets.flatMap(sheet => sheet.rows) as SheetCell[][]
  return { head, watermark: String(rows.pop()?.[0]), rows }
}
