import { sql } from 'kysely'
import * as z from 'zod'
import { type Actor, scopeOf } from '#kit/model/actor.ts'
import {
  type Body,
  type DraftEdition,
  draftEdition,
  editionBody,
  type PublishedEdition,
  publishedEdition,
  type StaleDraft,
  staleDraft,
  type Use,
} from '#kit/model/edition.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { RecordOf, Resource, Shape } from '#kit/model/resource.ts'
import type { Inputs, Workflow } from '#kit/model/workflow.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import {
  type BodyRules,
  discardDraft,
  editionInvariants,
  type Published,
  publishDraft,
  reopenDraft,
  restoreEdition,
  saveDraft,
  whyNotOver,
  withoutContent,
  writeDraft,
} from '../change/edition.ts'
import { once } from '../change/idempotency.ts'
import type { Invariant } from '../change/invariants.ts'
import { type Operation, operate } from '../change/operation.ts'
import { access, base, type Rules, type Served } from '../change/rules.ts'
import { lockRow } from '../change/step.ts'
import type { Row, Tx } from '../database/database.ts'
import { idParams, type Route, type Routes, route } from '../http/route.ts'
import type { Asked } from '../list/holders.ts'
import type { ReadRow } from '../list/select.ts'
import { serve } from './serve.ts'
import { rowSchema } from './serve-read.ts'

type EditionRules<Fields, Facts, Steps extends Inputs> = Omit<
  Rules<Fields, Facts, Steps>,
  'store' | 'workflow' | 'effects' | 'undo'
> & {
  complete?(op: Operation, body: Fields, standing?: Fields): Promise<Fields>
  unready?: (drafted: Fields, op: Operation) => ReturnType<NonNullable<BodyRules['unready']>>
  /** What holds these editions, by the id of each, as far as whoever asks may see it. */
  uses(app: App, asked: Asked): Promise<ReadonlyMap<string, readonly Use[]>>
}
type Known = BodyRules & Pick<EditionRules<Row, unknown, Inputs>, 'uses'>

/** The calls of a resource that is drafted and published, and what is always true of its editions (decision 047). */
export function serveEditions<S extends Shape, Facts, Steps extends Inputs>(
  declared: Resource<S>,
  workflow: Workflow<RecordOf<Resource<S>>, string, Facts, Steps>,
  { complete, unready, uses, ...rules }: EditionRules<RecordOf<Resource<S>>, Facts, Steps>,
): { routes: Routes; invariants: readonly Invariant[] } {
  // Inside the kit a record is a row of named values; the types are the slice's.
  const resource = declared as Published
  const known = { complete, unready, uses } as Known
  const own = rules as Rules<Row>
  const whole: Rules<Row> = {
    ...own,
    ...closedWhenStale(resource, own, workflow as unknown as Workflow<Row>),
    async store(op, entered, _before, write) {
      const drafted = Object.fromEntries(resource.edit.map(field => [field, entered[field]]))
      const body = (await known.complete?.(op, drafted)) ?? drafted
      const id = await write({ ...entered, ...withoutContent(resource, body) })
      await writeDraft(op, resource, id, 0, body)
      return id
    },
    effects: {
      publish: (op, row, seen) => {
        requireSeen(seen)
        return publishDraft(op, resource, known, row)
      },
      discard: (op, row, seen) => {
        requireSeen(seen)
        return discardDraft(op, resource, String(row.id))
      },
    },
    undo: { discard: (op, row) => reopenDraft(op, resource, String(row.id)) },
  }
  return {
    routes: serve<Shape, unknown>(resource, whole, served => ({
      editing: {
        edit: (op, before, fields) => saveDraft(op, resource, known, before, fields),
        latest: (row, call) => editedFrom(served, resource, row, call),
      },
      routes: [...readingRoutes(served, resource, known), restoreRoute(served, resource, known)],
    })),
    invariants: editionInvariants(resource),
  }
}

/** A draft goes on changing: nobody publishes or throws away another one than was looked at. That it still stands, the step asks. */
function requireSeen({ version }: { readonly version?: number | undefined }): void {
  if (version === undefined) throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
}

/** What the slice knows of a record, and what its draft was begun from. */
type Begun = { readonly own: unknown; readonly base: number | undefined }

/** A draft that would be refused is not offered for publishing: the button says why before it is pressed. */
function closedWhenStale(
  { editions: { table, by } }: Published,
  rules: Rules<Row>,
  workflow: Workflow<Row>,
): Pick<Rules<Row>, 'workflow' | 'facts'> {
  const steps = Object.entries(workflow.steps).map(([name, step]) => {
    const guard: typeof step.guard = (row, actor, facts) => {
      const { own, base: begun } = (facts ?? {}) as Partial<Begun>
      const stale = name === 'publish' && begun !== undefined && whyNotOver(begun, Number(row.edition))
      return stale || step.guard?.(row, actor, own)
    }
    return [name, { ...step, guard }]
  })
  return {
    workflow: { ...workflow, steps: Object.fromEntries(steps) },
    async facts(db, rows, now) {
      const known = await rules.facts?.(db, rows, now)
      const ids = rows.map(({ id }) => String(id))
      const drafts = await sql<{ id: string; base: number }>`
        select ${sql.ref(by)} as id, base from ${sql.table(table)}
        where ${sql.ref(by)} = any(${ids}::bigint[]) and state = 'DRAFT'`.execute(db as Tx)
      const bases = new Map(drafts.rows.map(({ id, base: begun }) => [id, begun]))
      return new Map(ids.map(id => [id, { own: known?.get(id), base: bases.get(id) }]))
    },
  }
}

