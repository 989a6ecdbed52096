import * as z from 'zod'
import { MAX_IDS } from '#kit/model/contract.ts'
import { version } from '#kit/model/field.ts'
import { Refused } from '#kit/model/refusal.ts'
import { isUndoable } from '#kit/model/workflow.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { once } from '../change/idempotency.ts'
import { type Operation, operate } from '../change/operation.ts'
import { access, base, type Served, type StepInput } from '../change/rules.ts'
import { takeStep } from '../change/step.ts'
import { takeBack } from '../change/undo.ts'
import { idParams, type Route, route } from '../http/route.ts'

type StepCall = Call<{ page: string; action: string }>
/** One effect per key and record: each of many is a step of its own, and one that was done is not done again. */
type Around = (op: Operation, work: () => Promise<null>) => Promise<null>

const done = z.null()
export const stepBody = z.strictObject({
  reason: z.string().trim().min(1).max(200).optional(),
  version: version().optional(),
})

const results = z.array(
  z.strictObject({
    id: z.string(),
    result: z.enum(['done', 'refused']),
    msg: z.string().nullable(),
    instead: z.string().optional(),
  }),
)

/** Each step of the workflow, for one record and for many. */
export function stepRoutes(served: Served): Route[] {
  const { app, resource, rules } = served
  const { path, texts } = base(resource)
  return Object.entries(rules.workflow?.steps ?? {}).flatMap(([name, step]) => {
    const body = () => stepBody.extend(step.input)
    const take = async (call: StepCall, id: string, input: StepInput, around: Around) => {
      const work = async (op: Operation) => {
        await takeStep(op, served, name, id, input)
        return null
      }
      await operate(app, call, op => around(op, () => work(op)), rules.constraints)
      app.counts.drop(resource.table)
      return null
    }
    const one = route({
      method: 'POST',
      path: `${path}/:id/${name}`,
      texts,
      access: access(resource, name),
      params: idParams,
      body,
      answer: done,
      summary: `Takes the step "${name}".`,
      handle: (call, { params, body: input }) =>
        take(call, params.id, input as StepInput, (op, work) =>
          once(op.tx, call, `${path}/${params.id}/${name}`, input, work),
        ),
    })
    const many = route({
      method: 'POST',
      path: `${path}/steps/${name}`,
      texts,
      access: access(resource, name),
      body: () =>
        body()
          .omit({ version: true })
          .extend({ ids: z.array(idParams.shape.id).min(1).max(MAX_IDS) }),
      answer: results,
      summary: `Takes the step "${name}" for many, with a result for each.`,
      async handle(call, { body: { ids, ...input } }) {
        const results = []
        for (const id of new Set(ids as string[]))
          results.push({
            id,
            ...(await tried(app, call, texts, () =>
              take(call, id, input as StepInput, (op, work) =>
                once(op.tx, call, `${path}/${id}/${name}`, input, work, id),
              ),
            )),
          })
        return results
      },
    })
    const back = isUndoable(step) ? [undoRoute(served, name)] : []
    return step.alone ? [one, ...back] : [one, many, ...back]
  })
}

/** Whoever may take a step may take it back: no right of its own, and nothing to enter. */
const undoRoute = (served: Served, name: string): Route => {
  const { app, resource, rules } = served
  const { path, texts } = base(resource)
  return route({
    method: 'POST',
    path: `${path}/:id/${name}/undo`,
    texts,
    access: access(resource, name),
    params: idParams,
    answer: done,
    summary: `Takes back the step "${name}", if it was the caller's and the last thing that happened to the record.`,
    async handle(call, { params }) {
      const key = `${path}/${params.id}/${name}/undo`
      await withoutFields(() =>
        operate(
          app,
          call,
          op =>
            once(op.tx, call, key, {}, async () => {
              await takeBack(op, served, name, params.id)
              return null
            }),
          rules.constraints,
        ),
      )
      app.counts.drop(resource.table)
      return null
    },
  })
}

/** Nothing was entered, so nothing stands beside a field: what is wrong is said as it is. */
async function withoutFields(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof Refused && error.kind === 'validation' ? new Refused(error.refusal) : error
  }
}

async function tried(
  app: App,
  call: Call,
  texts: string,
  work: () => Promise<unknown>,
): Promise<Omit<z.infer<typeof results>[number], 'id'>> {
  try {
    await work()
    return { result: 'done', msg: null }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const msg = app.texts.refusal(call.language, texts, 'refused', error.refusal)
    return { result: 'refused', msg, ...(error.instead === undefined ? {} : { instead: error.instead }) }
  }
}
