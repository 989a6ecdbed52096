import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { columnOf, fieldMeta } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { AskedBelow } from '#kit/model/request.ts'
import type { RecordOf, Resource, RowOf, Shape, StepRefusal } from '#kit/model/resource.ts'
import type { Waiting } from '#kit/model/waiting.ts'
import { ASKED_ID, type Entered, type Inputs, targetOf, whyNot } from '#kit/model/workflow.ts'
import type { Change } from '../app.ts'
import { aboutToLock, type Row, run } from '../database/database.ts'
import { binder, boundsSql } from '../list/scope.ts'
import { type ReadRow, selectOf } from '../list/select.ts'
import { type Diff, diffOf, record } from './audit.ts'
import { tellWhoAsked } from './decision.ts'
import { requireOffered } from './given.ts'
import type { Operation } from './operation.ts'
import type { Rules, Served, StepInput } from './rules.ts'
import { hoursOf, waitingOf } from './waiting.ts'

type Asked = Pick<Served, 'app' | 'resource' | 'rules'>

export type Standing = Pick<RowOf<Resource>, 'steps' | 'askedId'> & { readonly waiting: Waiting | null }

/** For each row, the steps this person holds the permission for (null when open, else the refusal in words), and whom it waits for. */
export async function standingOf(
  { app, resource, rules }: Asked,
  rows: readonly ReadRow[],
  actor: Actor,
  language: Language,
): Promise<Standing[]> {
  const { workflow } = rules
  if (!workflow || rows.length === 0) return rows.map(() => ({ steps: {}, waiting: null }))
  const held = Object.keys(workflow.steps).filter(name => can(actor, resource.screen.key, name))
  const facts = await rules.facts?.(app.db.query, rows, app.clock.now())
  const hours = await hoursOf(app, resource, rows)
  const asksBelow = Object.values(workflow.steps).some(({ input }) => ASKED_ID in input)
  // Rows of a page are mostly closed for the same few reasons: each is put into words once.
  const said = new Map<string, StepRefusal>()
  const inWords = (refusal: Refusal): StepRefusal => {
    const key = JSON.stringify(refusal)
    const known = said.get(key)
    if (known) return known
    const msg = app.texts.refusal(language, resource.screen.name, 'refused', refusal)
    const words = { code: refusal.code, msg: msg.slice(msg.indexOf(': ') + 2) }
    said.set(key, words)
    return words
  }
  return rows.map(row => {
    const known = facts?.get(String(row.id))
    const steps = held.map(name => {
      const refusal = whyNot(workflow, name, row, actor, known)
      return [name, refusal ? inWords(refusal) : null]
    })
    return {
      steps: Object.fromEntries(steps),
      waiting: waitingOf({ app, resource, rules }, row, { facts: known, hours, language }),
      ...(known && asksBelow ? { askedId: (known as NonNullable<AskedBelow>).asked.id } : {}),
    }
  })
}

/** Locks one row the person may see and gives it whole, unmasked: for rules, never for an answer. */
export async function lockRow<S extends Shape>(
  op: Operation,
  resource: Resource<S>,
  id: string,
): Promise<RecordOf<Resource<S>> & Row> {
  const { bind, values } = binder()
  const place = bind(id)
  const rule = boundsSql(resource, scopeOf(op.actor, resource.screen.key), bind)
  const { select } = selectOf(resource, { references: new Map() }, true)
  aboutToLock(op.tx, resource.table, id)
  const [row] = await run(
    op.tx,
    `select ${select} from ${resource.table} t where t.id = ${place}${rule && ` and ${rule}`} for update of t`,
    values,
  )
  if (!row) throw new Refused(refuse('kit:record-missing'), 'not-found')
  return plain(resource, row) as RecordOf<Resource<S>> & Row
}

/** Money comes from the database as text; rules calculate with whole numbers. */
const plain = (resource: Resource, row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      /Fen$/.test(field) && value !== null && resource.record.shape[field] ? Number(value) : value,
    ]),
  )

/** Refuses what nobody could enter with a step; with `row`, what that record holds already may stay. */
export async function requireEntered(
  op: Operation,
  { resource, rules }: Pick<Served, 'resource' | 'rules'>,
  name: string,
  input: StepInput,
  row?: Row,
): Promise<void> {
  const form = { page: resource.screen.key, shape: rules.workflow?.steps[name]?.input ?? {} }
  await requireOffered(op, form, input, row && { shape: resource.record.shape, row })
  await rules.entered?.[name]?.(op, input)
}

