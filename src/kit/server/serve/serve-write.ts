import * as z from 'zod'
import { MAX_IDS } from '#kit/model/contract.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { createBody, createShape, editBody, metaOf, type Resource } from '#kit/model/resource.ts'
import type { Call } from '../call.ts'
import { diffOf, record } from '../change/audit.ts'
import { requireOffered } from '../change/given.ts'
import { once } from '../change/idempotency.ts'
import { type Operation, operate } from '../change/operation.ts'
import { access, base, type Served } from '../change/rules.ts'
import { columnsOf, lockRow } from '../change/step.ts'
import { type Row, run, sqlState } from '../database/database.ts'
import { idParams, type Route, route } from '../http/route.ts'
import { binder } from '../list/scope.ts'
import type { ReadRow } from '../list/select.ts'
import { attach } from '../storage/file.ts'
import { asPhoneSearch } from './personal.ts'
import { requireNewPlace } from './serve-tree.ts'

const idsText = z.strictObject({ ids: z.string().regex(/^[1-9]\d{0,17}(,[1-9]\d{0,17})*$/) })
const created = z.strictObject({ id: z.string() })
const done = z.null()

export type Writing = Call<{ page: string; action: string }>

export function createRoute(served: Served): Route {
  const { app, resource, rules } = served
  const { path, texts } = base(resource)
  return route({
    method: 'POST',
    path,
    texts,
    access: access(resource, 'create'),
    body: () => createBody(resource),
    answer: created,
    summary: 'Adds a record.',
    async handle(call, { body }) {
      const make = async (op: Operation) => {
        await requireOffered(op, { page: resource.screen.key, shape: createShape(resource) }, body as Row)
        await requireNewPlace(op.tx, resource, body as Row)
        let stored = body as Row
        const insert = (fields: Row) => {
          // What the rules keep out of the record is not told by its timeline either.
          stored = Object.fromEntries(
            Object.entries(body as Row).map(([name, sent]) => [name, name in fields ? fields[name] : sent]),
          )
          return insertRow(op, resource, fields)
        }
        const id = rules.store ? await rules.store(op, body as Row, undefined, insert) : await insert(body as Row)
        await takeFiles(op, resource, id, body as Row)
        await record(op.tx, call, {
          page: resource.screen.key,
          action: 'create',
          recordId: id,
          diff: diffOf(resource, {}, stored),
        })
        return { id }
      }
      const answer = await asPhoneSearch(served, call, body as Row, () =>
        operate(app, call, op => once(op.tx, call, path, body, () => make(op)), rules.constraints),
      )
      app.counts.drop(resource.table)
      return answer
    },
  })
}

/** What an edit does with the record it was made of. */
export type Editing = {
  edit(op: Operation, before: Row, fields: Row): Promise<void>
  /** The record as its form goes on from it after a conflict. */
  latest(row: ReadRow, call: Writing): Promise<Row>
}

/** What was entered is stored as the rules complete it, at once. */
export const editingAtOnce = ({ app, resource, rules }: Served): Editing => ({
  async edit(op, before, fields) {
    const id = String(before.id)
    let stored = fields
    const update = (changed: Row) => {
      // What the rules store beside what was entered, a state say, is part of what happened.
      stored = { ...fields, ...changed }
      return updateRow(op, resource, id, changed)
    }
    if (rules.store) await rules.store(op, fields, before, update)
    else await update(fields)
    const diff = diffOf(resource, before, stored)
    await record(op.tx, op.call, { page: resource.screen.key, action: 'update', recordId: id, diff })
  },
  latest: async (row, { language, actor }) => ({ ...row, ...(await rules.detail?.(app, row, language, actor)) }),
})

/** Spec §7: the record is named in the path, or by the id in the body. */
export function editRoutes(served: Served, { edit, latest }: Editing): Route[] {
  const { app, resource, rules, list } = served
  const { path, texts } = base(resource)
  const change = (call: Writing, id: string, { version, ...fields }: Row & { version: number }) =>
    operate(
      app,
      call,
      async op => {
        const before = (await lockRow(op, resource, id)) as Row
        if (before.version !== version) throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
        const { shape } = resource.record
        await requireOffered(op, { page: resource.screen.key, shape }, fields, { shape, row: before })
        await edit(op, before, fields)
        await takeFiles(op, resource, id, fields)
      },
      rules.constraints,
    )
  const handle = async (call: Writing, id: string, body: Row & { version: number }) => {
    try {
      await asPhoneSearch(served, call, body, () => change(call, id, body))
    } catch (error) {
      if (!(error instanceof Refused) || error.kind !== 'conflict') throw error
      // Read once the transaction has given its connection back: inside it, callers who wait for one another's
      // connections would starve.
      const row = await list.one(id, call.actor)
      throw new Refused(error.refusal, 'conflict', { detail: row && (await latest(row, call)) })
    }
    app.counts.drop(resource.table)
    return null
  }
  const shared = {
    method: 'PUT',
    texts,
    access: access(resource, 'update'),
    answer: done,
    summary: 'Changes a record, if it is still the version that was read.',
  } as const
  return [
    route({
      ...shared,
      path: `${path}/:id`,
      params: idParams,
      body: () => editBody(resource),
      handle: (call, { params, body }) => handle(call, params.id, body as Row & { version: number }),
    }),
    route({
      ...shared,
      path,
      body: () => editBody(resource).extend(idParams.shape),
      handle: (call, { body: { id, ...body } }) => handle(call, String(id), body as Row & { version: number }),
    }),
  ]
}

