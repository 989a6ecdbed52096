import { can } from '#kit/model/actor.ts'
import { onField, type Refusal, refuse, refusedFields } from '#kit/model/refusal.ts'
import { isAsked, REQUEST_WORKFLOW, type Requests } from '#kit/model/request.ts'
import type { RecordOf, Resource, Shape } from '#kit/model/resource.ts'
import type { Settings } from '#kit/model/setting.ts'
import type { Inputs, Workflow } from '#kit/model/workflow.ts'
import type { Invariant } from '../change/invariants.ts'
import type { Operation } from '../change/operation.ts'
import type { Rules } from '../change/rules.ts'
import type { Row } from '../database/database.ts'
import type { Routes } from '../http/route.ts'
import { settingsOf } from '../setting/in-force.ts'
import { agree, asking, endings } from '../work/agreement.ts'
import type { DeclaredJob } from '../work/job.ts'
import { serve } from './serve.ts'

type KindRules<Fields> = {
  /** Refuses what nobody should ask for; what it gives is stored with the request. */
  asked?(op: Operation, request: Fields): Promise<Partial<Fields>>
  /** Does what was asked for, in the transaction of the last yes; what it gives is stored with that. What it refuses leaves the request as it was. */
  grant(op: Operation, request: Fields): Promise<Partial<Fields>>
}

type RequestRules<Fields, Kind extends string> = Required<Pick<Rules<Fields>, 'lock'>> &
  // Of steps the screen has besides those of every request.
  Pick<Rules<Fields>, 'constraints' | 'effects'> & {
    /** What every request is given besides what was entered: its number, and whose it is. */
    begin(op: Operation, entered: Fields): Promise<Row>
    readonly kinds: Readonly<Record<Kind, KindRules<Fields>>>
  }

type Request = { readonly kind: string; readonly needsL2: boolean; readonly expiresAt: string | null }
type Given = { readonly requests: Requests; readonly rules: RequestRules<Row, string> }

/** The calls of a screen of requests, the job that ends what nobody decided on, and what is always true of them (decision 045). */
export function serveRequests<S extends Shape, Kind extends string, Bounds extends Settings, Asked extends Inputs>(
  declared: Resource<S>,
  workflow: Workflow<RecordOf<Resource<S>>, string, undefined, Asked>,
  typedRequests: Requests<RecordOf<Resource<S>>, Kind, Bounds>,
  typedRules: RequestRules<RecordOf<Resource<S>>, Kind>,
): { routes: Routes; jobs: readonly DeclaredJob[]; invariants: readonly Invariant[] } {
  // Inside the kit a record is a row of named values; the types are the slice's.
  const resource: Resource = declared
  const given = { requests: typedRequests, rules: typedRules } as unknown as Given
  const { lock, constraints = {}, effects = {}, kinds } = given.rules
  const { effects: ended, undo, jobs, invariants } = endings(resource, REQUEST_WORKFLOW)
  const grant = (op: Operation, row: Row) => () => {
    const own = kinds[(row as Request).kind]
    if (!own) throw new Error(`no kind ${(row as Request).kind}`)
    return own.grant(op, row)
  }
  return {
    routes: serve(resource, {
      workflow: workflow as unknown as Workflow,
      lock,
      constraints,
      store: (op, entered, _before, write) => submit(op, resource, given, entered, write),
      effects: {
        approve: (op, row) => agree(op, row as Request, 'l1By', (row as Request).needsL2 ? undefined : grant(op, row)),
        approveL2: (op, row) => agree(op, row as Request, 'l2By', grant(op, row)),
        ...ended,
        ...effects,
      },
      undo,
    }),
    jobs,
    invariants,
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
  return write({
    ...request,
    ...asking(op, kind.days),
    needsL2: kind.levels(request, terms) > 1,
  })
}

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
