import type * as z from 'zod'
import { factsOf } from '#areas/system/rule-script/facts.server.ts'
import { placeOf } from '#engines/rule/fault.model.ts'
import { judge } from '#engines/rule/judge.model.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { askedIn, circleOf } from '#engines/rule/reach.model.ts'
import { runChain } from '#engines/rule/run.server.ts'
import { sandboxOfTrials } from '#engines/rule/sandbox.server.ts'
import type { Step } from '#engines/rule/scope.server.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { type Route, type Routes, route } from '#kit/server/http/route.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { serveEditions } from '#kit/server/serve/serve-editions.ts'
import { dryRuns } from '../dry-runs.server.ts'
import { authorsOf } from '../rule-author.server.ts'
import { whyFactless } from './factless.server.ts'
import { knowing } from './knowing.model.ts'
import { askingOf, eventName, knownNames, libraryOf, whyTooMany } from './known.server.ts'
import { known, type RuleChain, resource, TRIED, type Tried, tried, tryBody, workflow } from './model.ts'
import { factsRoute } from './record-facts.server.ts'
import { child } from './runs/model.ts'
import { requireEvent, serving, whyServing, whyTaken } from './serving.server.ts'
import { holdRules, keptByChains, requireUnused, usersOfOne } from './used-by.server.ts'
import { whyWithheld } from './withheld.server.ts'

const served = serveEditions(resource, workflow, {
  async complete({ app }, body, standing) {
    requireEvent(app, body.event)
    // One person goes back to an older text alone; whether an event runs through the chain, two decide.
    return standing ? { ...body, event: standing.event, enabled: standing.enabled } : body
  },
  unready: whyNotPublished,
  named: (app, { event }, language) => ({ event: event === null ? undefined : eventName(app, event, language) }),
  uses: async () => new Map(),
  facts: authorsOf(resource),
  kept: async (db, chains) =>
    new Map([
      ...chains.flatMap(chain => {
        const refusal = whyServing(chain)
        return refusal ? [[chain.id, refusal] as const] : []
      }),
      ...(await keptByChains(db, chains, ({ chainId }) => chainId)),
    ]),
  async remove(op, chain) {
    const refusal = whyServing(chain)
    if (refusal) throw new Refused(refusal)
    await requireUnused(op, chain.chainId)
  },
  async after(op, { id }, step) {
    if (step === 'acknowledge')
      await op.tx.updateTable('rule_chain').set({ failed_at: null, failure: '' }).where('id', '=', id).execute()
  },
  detail: async (app, { chainId }) => ({ usedBy: await usersOfOne(app.db.query, chainId) }),
  constraints: {
    rule_chain_chain_id: { code: 'kit:taken', field: 'chainId' },
    rule_name_pkey: { code: 'kit:taken', field: 'chainId' },
    rule_chain_event: { code: 'event-taken', field: 'event' },
  },
})
export const { invariants } = served
export const { answers, listeners } = serving
export const routes: Routes = app => [
  ...served.routes(app),
  ...serveChild(child)(app),
  knownRoute(app),
  factsRoute(app),
  tryRoute(app),
]

/** What cannot run is drafted, but never published; nor is what others need switched off. */
async function whyNotPublished(chain: RuleChain, op: Operation): Promise<Refusal | undefined> {
  const { chainId, source, enabled } = chain
  await holdRules(op)
  const taken = (await whyTooMany(op, 'rule_chain', chain.id)) ?? (await whyTaken(op.tx, chain))
  if (taken) return taken
  const [user] = enabled ? [] : await usersOfOne(op.tx, chainId)
  if (user !== undefined) return refuse('in-chain-off', { name: user })
  return (
    (await whyNotRun(op.app, source, chain.event)) ??
    (await whyCircular(op, chainId, source)) ??
    (await whyWithheld(op, chain)) ??
    (await whyFactless(op, { id: chainId, source }))
  )
}

/** A chain that asks itself, directly or by way of others, would never end. */
async function whyCircular({ app }: Operation, chainId: string, source: string): Promise<Refusal | undefined> {
  const way = circleOf(chainId, new Map([...(await askingOf(app)), [chainId, askedIn(parse(source).tree)]]))
  return way && refuse('chain-circle', { way: way.join(' → ') })
}

/** Why a text cannot run as it stands. */
async function whyNotRun(app: App, source: string, event: string | null): Promise<Refusal | undefined> {
  const [first, ...more] = judge(source, knowing(await knownNames(app, 'zh-CN'), event)).faults
  return first && refuse('chain-faulty', { ...placeOf(source, first.start), count: more.length + 1 })
}

const knownRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/known`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'detail' },
    answer: known,
    summary: 'The nodes, scripts and chains a chain may speak of, and the events it may decide about.',
    handle: ({ language }) => knownNames(app, language),
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

async function tryChain(app: App, { source, facts }: z.infer<typeof tryBody>): Promise<Tried> {
  const given = factsOf(facts)
  const refusal = await whyNotRun(app, source, null)
  if (refusal) throw onField('source', refusal)
  const { nodes, chains } = (await libraryOf(app, sandboxOfTrials())).library
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
