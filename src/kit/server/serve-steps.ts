import * as z from 'zod'
import { MAX_IDS } from '#kit/model/contract.ts'
import { Refused } from '#kit/model/refusal.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import type { App } from './app.ts'
import { operate } from './operation.ts'
import { type Call, idParams, type Route, route } from './route.ts'
import { access, base, type Served } from './rules.ts'
import { type StepInput, takeStep } from './step.ts'

const done = z.null()
const stepBody = z.strictObject({
  reason: z.string().trim().min(1).max(200).optional(),
  version: z.int().min(1).optional(),
})

/** Each step of the workflow, for one record and for many. */
export function stepRoutes({ app, resource, rules }: Served): Route[] {
  const workflow = rules.workflow as Workflow | undefined
  if (!workflow) return []
  const { path, texts } = base(resource)
  return Object.keys(workflow.steps).flatMap(name => {
    const take = async (call: Call<{ page: string; action: string }>, id: string, input: StepInput) => {
      await operate(
        app,
        call,
        op => takeStep(op, resource, workflow, name, id, input, rules.effects?.[name] as never),
        rules.constraints,
      )
      app.counts.drop(resource.table)
      return null
    }
    return [
      route({
        method: 'POST',
        path: `${path}/:id/${name}`,
        texts,
        access: access(resource, name),
        params: idParams,
        body: stepBody,
        answer: done,
        summary: `Takes the step "${name}".`,
        handle: (call, { params, body }) => take(call, params.id, body),
      }),
      route({
        method: 'POST',
        path: `${path}/steps/${name}`,
        texts,
        access: access(resource, name),
        body: z.strictObject({ ids: z.array(idParams.shape.id).min(1).max(MAX_IDS), reason: stepBody.shape.reason }),
        answer: z.array(
          z.strictObject({ id: z.string(), result: z.enum(['done', 'refused']), msg: z.string().nullable() }),
        ),
        summary: `Takes the step "${name}" for many, with a result for each.`,
        async handle(call, { body }) {
          const results = []
          for (const id of new Set(body.ids))
            results.push({ id, ...(await tried(app, call, texts, () => take(call, id, { reason: body.reason }))) })
          return results
        },
      }),
    ]
  })
}

async function tried(
  app: App,
  call: Call,
  texts: string,
  work: () => Promise<unknown>,
): Promise<{ result: 'done' | 'refused'; msg: string | null }> {
  try {
    await work()
    return { result: 'done', msg: null }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { result: 'refused', msg: app.texts.refusal(call.language, texts, 'refused', error.refusal) }
  }
}
