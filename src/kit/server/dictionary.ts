import * as z from 'zod'
import { kvListName } from '#kit/model/contract.ts'
import { columnOf, fieldMeta } from '#kit/model/field.ts'
import type { App } from './app.ts'
import { type Database, run } from './database.ts'
import type { Operation } from './operation.ts'
import { type Route, route } from './route.ts'

const MAX_TARGETS = 50

/** The entries of these dictionaries in their order: what selects offer and what exports write for a stored value. */
export const dictionaryEntries = (db: Database, codes: readonly string[]) =>
  db.query
    .selectFrom('dictionary_item as i')
    .innerJoin('dictionary_type as t', 't.id', 'i.type_id')
    .select(['t.code', 'i.label as k', 'i.value as v', 'i.colour', 'i.enabled'])
    .where('t.code', 'in', ['', ...codes])
    .orderBy('i.sort')
    .execute()

/** The first of these values of a dictionary that records still hold, and how many do. */
export async function findUse(op: Operation, code: string, values: readonly string[]) {
  for (const { resource } of op.app.catalogue.slices) {
    for (const [field, schema] of Object.entries(resource?.record.shape ?? {})) {
      const meta = fieldMeta(schema)
      if (!resource || meta.kind !== 'dictionary' || meta.code !== code) continue
      const column = columnOf(field)
      const [used] = await run(
        op.tx,
        `select ${column} as value, count(*)::int as count from ${resource.table} where ${column} = any($1) group by 1 limit 1`,
        [values],
      )
      if (used) return { value: String(used.value), count: Number(used.count) }
    }
  }
}

const entry = z.strictObject({ k: z.string(), v: z.string(), colour: z.string().nullable(), enabled: z.boolean() })

/** Spec §7: dictionaries by code. Only type D: its ancestor's type T would read any table. */
export const dictionaryRoutes = (app: App): Route[] => [
  route({
    method: 'POST',
    path: '/common/attachMore',
    access: 'session',
    body: z.array(z.strictObject({ type: z.literal('D'), target: z.string().min(1).max(50) })).max(MAX_TARGETS),
    answer: z.record(z.string(), z.array(entry)),
    summary: 'Entries of dictionaries, by code; an unknown code has none.',
    async handle(_call, { body }) {
      const targets = body.map(({ target }) => target)
      const rows = await dictionaryEntries(app.db, targets)
      const of = (target: string) => rows.filter(({ code }) => code === target).map(({ code: _, ...shown }) => shown)
      return Object.fromEntries(targets.map(target => [kvListName(target), of(target)]))
    },
  }),
]
