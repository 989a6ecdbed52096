import type * as z from 'zod'
import { factsOf } from '#areas/system/rule-script/facts.server.ts'
import { placeOf } from '#engines/rule/fault.model.ts'
import { judge } from '#engines/rule/judge.model.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { runChain } from '#engines/rule/run.server.ts'
import type { Step } from '#engines/rule/scope.server.ts'
import { onField, type Refusal, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { Lanes } from '#kit/server/database/lanes.ts'
import { type Route, type Routes, route } from '#kit/server/http/route.ts'
import { serveEditions } from '#kit/server/serve/serve-editions.ts'
import { knownNames, libraryOf } from './known.server.ts'
import { knowing, known, resource, type Tried, tried, tryBody, workflow } from './model.ts'
import { usersOf } from './used-by.server.ts'

const served = serveEditions(resource, workflow, {
  unready: ({ source }, { app }) => whyNotRun(app, source),
  uses: async () => new Map(),
  async kept(db, chains) {
    const users = await usersOf(
      db,
      chains.map(({ chainId }) => chainId),
    )
    return new Map(
      chains.flatMap(({ id, chainId }) => {
        const [name] = users.get(chainId) ?? []
        return name === undefined ? [] : [[id, refuse('in-chain', { name })] as const]
      }),
    )
  },
  detail: async (app, { chainId }) => ({ usedBy: (await usersOf(app.db.query, [chainId])).get(chainId) ?? [] }),
  constraints: { rule_chain_chain_id: { code: 'kit:taken', field: 'chainId' } },
})
export const { invariants } = served
export const routes: Routes = app => [...served.routes(app), knownRoute(app), tryRoute(app)]

/** What cannot run is drafted, but never published. */
async function whyNotRun(app: App, source: string): Promise<Refusal | undefined> {
  const [first, ...more] = judge(source, knowing(await knownNames(app))).faults
  return first && refuse('chain-faulty', { ...placeOf(source, first.start), count: more.length + 1 })
}

const knownRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/known`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'detail' },
    answer: known,
    summary: 'The scripts and chains a chain may speak of.',
    handle: () => knownNames(app),
  })

const tryRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${resource.screen.name}/try`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'try' },
    body: tryBody,
    answer: tried,
    summary: 'Runs a chain once on given facts and tells each step; nothing of it is kept.',
    handle: ({ actor }, { body }) => dryRuns.run(actor.id, () => tryChain(app, body)),
  })

/** One dry run of a person at a time: all scripts wait in one line, and others are in it too. */
const dryRuns = new Lanes(10_000, 100)

/** No chain is called so: what is tried stands beside what is published. */
const TRIED = '(draft)'

async function tryChain(app: App, { source, facts }: z.infer<typeof tryBody>): Promise<Tried> {
  const given = factsOf(facts)
  const refusal = await whyNotRun(app, source)
  if (refusal) throw onField('source', refusal)
  const { nodes, chains } = await libraryOf(app)
  const outcome = await runChain({ nodes, chains: new Map([...chains, [TRIED, parse(source).tree]]) }, TRIED, {
    facts: given,
  })
  return {
    error: outcome.error ?? null,
    facts: JSON.stringify(Object.fromEntries(outcome.facts)),
    steps: outcome.steps.slice(0, MOST_STEPS).map(stepOf),
  }
}
/** More than these nobody reads. */
const MOST_STEPS = 200

const stepOf = ({ nodeId, chainId, place, tag, ms, input, output, error }: Step): Tried['steps'][number] => ({
  nodeId,
  chainId,
  place,
  tag: tag ?? null,
  ms: Math.round(ms ?? 0),
  input: JSON.stringify(input),
  output: JSON.stringify(output) ?? null,
  error: error ?? null,
})
