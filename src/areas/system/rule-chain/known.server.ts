import type { RuleScript } from '#areas/system/rule-script/model.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { type Asking, askedIn } from '#engines/rule/reach.model.ts'
import { sandboxOfProcess } from '#engines/rule/sandbox.server.ts'
import type { Library, RuleNode } from '#engines/rule/scope.server.ts'
import { answerOf, scriptNode } from '#engines/rule/script-node.server.ts'
import type { App } from '#kit/server/app.ts'
import type { KnownNames } from './model.ts'

/** More than people can keep in mind; a bound for what is read at once. */
const MOST = 500

const publishedScripts = ({ db }: Pick<App, 'db'>) =>
  db.query
    .selectFrom('rule_script')
    .select(['node_id as nodeId', 'name', 'type', 'source'])
    .where('edition', '>', 0)
    .orderBy('node_id')
    .limit(MOST)
    .execute()

const publishedChains = ({ db }: Pick<App, 'db'>) =>
  db.query
    .selectFrom('rule_chain')
    .select(['chain_id as chainId', 'name', 'source'])
    .where('edition', '>', 0)
    .where('enabled', '=', true)
    .orderBy('chain_id')
    .limit(MOST)
    .execute()

/** What each published chain asks, enabled or not. */
export async function askingOf({ db }: Pick<App, 'db'>): Promise<Asking> {
  const chains = await db.query
    .selectFrom('rule_chain')
    .select(['chain_id as chainId', 'source'])
    .where('edition', '>', 0)
    .limit(MOST)
    .execute()
  return new Map(chains.map(({ chainId, source }) => [chainId, askedIn(parse(source).tree)]))
}

/** The names a chain may use, for whoever writes one. */
export async function knownNames(app: App): Promise<KnownNames> {
  const [scripts, chains] = await Promise.all([publishedScripts(app), publishedChains(app)])
  return {
    nodes: scripts.map(({ nodeId, name, type }) => ({
      id: nodeId,
      name,
      type: answerOf(type as RuleScript['type']),
    })),
    chains: chains.map(({ chainId, name }) => ({ id: chainId, name })),
  }
}

/** The same to be run: what is published, as it is published. */
export async function libraryOf(app: App): Promise<Library> {
  const [scripts, chains] = await Promise.all([publishedScripts(app), publishedChains(app)])
  const now = app.clock.now()
  const nodes = scripts.map(({ nodeId, type, source }): [string, RuleNode] => [
    nodeId,
    scriptNode(sandboxOfProcess(), { type: type as RuleScript['type'], code: source }, () => now),
  ])
  return {
    nodes: new Map(nodes),
    chains: new Map(chains.map(({ chainId, source }) => [chainId, parse(source).tree])),
  }
}
