import * as z from 'zod'
import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { fieldMeta } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import type { App } from './app.ts'
import type { Diff } from './audit.ts'
import { binder, boundsSql, type ReadRow, requireReference } from './list.ts'
import { readListQuery } from './list-query.ts'
import { type Call, idParams, type Route, route } from './route.ts'
import { access, base, type Served } from './rules.ts'
import { stepsOf } from './step.ts'

/** List, counts, detail and timeline of a resource. */
export function readRoutes(served: Served): Route[] {
  const { app, resource, rules, list } = served
  const { path, texts } = base(resource)
  const finished = async (rows: ReadRow[], call: Call) => {
    const steps = await stepsOf(served, rows, call.actor as Actor, call.language)
    return rows.map((row, index) => Object.assign(row, { steps: steps[index] }))
  }
  return [
    route({
      method: 'GET',
      path,
      texts,
      access: access(resource, 'list'),
      query: 'list',
      answer: z.strictObject({ records: z.array(rowSchema(resource, false)), total: z.int(), totalAt: z.string() }),
      summary: 'One page of what the filter matches.',
      async handle(call) {
        const { rows, total, totalAt } = await list.page(readListQuery(resource, call.search), call.actor)
        return { records: await finished(rows, call), total, totalAt: totalAt.toISOString() }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/counts`,
      texts,
      access: access(resource, 'list'),
      answer: z.record(z.string(), z.int()),
      summary: 'Rows by state, for the tabs.',
      handle: call => list.tabs(call.actor),
    }),
    route({
      method: 'GET',
      path: `${path}/:id`,
      texts,
      access: access(resource, 'detail'),
      params: idParams,
      answer: rowSchema(resource, true),
      summary: 'One record.',
      async handle(call, { params }) {
        const row = await list.one(params.id, call.actor)
        if (!row) throw new Refused(refuse('kit:record-missing'), 'not-found')
        const [whole] = await finished([row], call)
        return { ...whole, ...(await rules.detail?.(app, row)) }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:id/timeline`,
      texts,
      access: access(resource, 'detail'),
      params: idParams,
      answer: z.array(
        z.strictObject({
          id: z.string(),
          at: z.string(),
          actor: z.string(),
          action: z.string(),
          diff: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
          reason: z.string().nullable(),
        }),
      ),
      summary: 'What happened to the record, newest first.',
      async handle(call, { params }) {
        if (!(await list.one(params.id, call.actor))) throw new Refused(refuse('kit:record-missing'), 'not-found')
        return timeline(app, resource, params.id)
      },
    }),
  ]
}

async function timeline(app: App, resource: Resource, id: string) {
  const entries = await app.db.query
    .selectFrom('operation_log')
    .select(['id', 'at', 'actor_name as actor', 'action', 'diff', 'reason'])
    .where('page', 'in', pagesOf(app, resource))
    .where('record_id', '=', id)
    .where('code', '=', 0)
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  const names = await namesIn(
    app,
    resource,
    entries.map(({ diff }) => diff as Diff),
  )
  return entries.map(entry => ({ ...entry, diff: named(entry.diff as Diff, names) }))
}

/** Screens on one table tell one story of its records. */
const pagesOf = ({ catalogue }: App, { table }: Resource): string[] =>
  catalogue.slices.flatMap(slice => (slice.resource?.table === table ? [slice.resource.screen.key] : []))

/** For each reference field, what the ids in these changes are called. */
async function namesIn(
  app: App,
  resource: Resource,
  diffs: readonly Diff[],
): Promise<Map<string, Map<unknown, unknown>>> {
  const names = new Map<string, Map<unknown, unknown>>()
  for (const field of Object.keys(resource.record.shape)) {
    const meta = metaOf(resource, field)
    const ids = diffs.flatMap(diff => diff[field] ?? []).filter(value => value !== null)
    if (meta.kind !== 'reference' || ids.length === 0) continue
    const { table, label } = requireReference(app.catalogue, meta.to)
    const rows = await app.db.read.rows(
      `select t.id, t.${label.name} as name from ${table} t where t.id = any($1::bigint[])`,
      [ids],
    )
    names.set(field, new Map(rows.map(row => [row.id, row.name])))
  }
  return names
}

const named = (diff: Diff, names: ReadonlyMap<string, ReadonlyMap<unknown, unknown>>): Diff =>
  Object.fromEntries(
    Object.entries(diff).map(([field, [before, after]]) => {
      const known = names.get(field)
      return [field, [known?.get(before) ?? before, known?.get(after) ?? after]]
    }),
  )

/** What a row of the list answers: lines are for the detail. */
export const rowSchema = (resource: Resource, whole: boolean) => {
  const shape = Object.entries(resource.record.shape).filter(
    ([, schema]) => whole || fieldMeta(schema).kind !== 'detail',
  )
  const label = z.strictObject({
    id: z.string(),
    name: z.string(),
    note: z.string().nullable(),
    tone: z.string().nullable(),
  })
  const step = z.strictObject({ code: z.string(), msg: z.string() })
  return z.strictObject({
    ...Object.fromEntries(shape.map(([field, schema]) => [field, answered(schema)])),
    labels: z.record(z.string(), label),
    steps: z.record(z.string(), step.nullable()),
  })
}

// A masked value no longer has the shape that was typed.
const answered = (schema: z.ZodType): z.ZodType =>
  fieldMeta(schema).kind === 'personal' ? z.string().nullable() : schema

/** Whether the person may see this row of the resource, for what hangs on it (files, pushes). */
export async function sees(app: App, resource: Resource, id: string, actor: Actor): Promise<boolean> {
  if (!can(actor, resource.screen.key, 'list')) return false
  const { bind, values } = binder()
  const place = bind(id)
  const rule = boundsSql(resource, scopeOf(actor, resource.screen.key), bind)
  return (
    (await app.db.read.rows(`select 1 from ${resource.table} t where t.id = ${place}${rule && ` and ${rule}`}`, values))
      .length > 0
  )
}
