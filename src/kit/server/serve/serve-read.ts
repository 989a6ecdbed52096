import * as z from 'zod'
import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { isContent } from '#kit/model/edition.ts'
import { fieldMeta } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { label, metaOf, type Resource } from '#kit/model/resource.ts'
import { toDo } from '#kit/model/to-do.ts'
import { treeOfNodes } from '#kit/model/tree.ts'
import { waiting } from '#kit/model/waiting.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import type { Diff } from '../change/audit.ts'
import { access, base, type Served } from '../change/rules.ts'
import { standingOf } from '../change/step.ts'
import { readAsked } from '../change/to-do.ts'
import { pagesOf, undoableLine } from '../change/undo.ts'
import type { Row } from '../database/database.ts'
import { requireReference } from '../declared.ts'
import { idParams, type Route, route } from '../http/route.ts'
import { readDepartments } from '../list/department-tree.ts'
import type { ReadRow } from '../list/select.ts'
import { inWords } from '../text/in-words.ts'

const counts = z.record(z.string(), z.int()).nullable()
const happened = z.array(
  z.strictObject({
    id: z.string(),
    at: z.string(),
    actor: z.string(),
    action: z.string(),
    diff: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
    reason: z.string().nullable(),
    undoes: z.string().nullable(),
    mayUndo: z.boolean(),
  }),
)
const toDoList = z.array(toDo)

