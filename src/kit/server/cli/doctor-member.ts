import { readCatalogue } from '#kit/server/catalogue.ts'
import { allForgetting, type Forgetting, whereOf } from '#kit/server/change/erasure.ts'
import { findNumber } from '#kit/server/change/erasure-proof.ts'
import type { Database } from '#kit/server/database/database.ts'
import type { Env } from '#kit/server/process/env.ts'
import { keptSecret } from '#kit/server/process/kept-secret.ts'

type Patient = { readonly env: Env; readonly db: Database }

/** Says of one member what is still there; of one whose account was closed all of it is a fault (decision 072). */
export async function proveErased(patient: Patient, memberId: string): Promise<number> {
  const { pool } = patient.db.read
  const { rows } = await pool.query<{ hash: string; at: string }>(
    `select phone_hash as hash, to_char(erased_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as at
     from erasure where member_id = $1`,
    [memberId],
  )
  const [known] = rows
  const left = await findLeft(patient, memberId)
  if (!known) {
    console.log(`note   member ${memberId} was not erased`)
    for (const { where, count } of left) console.log(`note   ${where}: ${count}`)
    return 0
  }
  const numbers = (await findNumber(pool, await withSecret(patient.env), known.hash)).map(
    ({ table, column }) => `${table}.${column}: the number`,
  )
  const faults = [...left.map(({ where, count }) => `${where}: ${count}`), ...numbers]
  for (const fault of faults) console.log(`FAULT  ${fault}`)
  if (faults.length === 0) console.log(`ok     member ${memberId} was erased on ${known.at}, and nothing is left`)
  return faults.length === 0 ? 0 : 1
}

type Found = { readonly where: string; readonly count: number }

/** Columns that do not say what they say of somebody erased, and files of records about the member. */
async function findLeft({ db }: Patient, memberId: string): Promise<Found[]> {
  const { listeners, slices } = await readCatalogue()
  const found: Found[] = []
  const count = async (where: string, text: string, values: readonly unknown[]) => {
    const [row] = await db.read.rows(text, values)
    if (Number(row?.n) > 0) found.push({ where, count: Number(row?.n) })
  }
  for (const told of await allForgetting({ listeners })) {
    const about = [memberId, []]
    for (const [column, becomes] of Object.entries(told.becomes))
      await count(`${told.table}.${column}`, stillSaid(told, column, becomes), about)
    const pages = slices.flatMap(({ resource }) => (resource?.table === told.table ? [resource.screen.key] : []))
    if (pages.length > 0 && !told.keepsFiles)
      await count(
        `files of ${told.table}`,
        `select count(*) as n from file where page = any($3::text[]) and record_id in (select t.id from ${told.table} t where ${whereOf(told)})`,
        [...about, pages],
      )
  }
  return found
}

const stillSaid = (told: Forgetting, column: string, becomes: string): string =>
  `select count(*) as n from ${told.table} t where ${whereOf(told)} and t.${column} is distinct from (${becomes})`

const withSecret = async (env: Env): Promise<Env> => ({
  ...env,
  CODE_SECRET: env.CODE_SECRET ?? (await keptSecret(env.DATA_DIR, 'code-secret')),
})
