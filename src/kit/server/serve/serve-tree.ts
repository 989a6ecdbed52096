import * as z from 'zod'
import { columnOf, ID } from '#kit/model/field.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource, Tree } from '#kit/model/resource.ts'
import { askedNodes, treeOfNodes } from '#kit/model/tree.ts'
import { diffOf, record } from '../change/audit.ts'
import { type Constraints, type Operation, operate } from '../change/operation.ts'
import { access, base, type Served } from '../change/rules.ts'
import { lockRow } from '../change/step.ts'
import { type Row, run, type Tx } from '../database/database.ts'
import { idParams, type Route, route } from '../http/route.ts'
import { binder } from '../list/scope.ts'
import { readNodes, treeRows } from '../list/tree.ts'
import { inWords } from '../text/in-words.ts'

const place = z.string().regex(ID).nullable()
const moved = z.strictObject({
  /** The record it is to stand below; none for the top. */
  parentId: place,
  /** The one it is to follow there; none to be the first, left out to be the last. */
  afterId: place.optional(),
  version: z.int().min(1),
})
type Moved = z.infer<typeof moved>

/** A tree of records: read whole or level by level, and rearranged. */
export function treeRoutes(served: Served, tree: Tree): Route[] {
  const { app, resource, rules } = served
  const { path, texts } = base(resource)
  return [
    route({
      method: 'GET',
      path: `${path}/tree`,
      texts,
      access: access(resource, 'list'),
      query: askedNodes,
      answer: treeOfNodes,
      summary: 'The records as they stand below one another: all, or level by level where there are too many.',
      async handle({ language }, { query }) {
        const title = columnOf(resource.title)
        const search = resource.list.search.map(columnOf)
        const naming = (row: Row) => rules.named?.(app, fieldsOf(resource, row), language)[resource.title]
        const { table, list } = resource
        const read = await readNodes(app.db, { table, only: list.only, name: title, search }, query, naming)
        const beside = await rules.tree?.beside?.(app, language)
        const nodes = read.nodes.map(node => ({ ...node, beside: beside?.get(node.id) ?? null }))
        return { ...read, nodes }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:id/move`,
      texts,
      access: access(resource, 'move'),
      params: idParams,
      query: z.strictObject({ parentId: z.string().regex(ID).optional() }),
      answer: z.array(z.string()),
      summary: 'What follows elsewhere when the record moves to stand below another.',
      async handle({ actor, language }, { params: { id }, query: { parentId = null } }) {
        const row = await served.list.one(id, actor)
        if (!row) throw new Refused(refuse('kit:record-missing'), 'not-found')
        const told = (await rules.tree?.follows?.(app, row, parentId, language)) ?? []
        return told.map(said => inWords(app, language, resource.screen.name, said))
      },
    }),
    route({
      method: 'POST',
      path: `${path}/:id/move`,
      texts,
      access: access(resource, 'move'),
      params: idParams,
      body: moved,
      answer: z.null(),
      summary: 'Moves a record with all that stands below it.',
      async handle(call, { params: { id }, body }) {
        await operate(
          app,
          call,
          async op => {
            await move(op, resource, tree, id, body)
            await rules.tree?.moved?.(op)
          },
          rules.constraints,
        )
        return null
      },
    }),
  ]
}

async function move(op: Operation, resource: Resource, tree: Tree, id: string, { parentId, afterId, version }: Moved) {
  await lockTree(op.tx, resource)
  const before = (await lockRow(op, resource, id)) as Row
  if (before.version !== version) throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
  if (tree.isFixed && before[tree.parent] !== parentId) throw onField('parentId', refuse('kit:tree-fixed'))
  if (before[tree.parent] !== parentId) await requirePlace(op.tx, resource, tree, parentId)
  const { bind, values } = binder()
  const rows = treeRows({ table: resource.table, only: resource.list.only }, bind)
  const parent = `${bind(parentId)}::bigint`
  const siblings = parentId === null ? `${parent} is null and t.parent_id is null` : `t.parent_id = ${parent}`
  const others = await run(
    op.tx,
    `select t.id from ${rows} t where ${siblings} and t.id <> ${bind(id)} order by t.sort, t.id`,
    values,
  )
  const ids = others.map(row => String(row.id))
  if (afterId && !ids.includes(afterId)) throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
  const at = afterId === undefined ? ids.length : afterId === null ? 0 : ids.indexOf(afterId) + 1
  await run(
    op.tx,
    `update ${resource.table} set ${columnOf(tree.parent)} = $2::bigint, version = version + 1 where id = $1`,
    [id, parentId],
  )
  await run(
    op.tx,
    `update ${resource.table} t set sort = place.n - 1
     from unnest($1::bigint[]) with ordinality place (id, n) where t.id = place.id and t.sort <> place.n - 1`,
    [ids.toSpliced(at, 0, id)],
  )
  await record(op.tx, op.call, {
    page: resource.screen.key,
    action: 'move',
    recordId: id,
    diff: diffOf(resource, before, { [tree.parent]: parentId, [tree.sort]: at }),
  })
}

/** A row of the table by the names of the record's fields. */
const fieldsOf = ({ record }: Resource, row: Row): Row =>
  Object.fromEntries(Object.keys(record.shape).map(field => [field, row[columnOf(field)]]))

/** Before any row: whoever else changes the tree waits with nothing in hand. */
const lockTree = (tx: Tx, { table }: Resource) =>
  run(tx, `select pg_advisory_xact_lock(hashtext($1))`, [`tree of ${table}`])

/** The record a new one is to stand below is there, and stays until it does. */
export async function requireNewPlace(tx: Tx, resource: Resource, fields: Row): Promise<void> {
  const { tree } = resource
  if (!tree) return
  await lockTree(tx, resource)
  await requirePlace(tx, resource, tree, (fields[tree.parent] as string | null | undefined) ?? null)
}

async function requirePlace(tx: Tx, { table }: Resource, tree: Tree, parentId: string | null): Promise<void> {
  if (parentId !== null) {
    const [found] = await run(tx, `select 1 from ${table} where id = $1 for key share`, [parentId])
    if (!found) throw onField(tree.parent, refuse('kit:record-missing'))
  } else if (tree.hasOneRoot) {
    const [root] = await run(tx, `select 1 from ${table} where ${columnOf(tree.parent)} is null limit 1`, [])
    if (root) throw onField(tree.parent, refuse('kit:tree-one-root'))
  }
}

/** What the database refuses of every tree, wherever it is changed. */
export const treeConstraints = ({ table, tree }: Resource): Constraints =>
  tree
    ? {
        tree_circle: { code: 'kit:tree-circle', field: tree.parent },
        [`${table}_depth`]: { code: 'kit:tree-too-deep', field: tree.parent },
      }
    : {}
