import type * as z from 'zod'
import type { Actor } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { sees } from '#kit/server/list/sees.ts'
import { resource } from './model.ts'

type Side<Q extends z.ZodType> = {
  path: string
  query?: Q
  answer: z.ZodType
  summary: string
  read(asked: { id: string; query: z.infer<Q>; now: Date; actor: Actor }): Promise<unknown>
}

/** One side of the member 360, for those who may see this member. */
export const sideRoute = <Q extends z.ZodType>(app: App, { path, query, answer, summary, read }: Side<Q>): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/:id/${path}`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'detail' },
    params: idParams,
    ...(query ? { query } : {}),
    answer,
    summary,
    async handle(call, input) {
      const { id } = input.params
      if (!(await sees(app, resource, id, call.actor))) throw new Refused(refuse('kit:record-missing'), 'not-found')
      return read({ id, query: input.query as z.infer<Q>, now: call.now, actor: call.actor })
    },
  })