/** List, counts, detail and timeline of a resource. */
export function readRoutes(served: Served): Route[] {
  const { app, resource, rules, list } = served
  const { path, texts } = base(resource)
  const finished = async (rows: ReadRow[], call: Call) => {
    const standing = await standingOf(served, rows, call.actor as Actor, call.language)
    for (const row of rows) {
      for (const [field, name] of Object.entries(rules.named?.(app, row, call.language) ?? {}))
        if (name !== undefined) row.labels[field] = { id: String(row.id), name, note: null, tone: null }
    }
    const kept = await keptOf(served, rows, call)
    return rows.map((row, index) => {
      const { steps = {}, waiting = null, ...more } = standing[index] ?? {}
      return Object.assign(row, { steps: { ...steps, ...kept?.(row) }, waiting, ...more })
    })
  }
  return [
    route({
      method: 'GET',
      path,
      texts,
      access: access(resource, 'list'),
      query: 'list',
      answer: () =>
        z.strictObject({ records: z.array(rowSchema(resource, false)), total: z.int(), totalAt: z.string() }),
      summary: 'One page of what the filter matches.',
      async handle(call) {
        const { rows, total, totalAt } = await list.page(
          await readAsked(app, resource, call.search, call.actor),
          call.actor,
        )
        return { records: await finished(rows, call), total, totalAt: totalAt.toISOString() }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/counts`,
      texts,
      access: access(resource, 'list'),
      query: 'list',
      answer: counts,
      summary: 'Rows by state under the other filters, for the tabs; nothing where they cannot be counted in time.',
      handle: async call => list.tabs(await readAsked(app, resource, call.search, call.actor), call.actor),
    }),
    ...toDoRoutes(served),
    ...(resource.list.side ? [departmentsRoute(served)] : []),
    route({
      method: 'GET',
      path: `${path}/:id`,
      texts,
      access: access(resource, 'detail'),
      params: idParams,
      answer: () => rowSchema(resource, true),
      summary: 'One record.',
      async handle(call, { params }) {
        const row = await list.one(params.id, call.actor)
        if (!row) throw new Refused(refuse('kit:record-missing'), 'not-found')
        const [whole] = await finished([row], call)
        return { ...whole, ...(await rules.detail?.(app, row, call.language, call.actor)) }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:id/timeline`,
      texts,
      access: access(resource, 'detail'),
      params: idParams,
      answer: happened,
      summary: 'What happened to the record, newest first.',
      async handle(call, { params }) {
        const row = await list.one(params.id, call.actor)
        if (!row) throw new Refused(refuse('kit:record-missing'), 'not-found')
        const [entries, open] = await Promise.all([
          timeline(app, resource, params.id),
          undoableLine(served, row, call.actor),
        ])
        const words = (values: Row) => rules.named?.(app, { ...row, ...values }, call.language) ?? {}
        return entries.map(entry => ({ ...entry, diff: toldInWords(entry.diff, words), mayUndo: entry.id === open }))
      },
    }),
  ]
}

/** What stands at the side of the list. */
function departmentsRoute({ app, resource }: Served): Route {
  const { path, texts } = base(resource)
  return route({
    method: 'GET',
    path: `${path}/departments`,
    texts,
    access: access(resource, 'list'),
    answer: treeOfNodes,
    summary: 'The departments of the caller’s scope as they stand below one another, with how many rows each has.',
    handle: ({ actor, language }) => readDepartments(app, resource, scopeOf(actor, resource.screen.key), language),
  })
}

/** What keeps a record from being deleted, for whoever could otherwise: it stands beside the steps, open or with its reason. */
async function keptOf({ app, resource, rules }: Served, rows: readonly ReadRow[], { actor, language }: Call) {
  if (!rules.kept || rows.length === 0 || !can(actor as Actor, resource.screen.key, 'delete')) return undefined
  const kept = await rules.kept(app.db.query, rows)
  return ({ id }: ReadRow) => {
    const refusal = kept.get(String(id))
    const why = refusal && { code: refusal.code, msg: inWords(app, language, resource.screen.name, refusal) }
    return { delete: why ?? null }
  }
}

const toDoRoutes = ({ app, resource }: Served): Route[] => {
  const { path, texts } = base(resource)
  const toDos = app.toDos.get(resource.screen.name)
  if (!toDos) return []
  return [
    route({
      method: 'GET',
      path: `${path}/to-do`,
      texts,
      access: access(resource, 'list'),
      answer: toDoList,
      summary: 'What waits here for the caller to take a step.',
      handle: ({ actor, language }) => toDos.all(actor, language),
    }),
  ]
}

async function timeline(app: App, resource: Resource, id: string) {
  const entries = await app.db.query
    .selectFrom('operation_log')
    .select(['id', 'at', 'actor_name as actor', 'action', 'diff', 'reason', 'undoes'])
    .where('page', 'in', pagesOf(app, resource))
    .where('record_id', '=', id)
    .where('code', '=', 0)
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  const diffs = entries.map(({ diff }) => withoutErased(diff as Readonly<Record<string, Diff[string] | null>>))
  const names = await namesIn(app, resource, diffs)
  return entries.map((entry, at) => ({ ...entry, diff: named(diffs[at] ?? {}, names) }))
}

/** What was erased leaves its field, which then tells of nothing. */
const withoutErased = (diff: Readonly<Record<string, Diff[string] | null>>): Diff =>
  Object.fromEntries(Object.entries(diff).map(([field, pair]) => [field, pair ?? [null, null]]))

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

/** A figure or a list the slice has words for is told by them: it comes with what it counts, or with what its entries are called. */
function toldInWords(diff: Diff, words: (values: Row) => Readonly<Record<string, string | undefined>>): Diff {
  const told = (side: 0 | 1) => {
    const values = Object.fromEntries(Object.entries(diff).map(([field, sides]) => [field, sides[side]]))
    const said = words(values)
    return (field: string) =>
      typeof values[field] === 'number' || Array.isArray(values[field]) ? (said[field] ?? values[field]) : values[field]
  }
  const [before, after] = [told(0), told(1)]
  return Object.fromEntries(Object.keys(diff).map(field => [field, [before(field), after(field)]]))
}

const named = (diff: Diff, names: ReadonlyMap<string, ReadonlyMap<unknown, unknown>>): Diff =>
  Object.fromEntries(
    Object.entries(diff).map(([field, [before, after]]) => {
      const known = names.get(field)
      return [field, [known?.get(before) ?? before, known?.get(after) ?? after]]
    }),
  )

const labels = z.record(z.string(), label)
const steps = z.record(z.string(), z.strictObject({ code: z.string(), msg: z.string() }).nullable())
const masked = z.string().nullable()

/** What a row of the list answers: lines are for the detail. */
export const rowSchema = (resource: Resource, whole: boolean) => {
  const shape = Object.entries(resource.record.shape).filter(
    ([, schema]) => whole || fieldMeta(schema).kind !== 'detail',
  )
  return z.strictObject({
    ...Object.fromEntries(
      shape.map(([field, schema]) => [field, isContent(resource, field) ? beforeFirst(schema) : answered(schema)]),
    ),
    labels,
    steps,
    waiting: waiting.nullable(),
    askedId: z.string().optional(),
  })
}

// Before the first edition there are no words, also where a draft may not leave them out.
const beforeFirst = (schema: z.ZodType): z.ZodType =>
  fieldMeta(schema).kind === 'text' ? schema.or(z.literal('')) : schema

// A masked value no longer has the shape that was typed.
const answered = (schema: z.ZodType): z.ZodType => (fieldMeta(schema).kind === 'personal' ? masked : schema)