type Asking = Call<{ page: string; action: string }>

/** The record as its form opens: with its draft, where there is one. */
async function editedFrom(
  { app, rules }: Served,
  resource: Published,
  row: ReadRow,
  { language, actor }: Pick<Asking, 'language' | 'actor'>,
): Promise<Row & { stale: StaleDraft | null }> {
  const id = String(row.id)
  const [more, draft] = await Promise.all([rules.detail?.(app, row, language, actor), readDraft(app, resource, id)])
  const fields = { ...row, ...more, steps: {}, waiting: null }
  if (!draft) return { ...fields, stale: null }
  if (draft.base === row.edition) return { ...fields, ...draft.body, stale: null }
  const begunFrom = await readBody(app, resource, id, draft.base)
  return { ...fields, stale: { mine: draft.body, base: begunFrom ?? {} } }
}

const MOST_EDITIONS = 100
const wanted = z.strictObject({ edition: z.string().regex(/^[1-9]\d{0,5}$/) })

function readingRoutes(served: Served, resource: Published, known: Known): Route[] {
  const { app, list } = served
  const { path, texts } = base(resource)
  const find = async (id: string, { actor }: Asking) => {
    const row = await list.one(id, actor)
    if (!row) throw new Refused(refuse('kit:record-missing'), 'not-found')
    return row
  }
  const shared = { method: 'GET', texts, params: idParams } as const
  return [
    route({
      ...shared,
      path: `${path}/:id/editions`,
      access: access(resource, 'detail'),
      answer: z.array(publishedEdition),
      summary: 'What was published of the record, newest first, and what holds each.',
      async handle(call, { params: { id } }) {
        await find(id, call)
        return readEditions(app, resource, known, id, call.actor)
      },
    }),
    route({
      ...shared,
      path: `${path}/:id/editions/body`,
      query: wanted,
      access: access(resource, 'detail'),
      answer: editionBody,
      summary: 'What one edition says.',
      async handle(call, { params: { id }, query }) {
        await find(id, call)
        const body = await readBody(app, resource, id, Number(query.edition))
        if (!body) throw new Refused(refuse('kit:edition-missing', { edition: query.edition }), 'not-found')
        return body
      },
    }),
    route({
      ...shared,
      path: `${path}/:id/draft`,
      access: access(resource, 'drafts'),
      answer: draftEdition.nullable(),
      summary: 'What somebody works at, if somebody does.',
      async handle(call, { params: { id } }) {
        await find(id, call)
        return (await readDraft(app, resource, id)) ?? null
      },
    }),
    route({
      ...shared,
      path: `${path}/:id/edited`,
      access: access(resource, 'update'),
      answer: () => rowSchema(resource, true).extend({ stale: staleDraft.nullable() }),
      summary: 'The record as its form opens: with its draft, where there is one.',
      async handle(call, { params: { id } }) {
        return editedFrom(served, resource, await find(id, call), call)
      },
    }),
  ]
}

function restoreRoute({ app, resource, rules }: Served, published: Published, known: Known): Route {
  const { path, texts } = base(resource)
  return route({
    method: 'POST',
    path: `${path}/:id/restore`,
    texts,
    access: access(resource, 'restore'),
    params: idParams,
    body: z.strictObject({
      edition: z.int().min(1).max(1_000_000),
      /** The edition that was shown as the published one. */
      current: z.int().min(1).max(1_000_000),
      reason: z.string().trim().min(1).max(200),
    }),
    answer: z.null(),
    summary: 'Publishes an older edition again, under a new number.',
    async handle(call, { params: { id }, body }) {
      const work = async (op: Operation) => {
        await rules.lock?.(op, id)
        const row = await lockRow(op, resource, id)
        await restoreEdition(op, published, known, row, body)
        return null
      }
      await operate(
        app,
        call,
        op => once(op.tx, call, `${path}/${id}/restore`, body, () => work(op)),
        rules.constraints,
      )
      app.counts.drop(resource.table)
      return null
    },
  })
}

async function readEditions(
  app: App,
  { screen, editions: { table, by } }: Published,
  { uses }: Known,
  id: string,
  actor: Actor,
): Promise<PublishedEdition[]> {
  const rows = (await app.db.read.rows(
    `select e.id, e.edition, e.restores, s.name as "publishedBy", e.published_at as "publishedAt"
     from ${table} e join staff s on s.id = e.published_by where e.${by} = $1 and e.edition is not null
     order by e.edition desc limit ${MOST_EDITIONS}`,
    [id],
  )) as (Omit<PublishedEdition, 'uses'> & { id: string })[]
  const held = await uses(app, {
    editionIds: rows.map(row => row.id),
    scope: scopeOf(actor, screen.key),
    actor,
  })
  return rows.map(({ id: editionId, ...edition }) => ({ ...edition, uses: [...(held.get(editionId) ?? [])] }))
}

async function readDraft(
  app: App,
  { editions: { table, by } }: Published,
  id: string,
): Promise<DraftEdition | undefined> {
  const [draft] = await app.db.read.rows(
    `select e.base, e.body, s.name as "draftedBy", e.drafted_at as "draftedAt"
     from ${table} e join staff s on s.id = e.drafted_by where e.${by} = $1 and e.state = 'DRAFT'`,
    [id],
  )
  return draft as DraftEdition | undefined
}

async function readBody(app: App, { editions: { table, by } }: Published, id: string, edition: number) {
  const [found] = await app.db.read.rows(`select body from ${table} where ${by} = $1 and edition = $2`, [id, edition])
  return found?.body as Body | undefined
}
