import type * as z from 'zod'
import { whyFactless } from '#areas/system/rule-chain/factless.server.ts'
import { knownNames, whyTooMany } from '#areas/system/rule-chain/known.server.ts'
import { holdRules, keptByChains, requireUnused, usersOfOne } from '#areas/system/rule-chain/used-by.server.ts'
import { declaredRules } from '#engines/rule/declared.server.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { runChain } from '#engines/rule/run.server.ts'
import { sandboxOfTrials } from '#engines/rule/sandbox.server.ts'
import type { RuleNode, Step } from '#engines/rule/scope.server.ts'
import { ScriptError } from '#engines/rule/script.server.ts'
import { scriptNode } from '#engines/rule/script-node.server.ts'
import type { Language } from '#kit/model/language.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { type Route, type Routes, route } from '#kit/server/http/route.ts'
import { serveEditions } from '#kit/server/serve/serve-editions.ts'
import { dryRuns } from '../dry-runs.server.ts'
import { authorsOf } from '../rule-author.server.ts'
import { factsOf } from './facts.server.ts'
import { type KnownFacts, known, type RuleScript, resource, type Tried, tried, tryBody, workflow } from './model.ts'

const served = serveEditions(resource, workflow, {
  async unready({ id, nodeId, source }, op) {
    const refusal = whyNotNamed(op.app, nodeId) ?? (await whyNotCompile(source))
    if (refusal) return refusal
    await holdRules(op)
    return (await whyTooMany(op, 'rule_script', id)) ?? whyFactless(op, { id: nodeId, source })
  },
  facts: authorsOf(resource),
  uses: async () => new Map(),
  kept: (db, scripts) => keptByChains(db, scripts, ({ nodeId }) => nodeId),
  remove: (op, { nodeId }) => requireUnused(op, nodeId),
  detail: async (app, { nodeId }) => ({ usedBy: await usersOfOne(app.db.query, nodeId) }),
  constraints: {
    rule_script_node_id: { code: 'kit:taken', field: 'nodeId' },
    rule_name_pkey: { code: 'kit:taken', field: 'nodeId' },
  },
})
export const { invariants } = served
export const routes: Routes = app => [...served.routes(app), knownRoute(app), tryRoute(app)]

/** Chains would ask the node of code by this name, and never the script. */
function whyNotNamed(app: App, nodeId: string): Refusal | undefined {
  return declaredRules(app).nodes.has(nodeId) ? refuse('name-built-in', { name: nodeId }) : undefined
}

/** What is no JavaScript is drafted, but never published. It is compiled where it would run, and not run. */
async function whyNotCompile(source: string): Promise<Refusal | undefined> {
  const code = `new Function('facts', '_meta', 'defaultContext', ${JSON.stringify(source)})`
  try {
    await sandboxOfTrials().run({ code, facts: {}, now: new Date(0), signal: AbortSignal.timeout(COMPILE_MS) })
    return undefined
  } catch (error) {
    if (error instanceof ScriptError && OF_SCRIPT.has(error.code))
      return refuse('not-javascript', { message: error.message })
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    if (isLate || error instanceof ScriptError) throw busy()
    throw error
  }
}

/** Publishing holds the record meanwhile: it does not wait behind whatever other people run. */
const COMPILE_MS = 5_000
/** What is wrong with a script itself; the rest is that there was no room to compile it in. */
const OF_SCRIPT: ReadonlySet<ScriptError['code']> = new Set(['script', 'too-large'])

const busy = () => new Refused(refuse('scripts-busy'), 'too-many', { retrySeconds: 5 })

const knownRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/known`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'detail' },
    answer: known,
    summary: 'What the events that run through chains tell of their records, for whoever writes a script.',
    handle: ({ language }) => factsKnown(app, language),
  })

/** Several events may tell the same: it is named once. What other scripts and nodes add is there as well. */
async function factsKnown(app: App, language: Language): Promise<KnownFacts> {
  const { events, nodes } = await knownNames(app, language)
  const told = events.flatMap(({ facts }) => facts)
  const byName = new Map(told.map(fact => [fact.name, fact]))
  const added = new Set(nodes.flatMap(({ answers }) => answers ?? []))
  return { facts: [...byName.values()], added: [...added].filter(name => !byName.has(name)) }
}

const tryRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${resource.screen.name}/try`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'try' },
    body: tryBody,
    answer: tried,
    summary: 'Runs a script once on given facts; nothing of it is kept.',
    handle: ({ actor }, { body }) => dryRuns.run(actor.id, () => tryScript(app, body)),
  })

/** Asked as a chain would ask it, so that an answer its type does not promise is told too. */
async function tryScript(app: App, { type, source, facts }: z.infer<typeof tryBody>): Promise<Tried> {
  const now = app.clock.now()
  const node = scriptNode(sandboxOfTrials(), { type, code: source }, () => now)
  let failed: unknown
  const asked: RuleNode = {
    type: node.type,
    run: async question => {
      try {
        return await node.run(question)
      } catch (error) {
        failed = error
        throw error
      }
    },
  }
  const nodes = new Map([
    ['it', asked],
    ['end', { type: 'common', run: () => undefined } satisfies RuleNode],
  ])
  const chains = new Map([['try', parse(ASKING[type]).tree]])
  const { steps } = await runChain({ nodes, chains }, 'try', { facts: factsOf(facts) })
  if (failed instanceof ScriptError && failed.code === 'busy') throw busy()
  const { output, error, ms = 0 } = steps[0] as Step
  return { answer: JSON.stringify(output) ?? null, ms: Math.round(ms), error: error ? told(error, failed) : null }
}
const ASKING: Readonly<Record<RuleScript['type'], string>> = {
  script: 'THEN(it)',
  boolean_script: 'IF(it, end)',
  switch_script: 'SWITCH(it).TO(end).DEFAULT(end)',
  for_script: 'FOR(it).DO(end)',
}

function told({ code, message }: NonNullable<Step['error']>, failed: unknown): NonNullable<Tried['error']> {
  if (!(failed instanceof ScriptError)) return { code, message, line: null }
  return { code: failed.code, message, line: failed.line ?? null }
}
