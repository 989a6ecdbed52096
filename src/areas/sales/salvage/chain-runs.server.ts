import * as z from 'zod'
import { runsOf } from '#engines/rule/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { sees } from '#kit/server/list/sees.ts'
import { leadArrived, outcome } from './allocation.server.ts'
import { type ChainRun, chainRun } from './chain-run.model.ts'
import { resource } from './model.ts'

/** What chains decided about a lead, newest first: as long as runs are kept. */
export const chainRunRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/:id/chain-run`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'detail' },
    params: idParams,
    answer: z.array(chainRun),
    summary: 'What rule chains decided about a lead when it arrived, newest first.',
    async handle(call, { params: { id } }) {
      if (!(await sees(app, resource, id, call.actor))) throw new Refused(refuse('kit:record-missing'), 'not-found')
      const runs = await runsOf(app, leadArrived, id)
      return runs.map(({ id: run, createdAt: at, edition, fault, outcome: kept }): ChainRun => {
        return { id: run, at, edition, fault, ...chosen(kept) }
      })
    },
  })

function chosen(kept: string): Pick<ChainRun, 'chose' | 'to'> {
  const { giveTo, dealTo, byRules } = outcome.parse(JSON.parse(kept))
  if (giveTo !== undefined) return { chose: 'GIVE', to: giveTo }
  if (dealTo !== undefined) return { chose: 'DEAL', to: dealTo }
  return { chose: byRules ? 'RULES' : 'POOL', to: null }
}
