import type * as z from 'zod'
import { can } from '#kit/model/actor.ts'
import { fieldMeta } from '#kit/model/field.ts'
import { onField, type Refusal, Refused, refuse, refusedFields } from '#kit/model/refusal.ts'
import { isAsked, OPEN_REQUEST, type Requests } from '#kit/model/request.ts'
import type { RecordOf, Resource, Shape } from '#kit/model/resource.ts'
import type { Settings } from '#kit/model/setting.ts'
import type { Inputs, Workflow } from '#kit/model/workflow.ts'
import type { Change } from '../app.ts'
import type { Invariant } from '../change/invariants.ts'
import type { Operation } from '../change/operation.ts'
import type { Rules } from '../change/rules.ts'
import { writeChange } from '../change/step.ts'
import { type Row, run } from '../database/database.ts'
import type { Routes } from '../http/route.ts'
import { settingsOf } from '../setting/in-force.ts'
import { attach } from '../storage/file.ts'
import type { DeclaredJob } from '../work/job.ts'
import { serve } from './serve.ts'

const DAY_MS = 86_400_000
const EXPIRE_MS = 10 * 60_000
/** Ended in one turn of the job; the next one takes the others. */
const MOST_EXPIRED = 500

type KindRules<Fields> = {
  /** Refuses what nobody should ask for; what it gives is stored with the request. */
  asked?(op: Operation, request: Fields): Promise<Partial<Fields>>
  /** Does what was asked for, in the transaction of the last yes. What it refuses leaves the request as it was. */
  grant(op: Operation, request: Fields): Promise<void>
}

type RequestRules<Fields, Kind extends string> = Required<Pick<Rules<Fields>, 'lock'>> &
  Pick<Rules<Fields>, 'constraints'> & {
    /** What every request is given besides what was entered: its number, and whose it is. */
    begin(op: Operation, entered: Fields): Promise<Row>
    readonly kinds: Readonly<Record<Kind, KindRules<Fields>>>
  }

type Request = {
  readonly kind: string
  readonly needsL2: boolean
  readonly expiresAt: string | null
}
type Given = { readonly requests: Requests; readonly rules: RequestRules<Row, string> }

/** The calls of a screen of requests, the job that ends what nobody decided on, and what is always true of them (decision 045). */
export function serveRequests<S extends Shape, Kind extends string, Bounds extends Settings, Asked extends Inputs>(
  declared: Resource<S>,
  workflow: Workflow<RecordOf<Resource<S>>, string, undefined, Asked>,
  typedRequests: Requests<RecordOf<Resource<S>>, Kind, Bounds>,
  typedRules: RequestRules<RecordOf<Resource<S>>, Kind>,
): { routes: Routes; jobs: readonly DeclaredJob[]; invariants: readonly Invariant[] } {
  // Inside the kit a record is a row of named values; the types are the slice's.
  const resource = declared as unknown as Resource
  const given = { requests: typedRequests, rules: typedRules } as unknown as Given
  const { lock, constraints = {} } = given.rules
  const ended = async (op: Operation) => ({ endedAt: op.now.toISOString() })
  const reopened = async (op: Operation, row: Row) => requireTime(op, row as Request)
  return {
    routes: serve(resource, {
      workflow: workflow as unknown as Workflow,
      lock,
      constraints,
      store: (op, entered, _before, write) => submit(op, resource, given, entered, write),
      effects: {
        approve: (op, row) => agree(op, given, row, 'l1By'),
        approveL2: (op, row) => agree(op, given, row, 'l2By'),
        reject: ended,
        withdraw: ended,
      },
      undo: { reject: reopened, withdraw: reopened },
    }),
    jobs: [{ name: `expire-${resource.table}`, ms: EXPIRE_MS, work: (change: Change) => expire(change, resource) }],
    invariants: [agreedByEnough(resource.table)],
  }
}

async function submit(
  op: Operation,
  resource: Resource,
  { requests, rules }: Given,
  entered: Row,
  write: (fields: Row) => Promise<string>,
): Promise<string> {
  const kind = requests.kinds[String(entered.kind)]
  const own = rules.kinds[String(entered.kind)]
  if (!kind || !own) throw onField('kind', refuse('kit:field-no-choice'))
  if (!can(op.actor, kind.by.page, kind.by.action)) throw onField('kind', refuse('kit:request-not-for-you'))
  requireForm(resource, requests, entered)
  const begun = { ...entered, ...(await rules.begin(op, entered)) }
  const request: Row = { ...begun, ...(await own.asked?.(op, begun)) }
  const terms = await settingsOf(op.app, requests.settings, op.tx)
  const id = await write({
    ...request,
    applicantId: op.actor.id,
    needsL2: kind.levels(request, terms) > 1,
    expiresAt: new Date(op.now.getTime() + kind.days * DAY_MS).toISOString(),
  })
  // Whoever decides sees what is to prove it, and it stays as long as the request does.
  await attach(op.tx, op.actor.id, filesOf(resource, request), resource.screen.key, id)
  return id
}

const filesOf = ({ record }: Pick<Resource, 'record'>, request: Row): string[] =>
  Object.entries(record.shape).flatMap(([field, schema]) =>
    fieldMeta(schema as z.ZodType).kind === 'files' ? ((request[field] ?? []) as string[]) : [],
  )

/** What this kind asks for is there, and nothing that only others ask for. */
function requireForm({ create }: Pick<Resource, 'create'>, requests: Requests, entered: Row): void {
  const wrong: Record<string, Refusal> = {}
  for (const field of create) {
    const isThere = Array.isArray(entered[field]) ? entered[field].length > 0 : entered[field] != null
    const isNeeded = isAsked(requests, field, entered)
    if (isThere !== isNeeded) wrong[field] = refuse(isNeeded ? 'kit:field-missing' : 'kit:request-other-kind')
  }
  if (Object.keys(wrong).length > 0) throw refusedFields(wrong, 'validation')
}

/** One more has agreed; with the last of them it happens. */
async function agree(op: Operation, { rules }: Given, row: Row, by: 'l1By' | 'l2By'): Promise<Row> {
  const { kind, needsL2 } = row as Request
  requireTime(op, row as Request)
  const agreed = { [by]: op.actor.id }
  if (needsL2 && by === 'l1By') return agreed
  const own = rules.kinds[kind]
  if (!own) throw new Error(`no kind ${kind}`)
  await own.grant(op, row)
  return { ...agreed, endedAt: op.now.toISOString() }
}

/** Its time is over even where the job has not come by yet. */
function requireTime({ now }: Operation, { expiresAt }: Request): void {
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) throw new Refused(refuse('kit:request-expired'))
}

async function expire(change: Change, resource: Resource): Promise<void> {
  const over = await run(
    change.tx,
    `select id, status from ${resource.table} where status = any($1::text[]) and expires_at <= $2
     order by id limit ${MOST_EXPIRED} for update skip locked`,
    [OPEN_REQUEST, change.now],
  )
  for (const row of over)
    await writeChange(change, resource, row, { status: 'EXPIRED', endedAt: change.now.toISOString() }, 'expire')
}

/** The constraints of the table say the same; here it is said of every table of requests. */
const agreedByEnough = (table: string): Invariant => ({
  name: `${table}: as many agreed as had to, none of them the applicant and nobody twice`,
  query: `
    select id, status from ${table}
    where (status = 'APPROVED' and (l1_by is null or (needs_l2 and l2_by is null)))
      or l1_by = applicant_id or l2_by = applicant_id or l2_by = l1_by`,
})
