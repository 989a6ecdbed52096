import type * as z from 'zod'
import { factsOf } from '#areas/system/rule-script/facts.server.ts'
import { placeOf } from '#engines/rule/fault.model.ts'
import { judge } from '#engines/rule/judge.model.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { askedIn, circleOf } from '#engines/rule/reach.model.ts'
import { runChain } from '#engines/rule/run.server.ts'
import type { Step } from '#engines/rule/scope.server.ts'
import { onField, type Refusal, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { Lanes } from '#kit/server/database/lanes.ts'
import { type Route, type Routes, route } from '#kit/server/http/route.ts'
import { serveEditions } from '#kit/server/serve/serve-editions.ts'
import { askingOf, knownNames, libraryOf } from './known.server.ts'
import { knowing, known, type RuleChain, resource, TRIED, type Tried, tried, tryBody, workflow } from './model.ts'
import { holdRules, keptByChains, requireUnused, usersOfOne } from './used-by.server.ts'

const served = serveEditions(resource, workflow, {
  unready: whyNotPublished,
  uses: async () => new Map(),
  kept: (db, chains) => keptByChains(db, chains, ({ chainId }) => chainId),
  remove: (op, { chainId }) => requireUnused(op, chainId),
  detail: async (app, { chainId }) => ({ usedBy: await usersOfOne(app.db.query, chainId) }),
  constraints: {
    rule_chain_chain_id: { code: 'kit:taken', field: 'chainId' },
    rule_name_pkey: { code: 'kit:taken', field: 'chainId' },
  },
})
export const { invariants } = served
export const routes: Routes = app => [...served.routes(app), knownRoute(app), tryRoute(app)]

/** What cannot run is drafted, but never published; nor is what others need switched off. */
async function whyNotPublished({ chainId, source, enabled }: RuleChain, op: Operation): Promise<Refusal | undefined> {
  await holdRules(op)
  const [user] = enabled ? [] : await usersOfOne(op.tx, chainId)
  if (user !== undefined) return refuse('in-chain-off', { name: user })
  return (await whyNotRun(op.app, source)) ?? (await whyCircular(op, chainId, source))
}

/** A chain that asks itself, directly or by way of others, would never end. */
async function whyCircular({ app }: Operation, chainId: string, source: string): Promise<Refusal | undefined> {
  const way = circleOf(chainId, new Map([...(await askingOf(app)), [chainId, askedIn(parse(source).tree)]]))
  return way && refuse('chain-circle', { way: way.join(' → ') })
}

/** Why a text cannot run as it stands. */
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
