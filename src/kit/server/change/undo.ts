import { sql } from 'kysely'
import { type Actor, can } from '#kit/model/actor.ts'
import { fieldMeta } from '#kit/model/field.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { type Resource, schemaIn } from '#kit/model/resource.ts'
import { isUndoable, type Workflow } from '#kit/model/workflow.ts'
import type { App } from '../app.ts'
import type { Database, Row, Tx } from '../database/database.ts'
import { type Diff, TAKE_BACK } from './audit.ts'
import type { Operation } from './operation.ts'
import type { Rules, Served } from './rules.ts'
import { asOfNow, lockRow, writeChange } from './step.ts'

/** What was done yesterday others have built on: it is decided anew, not taken back. */
export const UNDO_MS = 24 * 3_600_000

type Line = { id: string; page: string; action: string; actor_id: string | null; at: Date | string; diff: unknown }

/** Screens on one table tell one story of its records. */
export const pagesOf = ({ catalogue }: App, { table }: Pick<Resource, 'table'>): string[] =>
  catalogue.slices.flatMap(slice => (slice.resource?.table === table ? [slice.resource.screen.key] : []))

/** A line that shows a value in full names the field, from nothing to nothing. */
const changedSomething = sql<boolean>`exists (select from jsonb_each(diff) changed where changed.value <> '[null, null]')`

/** The last thing that happened to a record. Who looked at it did nothing to it. */
const lastLine = (
  app: App,
  db: Tx | Database['query'],
  resource: Resource,
  id: string,
  names: readonly string[],
): Promise<Line | undefined> =>
  db
    .selectFrom('operation_log')
    .select(['id', 'page', 'action', 'actor_id', 'at', 'diff'])
    .where('page', 'in', pagesOf(app, resource))
    .where('record_id', '=', id)
    .where('code', '=', 0)
    .where(eb => eb.or([changedSomething, eb('action', 'in', names)]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

type Asking = { readonly row: Row; readonly actor: Pick<Actor, 'id'>; readonly facts: unknown; readonly now: Date }

/** Why this line cannot be taken back by this person now, or nothing. */
function whyNotBack(
  workflow: Workflow<Row>,
  line: Line | undefined,
  { row, actor, facts, now }: Asking,
): Refusal | undefined {
  const step = line && workflow.steps[line.action]
  if (!line || !step || !isUndoable(step)) return refuse('kit:undo-went-on')
  // What was erased cannot be given back.
  if (Object.values(line.diff as Record<string, unknown>).includes(null)) return refuse('kit:undo-went-on')
  const { field } = workflow
  const became = field === null ? undefined : (line.diff as Diff)[field]
  if (field !== null && became && became[1] !== row[field]) return refuse('kit:undo-went-on')
  if (line.actor_id !== actor.id) return refuse('kit:undo-not-yours')
  if (now.getTime() - new Date(line.at).getTime() > UNDO_MS) return refuse('kit:undo-late')
  return typeof step.back === 'function' ? step.back(row, actor, facts) : undefined
}

/** The line of a record's story that this person may take back now: the last one, if it is theirs. */
export async function undoableLine(
  { app, resource, rules }: Pick<Served, 'app' | 'resource' | 'rules'>,
  row: Row,
  actor: Actor,
): Promise<string | null> {
  const { workflow } = rules
  const names = undoableOf(rules)
  if (!workflow || !names.some(name => can(actor, resource.screen.key, name))) return null
  const id = String(row.id)
  const line = await lastLine(app, app.db.query, resource, id, [...Object.keys(workflow.steps), TAKE_BACK])
  if (line?.page !== resource.screen.key || !can(actor, resource.screen.key, line.action)) return null
  const now = app.clock.now()
  const facts = (await rules.facts?.(app.db.query, [row], now))?.get(id)
  return whyNotBack(workflow, line, { row, actor, facts, now }) ? null : line.id
}

const undoableOf = ({ workflow }: Pick<Rules<Row>, 'workflow'>): string[] =>
  Object.entries(workflow?.steps ?? {}).flatMap(([name, step]) => (isUndoable(step) ? [name] : []))

/** Takes back what this person did last to the record: what the step changed is as it was, and the log tells both. */
export async function takeBack(
  called: Operation,
  { app, resource, rules }: Pick<Served, 'app' | 'resource' | 'rules'>,
  name: string,
  id: string,
): Promise<void> {
  const { workflow } = rules
  if (!workflow) throw new Error(`no step ${name}`)
  await rules.lock?.(called, id)
  const row = await lockRow(called, resource, id)
  const op = asOfNow(called)
  const line = await lastLine(app, op.tx, resource, id, [...Object.keys(workflow.steps), TAKE_BACK])
  if (line?.page !== resource.screen.key || line.action !== name) throw new Refused(refuse('kit:undo-went-on'))
  const facts = (await rules.facts?.(op.tx, [row], op.now))?.get(id)
  const refusal = whyNotBack(workflow, line, { row, actor: op.actor, facts, now: op.now })
  if (refusal) throw new Refused(refusal)
  const before = beforeOf(resource, line.diff as Diff)
  const given = (await rules.undo?.[name]?.(op, row, before, new Date(line.at))) ?? {}
  const since = await waitedSince(op, { app, resource, rules }, row, line)
  await writeChange(op, resource, row, { ...before, ...given, ...since }, TAKE_BACK, { undoes: line.id })
  await rules.after?.(op, { ...row, ...before, ...given }, name)
}

/** The column in which the database keeps since when a record is in its state (trigger keep_state_since). */
const STATE_SINCE = 'stateSince'

/** Back in its state it has waited since it first came there: a step that is taken back hides no lateness. */
async function waitedSince(
  { tx }: Operation,
  { app, resource, rules }: Pick<Served, 'app' | 'resource' | 'rules'>,
  row: Row,
  line: Line,
): Promise<Row> {
  const field = rules.workflow?.field
  if (resource.clock?.since !== STATE_SINCE || !field || !(field in (line.diff as Diff))) return {}
  const earlier = await tx
    .selectFrom('operation_log')
    .select('at')
    .where('page', 'in', pagesOf(app, resource))
    .where('record_id', '=', String(row.id))
    .where('code', '=', 0)
    .where('id', '<', line.id)
    .where(sql<boolean>`diff ? ${field}`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const instants = [row[STATE_SINCE], earlier?.at ?? row.createdAt].map(at => new Date(at as string).getTime())
  return { [STATE_SINCE]: new Date(Math.min(...instants)).toISOString() }
}

/** What the step found. The log knows personal values masked only: no step that changes them can be taken back. */
function beforeOf(resource: Resource, diff: Diff): Row {
  const fields = Object.entries(diff).filter(([field]) => resource.record.shape[field] !== undefined)
  const personal = fields.find(([field]) => fieldMeta(schemaIn(resource, field)).kind === 'personal')
  if (personal) throw new Error(`${resource.screen.name}: ${personal[0]} is personal, so the log cannot give it back`)
  return Object.fromEntries(fields.map(([field, [before]]) => [field, before]))
}
