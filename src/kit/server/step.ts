import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { columnOf } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { RecordOf, Resource, StepRefusal } from '#kit/model/resource.ts'
import { type Workflow, whyNot } from '#kit/model/workflow.ts'
import type { App } from './app.ts'
import { diffOf, record } from './audit.ts'
import { type Row, run } from './database.ts'
import { binder, type ReadRow, scopeSql, selectOf } from './list.ts'
import type { Operation } from './operation.ts'

export type StepInput = { readonly reason?: string | undefined; readonly version?: number | undefined }

/** For each row, the steps this person holds the permission for: null when open, else the refusal in words. */
export async function stepsOf(
  app: App,
  resource: Resource,
  workflow: Workflow | undefined,
  rows: readonly ReadRow[],
  actor: Actor,
  language: Language,
): Promise<Record<string, StepRefusal | null>[]> {
  if (!workflow || rows.length === 0) return rows.map(() => ({}))
  const held = Object.entries(workflow.steps).filter(([name]) => can(actor, resource.screen.key, name))
  if (held.length === 0) return rows.map(() => ({}))
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
  return rows.map(row =>
    Object.fromEntries(
      held.map(([name]) => {
        const refusal = whyNot(workflow, name, row as never, actor)
        return [name, refusal ? inWords(refusal) : null]
      }),
    ),
  )
}

/** Locks one row the person may see and gives it whole, unmasked: for rules, never for an answer. */
export async function lockRow<R extends Resource>(op: Operation, resource: R, id: string): Promise<RecordOf<R> & Row> {
  const { bind, values } = binder()
  const place = bind(id)
  const rule = scopeSql(resource, scopeOf(op.actor, resource.screen.key), bind)
  const { select } = selectOf(resource, { references: new Map() }, true)
  const [row] = await run(
    op.tx,
    `select ${select} from ${resource.table} t where t.id = ${place}${rule && ` and ${rule}`} for update of t`,
    values,
  )
  if (!row) throw new Refused(refuse('kit:record-missing'), 'not-found')
  return plain(resource, row) as RecordOf<R> & Row
}

/** Money comes from the database as text; rules calculate with whole numbers. */
const plain = (resource: Resource, row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      /Fen$/.test(field) && value !== null && resource.record.shape[field] ? Number(value) : value,
    ]),
  )

/** Takes one step: guard asked again under the lock, effect, compare-and-set, timeline; all in the caller's transaction. */
export async function takeStep(
  op: Operation,
  resource: Resource,
  workflow: Workflow,
  name: string,
  id: string,
  input: StepInput,
  effect: ((op: Operation, row: never, input: StepInput) => Promise<void>) | undefined,
): Promise<void> {
  const step = workflow.steps[name]
  if (!step) throw new Error(`no step ${name}`)
  if (step.reason && !input.reason) {
    const missing = refuse('kit:reason-missing')
    throw new Refused(missing, 'validation', { fields: { reason: missing } })
  }
  const row = await lockRow(op, resource, id)
  if (input.version !== undefined && input.version !== row.version)
    throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
  const refusal = whyNot(workflow, name, row as never, op.actor)
  if (refusal) throw new Refused(refusal)
  await effect?.(op, row as never, input)
  const column = columnOf(workflow.field)
  await run(op.tx, `update ${resource.table} set ${column} = $1, version = version + 1 where id = $2`, [step.to, id])
  await record(op.tx, op.call, {
    page: resource.screen.key,
    action: name,
    recordId: id,
    diff: diffOf(resource, { [workflow.field]: row[workflow.field] }, { [workflow.field]: step.to }),
    ...(input.reason ? { reason: input.reason } : {}),
  })
}