/**
 * What follows is judged and written by one time, read once nobody else can move the record: the call may have waited for whoever
 * did, or for the other records it names, and what they wrote would lie ahead of it.
 */
export function asOfNow(op: Operation): Operation {
  const now = op.app.clock.now()
  return { ...op, now, call: { ...op.call, now } }
}

/** Takes one step: guard asked again under the lock, effect, compare-and-set, timeline; all in the caller's transaction. */
export async function takeStep(
  called: Operation,
  { resource, rules }: Pick<Served, 'resource' | 'rules'>,
  name: string,
  id: string,
  { reason, version, ...input }: StepInput,
): Promise<void> {
  const { workflow } = rules
  const step = workflow?.steps[name]
  if (!workflow || !step) throw new Error(`no step ${name}`)
  if (step.reason && !reason) {
    const missing = refuse('kit:reason-missing')
    throw onField('reason', missing)
  }
  await rules.lock?.(called, id, name)
  const row = await lockRow(called, resource, id)
  const op = asOfNow(called)
  if (version !== undefined && version !== row.version) throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
  const facts = (await rules.facts?.(op.tx, [row], op.now))?.get(id)
  const refusal = whyNot(workflow, name, row, op.actor, facts)
  if (refusal) throw new Refused(refusal)
  await requireEntered(op, { resource, rules }, name, input, row)
  const given = (await rules.effects?.[name]?.(op, row, { reason, version, ...input })) ?? {}
  const next = targetOf(step, row)
  const state = workflow.field !== null && next !== undefined ? { [workflow.field]: next } : {}
  await writeChange(op, resource, row, { ...given, ...state }, name, { reason })
  await rules.after?.(op, { ...row, ...given, ...state }, name)
}

/** The steps of a record for whoever takes them otherwise than by a call: an import, or another slice's operation. */
export const stepTaker =
  <S extends Shape, Facts, Asked extends Inputs>(
    resource: Resource<S>,
    rules: Rules<RecordOf<Resource<S>>, Facts, Asked>,
  ) =>
  <Name extends Extract<keyof Asked, string>>(
    op: Operation,
    name: Name,
    id: string,
    input: Entered<Asked[Name]>,
  ): Promise<void> =>
    takeStep(op, { resource, rules: rules as unknown as Served['rules'] }, name, id, input)

/** Stores changed fields of a row that is locked, with its line in the timeline. The console does so too, without a person. */
export async function writeChange(
  change: Change,
  declared: Pick<Resource, 'table' | 'screen' | 'record' | 'asked'>,
  before: Row,
  fields: Row,
  action: string,
  { reason, undoes }: { reason?: string | undefined; undoes?: string } = {},
): Promise<void> {
  const id = String(before.id)
  const { bind, values } = binder()
  const sets = columnsOf(declared, fields).map(([column, value]) => `${column} = ${bind(value)}`)
  await run(
    change.tx,
    `update ${declared.table} set ${[...sets, 'version = version + 1'].join(', ')} where id = ${bind(id)}`,
    values,
  )
  const diff = diffOf(declared, before, fields)
  await writeLine(change, declared, { recordId: id, action, diff, reason, undoes })
}

type WrittenLine = {
  readonly recordId: string
  readonly action: string
  readonly diff: Diff
  readonly reason?: string | undefined
  readonly undoes?: string | undefined
}

/** What happened to a record, or to what stands below it, in its timeline; whoever asked is told where that decides. */
export async function writeLine(
  change: Change,
  declared: Pick<Resource, 'table' | 'screen' | 'asked'>,
  { recordId, action, diff, reason, undoes }: WrittenLine,
): Promise<void> {
  const logId = await record(change.tx, change.call, {
    page: declared.screen.key,
    action,
    recordId,
    diff,
    ...(reason ? { reason } : {}),
    ...(undoes ? { undoes } : {}),
  })
  await tellWhoAsked(change, declared, { logId, recordId, action, diff, undoes })
}

/** The columns of named fields; what only the detail knows has none. Lines are stored as JSON. */
export const columnsOf = ({ record: { shape } }: Pick<Resource, 'record'>, fields: Row): [string, unknown][] =>
  Object.entries(fields).flatMap(([field, value]): [string, unknown][] => {
    const kind = shape[field] ? fieldMeta(shape[field]).kind : undefined
    if (kind === 'detail') return []
    return [[columnOf(field), kind === 'lines' ? JSON.stringify(value) : value]]
  })
