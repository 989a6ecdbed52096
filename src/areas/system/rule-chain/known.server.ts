import type { RuleScript } from '#areas/system/rule-script/model.ts'
import { declaredRules, nodeOf } from '#engines/rule/declared.server.ts'
import type { Facts } from '#engines/rule/fact.model.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { type Asking, askedIn } from '#engines/rule/reach.model.ts'
import { sandboxOfProcess } from '#engines/rule/sandbox.server.ts'
import type { Library, RuleNode } from '#engines/rule/scope.server.ts'
import { answerOf, scriptNode } from '#engines/rule/script-node.server.ts'
import type { Language } from '#kit/model/language.ts'
import type { App } from '#kit/server/app.ts'
import type { KnownNames } from './model.ts'
import { recordsOf } from './record-facts.server.ts'

/** More than people can keep in mind; a bound for what is read at once. */
const MOST = 500

const publishedScripts = ({ db }: Pick<App, 'db'>) =>
  db.query
    .selectFrom('rule_script')
    .select(['node_id as nodeId', 'name', 'note', 'type', 'source'])
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

/** The names a chain may use, for whoever writes one, in that person's language. */
export async function knownNames(app: App, language: Language): Promise<KnownNames> {
  const [scripts, chains] = await Promise.all([publishedScripts(app), publishedChains(app)])
  const { nodes, events } = declaredRules(app)
  const say = (texts: string, key: string) => app.texts.text(language, texts, key)
  return {
    nodes: [
      ...[...nodes.values()].map(({ name, texts, type, parameters }) => ({
        id: name,
        name: say(texts, `rule-node.${name}`),
        type,
        about: say(texts, `rule-node.${name}.help`),
        parameters: listed(parameters),
      })),
      ...scripts
        .filter(({ nodeId }) => !nodes.has(nodeId))
        .map(({ nodeId, name, note, type }) => ({
          id: nodeId,
          name,
          type: answerOf(type as RuleScript['type']),
          about: note,
          parameters: null,
        })),
    ],
    chains: chains.map(({ chainId, name }) => ({ id: chainId, name })),
    events: [...events.values()].map(({ name, texts, facts, shipped }) => ({
      name,
      title: eventName(app, name, language),
      screen: texts,
      number: recordsOf(app, texts).title,
      facts: listed(facts).map(fact => ({ ...fact, title: say(texts, `rule-fact.${fact.name}`) })),
      shipped,
    })),
  }
}

/** What people call an event; one the code no longer knows is called as chains name it. */
export function eventName(app: App, event: string, language: Language): string {
  const texts = declaredRules(app).events.get(event)?.texts
  return texts === undefined ? event : app.texts.text(language, texts, `rule-event.${event}`)
}

const listed = (facts: Facts) => Object.entries(facts).map(([name, kind]) => ({ name, kind }))

/** The same to be run: what the code declares and what is published, as it is published. */
export async function libraryOf(app: App): Promise<Library> {
  const [scripts, chains] = await Promise.all([publishedScripts(app), publishedChains(app)])
  const now = app.clock.now()
  const nodes = scripts.map(({ nodeId, type, source }): [string, RuleNode] => [
    nodeId,
    scriptNode(sandboxOfProcess(), { type: type as RuleScript['type'], code: source }, () => now),
  ])
  const builtIn = [...declaredRules(app).nodes].map(([name, node]): [string, RuleNode] => [name, nodeOf(node)])
  return {
    nodes: new Map([...nodes, ...builtIn]),
    chains: new Map(chains.map(({ chainId, source }) => [chainId, parse(source).tree])),
  }
}
