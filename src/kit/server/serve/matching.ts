import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Actor, can } from '#kit/model/actor.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { MAX_MATCHING, type Matching, matching } from '#kit/model/task.ts'
import { whyNot } from '#kit/model/workflow.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import { once } from '../change/idempotency.ts'
import { callLater, type Errand, operate } from '../change/operation.ts'
import { access, base, type Served, type StepInput } from '../change/rules.ts'
import { requireEntered, takeStep } from '../change/step.ts'
import { readAsked } from '../change/to-do.ts'
import type { Row, Tx } from '../database/database.ts'
import { type Route, route } from '../http/route.ts'
import { type Condition, type ListQuery, readListQuery } from '../list/list-query.ts'
import type { ReadRow } from '../list/select.ts'
import { inWords } from '../text/in-words.ts'
import type { Outcome, Runner, RunningTask } from '../work/task.ts'
import { addRows, requireNoneUnderWay, TaskRefused, workRows } from '../work/task-rows.ts'
import { stepBody } from './serve-steps.ts'

type Search = Call['search']
type StepCall = Call<{ page: string; action: string }>
type StepsRequest = Errand & {
  readonly screen: string
  readonly step: string
  readonly search: Search
  readonly input: StepInput
}

const FACTS_AT_ONCE = 500
/** How many values a filter takes is told by whoever reads it, in words. */
const searchBody = z.record(z.string().max(60), z.union([z.string().max(200), z.array(z.string().max(200))]))
const confirmBody = stepBody
  .omit({ version: true })
  .extend({ search: searchBody, upTo: z.string().regex(/^\d{1,18}$/), seal: z.string().regex(/^[0-9a-f]{64}$/) })
const begun = z.strictObject({ taskId: z.string() })

/** A step for everything a filter matches: told first, confirmed, and then done as a task. */
export function matchingRoutes(served: Served): Route[] {
  const { app, resource, rules } = served
  const { path, texts } = base(resource)
  app.stepTasks.set(resource.screen.name, task => workOn(served, task))
  return Object.entries(rules.workflow?.steps ?? {}).flatMap(([name, step]) => {
    if (step.alone) return []
    const told = route({
      method: 'GET',
      path: `${path}/steps/${name}`,
      texts,
      access: access(resource, name),
      query: 'list',
      answer: matching,
      summary: `What the step "${name}" would meet among all that match.`,
      handle: async call => (await meet(served, name, call, call.search)).told,
    })
    const confirmed = route({
      method: 'POST',
      path: `${path}/steps/${name}/matching`,
      texts,
      access: access(resource, name),
      body: () => confirmBody.extend(step.input),
      answer: begun,
      summary: `Takes the step "${name}" for all that match, as told before: a task, with a result for each.`,
      async handle(call, { body }) {
        const { search, upTo, seal, ...input } = body as StepInput & { search: Search; upTo: string; seal: string }
        if (step.reason && !input.reason) {
          const missing = refuse('kit:reason-missing')
          throw onField('reason', missing)
        }
        const { rows, told } = await meet(served, name, call, search, upTo)
        const taskId = await operate(app, call, op =>
          once(op.tx, call, `${path}/steps/${name}/matching`, body, async () => {
            if (told.seal !== seal) throw new Refused(refuse('kit:matching-changed'), 'conflict')
            await requireEntered(op, served, name, input)
            await requireNoneUnderWay(op.tx, call.actor.id, 'STEPS')
            return addTask(served, name, call, op.tx, rows, { search, input })
          }),
        )
        app.tasks.wake()
        return { taskId }
      },
    })
    return [told, confirmed]
  })
}

/** What matches, judged row by row by the step's own guard. `upTo`: what came in after it was told stays out. */
async function meet(
  { app, resource, rules, list }: Served,
  name: string,
  call: StepCall,
  search: Search,
  upTo?: string,
): Promise<{ rows: ReadRow[]; told: Matching }> {
  const { current: _, size: __, sort: ___, ...asked } = search
  const query = await readAsked(app, resource, asked, call.actor)
  const tooMany = (count: number) =>
    new Refused(
      refuse('kit:too-many-matching', {
        count: count.toLocaleString('en-US'),
        max: MAX_MATCHING.toLocaleString('en-US'),
      }),
    )
  const { total } = await list.total(query, call.actor)
  if (upTo === undefined && total > MAX_MATCHING) throw tooMany(total)
  const oldest: ListQuery = {
    ...query,
    sort: { field: 'id', descending: false },
    conditions: upTo === undefined ? query.conditions : [...query.conditions, untilRecord(upTo)],
  }
  const { text, values, read } = list.all(oldest, call.actor)
  const rows = (await app.db.read.planned(`${text} limit ${MAX_MATCHING + 1}`, values)).map(read)
  if (rows.length > MAX_MATCHING) throw tooMany(Math.max(total, rows.length))
  const refusals = await judge({ app, rules }, name, rows, call.actor)
  const amount = rules.workflow?.steps[name]?.amount as string | null
  const closed = Map.groupBy(refusals.values(), refusal => inWords(app, call.language, resource.screen.name, refusal))
  const sumFen =
    amount === null
      ? null
      : rows.reduce((sum, row) => (refusals.has(row) ? sum : sum + Number((row as Row)[amount] ?? 0)), 0)
  // What was asked about is done by whoever was asked, and nothing else is.
  const seal = createHash('sha256').update(`${resource.screen.name} ${name} ${call.actor.id}\n`)
  for (const row of rows) seal.update(`${row.id} ${amount === null ? '' : row[amount]} ${refusals.has(row)}\n`)
  return {
    rows,
    told: {
      count: rows.length,
      closed: [...closed].map(([msg, { length: count }]) => ({ msg, count })),
      sumFen,
      upTo: upTo ?? String(rows.at(-1)?.id ?? 0),
      seal: seal.digest('hex'),
    },
  }
}

