import * as z from 'zod'
import { columnOf, ID } from '#kit/model/field.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource, Tree } from '#kit/model/resource.ts'
import { askedNodes, treeOfNodes } from '#kit/model/tree.ts'
import { type Diff, diffOf, record, TAKE_BACK } from '../change/audit.ts'
import { type Constraints, type Operation, operate } from '../change/operation.ts'
import { access, base, type Served } from '../change/rules.ts'
import { lockRow, writeChange } from '../change/step.ts'
import { UNDO_MS } from '../change/undo.ts'
import { lockTree, type Row, run, type Tx } from '../database/database.ts'
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
        const offered = [...app.catalogue.references.values()].find(named => named.table === table)?.offered
        const tree = { table, only: list.only, name: title, search, offered }
        const read = await readNodes(app.db, tree, query, naming)
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
    route({
      method: 'POST',
      path: `${path}/:id/move/undo`,
      texts,
      access: access(resource, 'move'),
      params: idParams,
      answer: z.null(),
      summary: 'Takes the last move of a record back, by whoever moved it: it stands exactly where it stood.',
      async handle(call, { params: { id } }) {
        await operate(
          app,
          call,
          async op => {
            await moveBack(op, resource, tree, id)
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
  await lockTree(op.tx, resource.table)
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
    `select t.id, t.sort from ${rows} t where ${siblings} and t.id <> ${bind(id)} order by t.sort, t.id`,
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
  const order = ids.toSpliced(at, 0, id)
  const after = Object.fromEntries(order.map((one, sort) => [one, sort]))
  await putAt(op.tx, resource, after)
  const pushed = others.filter(row => Number(row.sort) !== after[String(row.id)])
  await record(op.tx, op.call, {
    page: resource.screen.key,
    action: 'move',
    recordId: id,
    diff: {
      ...diffOf(resource, before, { [tree.parent]: parentId, [tree.sort]: at }),
      // What made room for it goes back with it.
      ...(pushed.length > 0 ? { [PUSHED]: [placesOf(pushed), pick(after, pushed)] } : {}),
    },
  })
}

/** A row of the table by the names of the record's fields. */
const fieldsOf = ({ record }: Resource, row: Row): Row =>
  Object.fromEntries(Object.keys(record.shape).map(field => [field, row[columnOf(field)]]))

/** Those beside it that were given other places, by id: no field of the record. */
const PUSHED = 'pushed'
type Places = Readonly<Record<string, number>>
const placesOf = (rows: readonly Row[]): Places => Object.fromEntries(rows.map(({ id, sort }) => [id, Number(sort)]))
const pick = (places: Places, rows: readonly Row[]): Places =>
  Object.fromEntries(rows.map(({ id }) => [id, places[String(id)] as number]))

const putAt = (tx: Tx, { table }: Resource, places: Places) =>
  run(
    tx,
    `update ${table} t set sort = place.n from unnest($1::bigint[], $2::int[]) place (id, n)
     where t.id = place.id and t.sort <> place.n`,
    [Object.keys(places), Object.values(places)],
  )

/** The last thing that happened to the record must be this person's move, and nothing beside it may have moved since. */
async function moveBack(op: Operation, resource: Resource, tree: Tree, id: string) {
  await lockTree(op.tx, resource.table)
  const row = (await lockRow(op, resource, id)) as Row
  const line = await op.tx
    .selectFrom('operation_log')
    .select(['id', 'action', 'actor_id', 'at', 'diff'])
    .where('page', '=', resource.screen.key)
    .where('record_id', '=', id)
    .where('code', '=', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (line?.action !== 'move') throw new Refused(refuse('kit:undo-went-on'))
  if (line.actor_id !== op.actor.id) throw new Refused(refuse('kit:undo-not-yours'))
  if (op.now.getTime() - new Date(line.at).getTime() > UNDO_MS) throw new Refused(refuse('kit:undo-late'))
  const { [PUSHED]: pushed, ...moved } = line.diff as Diff
  const [was, is] = (pushed ?? [{}, {}]) as readonly [Places, Places]
  const now = await run(op.tx, `select id, sort from ${resource.table} where id = any($1::bigint[])`, [Object.keys(is)])
  const stands = placesOf(now)
  if (Object.entries(is).some(([other, sort]) => stands[other] !== sort)) throw new Refused(refuse('kit:undo-went-on'))
  const before = Object.fromEntries(Object.entries(moved).map(([field, [value]]) => [field, value]))
  if (tree.parent in before) await requirePlace(op.tx, resource, tree, before[tree.parent] as string | null)
  await putAt(op.tx, resource, was)
  await writeChange(op, resource, row, before, TAKE_BACK, { undoes: line.id })
}

/** The record a new one is to stand below is there, and stays until it does. */
export async function requireNewPlace(tx: Tx, resource: Resource, fields: Row): Promise<void> {
  const { tree } = resource
  if (!tree) return
  await lockTree(tx, resource.table)
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