/** Spec §7: all or nothing, whether the ids stand in the path or in the query. */
export function removeRoutes({ app, resource, rules }: Served): Route[] {
  const { path, texts } = base(resource)
  const remove = async (call: Writing, given: string) => {
    const ids = [...new Set(given.split(','))].sort((a, b) => Number(BigInt(a) - BigInt(b)))
    if (ids.length > MAX_IDS) throw new Refused(refuse('kit:too-many-ids', { max: MAX_IDS }), 'parameter')
    await operate(
      app,
      call,
      async op => {
        const rows: Row[] = []
        for (const id of ids) rows.push((await lockRow(op, resource, id)) as Row)
        const kept = await rules.kept?.(op.tx, rows)
        for (const row of rows) {
          const refusal = kept?.get(String(row.id))
          if (refusal) throw new Refused(refusal)
          await rules.remove?.(op, row)
        }
        const { bind, values } = binder()
        await run(op.tx, `delete from ${resource.table} where id = any(${bind(ids)}::bigint[])`, values)
        for (const row of rows) {
          await record(op.tx, call, {
            page: resource.screen.key,
            action: 'delete',
            recordId: String(row.id),
            diff: diffOf(resource, row, blank(row)),
          })
        }
      },
      rules.constraints,
    ).catch(tellUse)
    app.counts.drop(resource.table)
    return null
  }
  const shared = {
    method: 'DELETE',
    texts,
    access: access(resource, 'delete'),
    answer: done,
    summary: 'Deletes records, all or none.',
  } as const
  return [
    route({
      ...shared,
      path: `${path}/:ids`,
      params: idsText,
      handle: (call, { params }) => remove(call, params.ids),
    }),
    route({
      ...shared,
      path,
      query: idsText,
      handle: (call, { query }) => remove(call, query.ids),
    }),
  ]
}

/** What others still point at stays; slices say so in better words where they know who does (`remove`, `constraints`). */
function tellUse(error: unknown): never {
  throw sqlState(error) === FOREIGN_KEY_VIOLATION ? new Refused(refuse('kit:in-use')) : error
}
const FOREIGN_KEY_VIOLATION = '23503'

const blank = (row: Row): Row => Object.fromEntries(Object.keys(row).map(field => [field, null]))

/** Whoever sees the record sees what was sent with it, and it stays as long as the record does. */
async function takeFiles({ tx, actor }: Operation, resource: Resource, id: string, fields: Row): Promise<void> {
  for (const field of Object.keys(resource.record.shape)) {
    const meta = metaOf(resource, field)
    if (meta.kind !== 'files') continue
    const sent = (fields[field] ?? []) as string[]
    await attach(tx, actor.id, { [field]: sent }, resource.screen.key, id, meta.purpose)
  }
}

/** Stores fields by their record names; an owned record without an owner belongs to its maker. */
async function insertRow(op: Operation, resource: Resource, fields: Row): Promise<string> {
  const owned = resource.scope === 'owned' ? { ownerId: op.actor.id, orgId: op.actor.orgId } : {}
  const columns = columnsOf(resource, { ...owned, createdAt: op.now, ...fields })
  const { bind, values } = binder()
  const places = columns.map(([, value]) => bind(value)).join(', ')
  const names = columns.map(([name]) => name).join(', ')
  const [row] = await run(op.tx, `insert into ${resource.table} (${names}) values (${places}) returning id`, values)
  return String(row?.id)
}

async function updateRow(op: Operation, resource: Resource, id: string, fields: Row): Promise<string> {
  const { bind, values } = binder()
  const sets = columnsOf(resource, fields).map(([name, value]) => `${name} = ${bind(value)}`)
  await run(
    op.tx,
    `update ${resource.table} set ${[...sets, 'version = version + 1'].join(', ')} where id = ${bind(id)}`,
    values,
  )
  return id
}