const untilRecord = (id: string): Condition => ({
  field: 'id',
  key: `upTo=${id}`,
  sql: bind => `t.id <= ${bind(id)}::bigint`,
})

async function judge(
  { app, rules }: Pick<Served, 'app' | 'rules'>,
  name: string,
  rows: readonly ReadRow[],
  actor: Actor,
): Promise<ReadonlyMap<ReadRow, Refusal>> {
  const refusals = new Map<ReadRow, Refusal>()
  const { workflow } = rules
  if (!workflow) return refusals
  for (let from = 0; from < rows.length; from += FACTS_AT_ONCE) {
    const part = rows.slice(from, from + FACTS_AT_ONCE)
    const facts = await rules.facts?.(app.db.query, part, app.clock.now())
    for (const row of part) {
      const refusal = whyNot(workflow, name, row, actor, facts?.get(String(row.id)))
      if (refusal) refusals.set(row, refusal)
    }
  }
  return refusals
}

async function addTask(
  { app, resource, rules }: Served,
  name: string,
  call: StepCall,
  tx: Tx,
  rows: readonly ReadRow[],
  { search, input }: Pick<StepsRequest, 'search' | 'input'>,
): Promise<string> {
  const { screen, title } = resource
  const { language, requestId, address, actor, now } = call
  // What waits for a person is known by its guard, which is asked anyway.
  const { todo: _, current: __, size: ___, sort: ____, ...filters } = search
  const request: StepsRequest = {
    screen: screen.name,
    step: name,
    search: filters,
    input,
    language,
    requestId,
    address,
  }
  const said = (key: string) => app.texts.text(language, screen.name, key)
  const id = await app.tasks.add(tx, {
    kind: 'STEPS',
    title: `${said('title')} · ${said(`step.${name}`)}`,
    ownerId: actor.id,
    request,
    rows: rows.length,
    now,
  })
  // Where money was told, the row must still be the one that was told.
  const isExact = rules.workflow?.steps[name]?.amount != null
  await addRows(
    tx,
    id,
    rows.map(row => ({
      recordId: String(row.id),
      name: row.labels[title]?.name ?? String(row[title]),
      version: isExact ? Number(row.version) : null,
    })),
  )
  const diff = { task: [null, id], rows: [null, rows.length], filter: [null, search] } as const
  await record(tx, call, { page: screen.key, action: name, diff, ...(input.reason ? { reason: input.reason } : {}) })
  return id
}

const RIGHT_GONE = refuse('kit/server/file:steps-right-gone')

export const stepsRunner =
  (app: App): Runner =>
  async task => {
    const run = app.stepTasks.get((task.request as StepsRequest).screen)
    if (!run) throw new Refused(RIGHT_GONE)
    return run(task)
  }

/** Takes the step for each row, as its person and with the rights of that moment, as a call for that one row would. */
function workOn(served: Served, task: RunningTask): Promise<Outcome> {
  const { app, resource, rules, list } = served
  const request = task.request as StepsRequest
  const { step, search, input } = request
  const query = readListQuery(resource, search, app.clock.now())
  return workRows(app, task, async ({ recordId, version }, settle) => {
    const actor = await app.sessions.actor(task.ownerId)
    if (!actor || !can(actor, resource.screen.key, step)) throw new TaskRefused(RIGHT_GONE)
    await operate(
      app,
      callLater(app, actor, request),
      async op => {
        await rules.lock?.(op, recordId, step)
        if (!(await list.lockMatching(op.tx, query, actor, recordId)))
          throw new Refused(refuse('kit:matches-no-longer'))
        await takeStep(op, served, step, recordId, { ...input, ...(version === null ? {} : { version }) })
        await settle(op.tx)
      },
      rules.constraints,
    )
    app.counts.drop(resource.table)
  })
}
