import { sql } from 'kysely'
import type { RuleScript } from '#areas/system/rule-script/model.ts'
import { declaredRules, nodeOf } from '#engines/rule/declared.server.ts'
import { type Facts, type FactUse, factKind, type Parameters } from '#engines/rule/fact.model.ts'
import { scriptUse, usesOfChains } from '#engines/rule/fact-use.model.ts'
import type { InForce } from '#engines/rule/in-force.server.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { type Asking, askedIn, reachOf } from '#engines/rule/reach.model.ts'
import type { Sandbox } from '#engines/rule/sandbox.server.ts'
import type { RuleNode } from '#engines/rule/scope.server.ts'
import { answerOf, scriptNode } from '#engines/rule/script-node.server.ts'
import type { Language } from '#kit/model/language.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { KnownNames } from './model.ts'
import { recordsOf } from './record-facts.server.ts'

/** More than people can keep in mind; a bound for what is read at once. */
const MOST = 500

type Published = {
  readonly recordId: string | null
  readonly id: string
  readonly name: string
  readonly note: string
  readonly type: string | null
  readonly source: string
  readonly edition: number
  readonly event: string | null
}

/** Scripts and chains of one moment, by one statement: a run never finds a chain of before and a script of after. */
async function published({ db }: Pick<App, 'db'>, changed?: Changed) {
  const { rows } = await sql<Published>`
    (select null::bigint as "recordId", node_id as id, name, note, type, source, edition, null as event
     from rule_script where edition > 0 order by node_id limit ${MOST})
    union all
    (select id, chain_id, name, note, null, source, edition, event
     from rule_chain where edition > 0 and enabled order by chain_id limit ${MOST})`.execute(db.query)
  const read = rows.map(row => (row.id === changed?.id ? { ...row, source: changed.source } : row))
  return {
    scripts: read.filter(({ recordId }) => recordId === null),
    chains: read.filter(({ recordId }) => recordId !== null),
  }
}

/** Why one more is not published: one of those beyond would not be read, and the chain that asks it would not decide. */
export async function whyTooMany(
  { tx }: Pick<Operation, 'tx'>,
  table: 'rule_chain' | 'rule_script',
  id: string,
): Promise<Refusal | undefined> {
  const { n } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('edition', '>', 0)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow()
  return Number(n) >= MOST ? refuse('system:rules-too-many', { most: MOST }) : undefined
}

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

/** A script or chain as it would stand once it is published. */
export type Changed = { readonly id: string; readonly source: string }

/** The names a chain may use, for whoever writes one, in that person's language; of what is to change, as it would be. */
export async function knownNames(app: App, language: Language, changed?: Changed): Promise<KnownNames> {
  const { scripts, chains } = await published(app, changed)
  const { nodes, events } = declaredRules(app)
  const say = (texts: string, key: string) => app.texts.text(language, texts, key)
  const offers = await offersOf(app)
  const doers = doersOf(app, chains)
  const uses = usesOf(app, scripts, chains)
  const factUse = (id: string) => {
    const { reads = [], answers = [] } = uses.get(id) ?? {}
    return { reads: [...reads], answers: answers && [...answers] }
  }
  return {
    nodes: [
      ...[...nodes.values()].map(({ name, texts, type, parameters, deed }) => ({
        id: name,
        name: say(texts, `rule-node.${name}`),
        type,
        about: say(texts, `rule-node.${name}.help`),
        parameters: Object.entries(parameters).map(([parameter, kind]) => ({
          name: parameter,
          kind,
          values: offers.get(name)?.[parameter] ?? null,
        })),
        does: deed !== undefined,
        ...factUse(name),
      })),
      ...scripts
        .filter(({ id }) => !nodes.has(id))
        .map(({ id, name, note, type }) => ({
          id,
          name,
          type: answerOf(type as RuleScript['type']),
          about: note,
          parameters: null,
          does: false,
          ...factUse(id),
        })),
    ],
    chains: chains.map(({ id, name }) => ({ id, name, does: doers.has(id), ...factUse(id) })),
    events: [...events.values()].map(({ name, texts, facts, shipped, concerns }) => ({
      name,
      title: eventName(app, name, language),
      screen: texts,
      number: recordsOf(app, texts).title,
      facts: factsTold(facts, name => say(texts, `rule-fact.${name}`)),
      shipped,
      letsDo: concerns !== undefined,
    })),
  }
}

/** What people call an event; one the code no longer knows is called as chains name it. */
export function eventName(app: App, event: string, language: Language): string {
  const texts = declaredRules(app).events.get(event)?.texts
  return texts === undefined ? event : app.texts.text(language, texts, `rule-event.${event}`)
}

/** What may be bound to nodes that take only what there is, as it is now. */
async function offersOf(app: App): Promise<ReadonlyMap<string, Readonly<Record<string, string[]>>>> {
  const offers = new Map<string, Record<string, string[]>>()
  for (const { name, deed } of declaredRules(app).nodes.values()) {
    const found = Object.entries((await deed?.offers(app)) ?? {})
    offers.set(name, Object.fromEntries(found.map(([parameter, values = []]) => [parameter, [...values]])))
  }
  return offers
}

/** Chains that have something done, themselves or by way of others. */
function doersOf(app: App, chains: readonly Published[]): ReadonlySet<string> {
  const { nodes } = declaredRules(app)
  const asking: Asking = new Map(chains.map(({ id, source }) => [id, askedIn(parse(source).tree)]))
  const does = ({ id }: Published) => [...reachOf([id], asking)].some(name => nodes.get(name)?.deed)
  return new Set(chains.filter(does).map(({ id }) => id))
}

/** The facts of an event as people call them. */
const factsTold = (facts: Facts, title: (name: string) => string): KnownNames['events'][number]['facts'] =>
  Object.entries(facts).map(([name, fact]) => ({
    name,
    title: title(name),
    kind: factKind(fact),
    fields: Object.entries(typeof fact === 'string' ? {} : fact).map(([field, kind]) => ({
      name: field,
      title: title(`${name}.${field}`),
      kind,
    })),
  }))

/** Who asks for which facts and adds which: nodes, scripts and chains, by id. */
function usesOf(app: App, scripts: readonly Published[], chains: readonly Published[]): ReadonlyMap<string, FactUse> {
  const { nodes } = declaredRules(app)
  const own = new Map<string, FactUse>([
    ...scripts.map(({ id, type, source }) => [id, scriptUse(type as RuleScript['type'], source)] as const),
    ...[...nodes.values()].map(({ name, answers }) => [name, { reads: [], answers: answers ?? [] }] as const),
  ])
  const parameters: Parameters = new Map([...nodes].map(([name, node]) => [name, node.parameters]))
  return new Map([
    ...usesOfChains(new Map(chains.map(({ id, source }) => [id, parse(source).tree])), own, parameters),
    ...own,
  ])
}

/** The same to be run: what the code declares and what is published, as it is published, and which chain decides about an event. */
export async function libraryOf(app: App, sandbox: Sandbox, event?: string): Promise<InForce> {
  const { scripts, chains } = await published(app)
  const now = app.clock.now()
  const nodes = scripts.map(({ id, type, source }): [string, RuleNode] => [
    id,
    scriptNode(sandbox, { type: type as RuleScript['type'], code: source }, () => now),
  ])
  const builtIn = [...declaredRules(app).nodes].map(([name, node]): [string, RuleNode] => [name, nodeOf(node)])
  const serving = chains.find(chain => event !== undefined && chain.event === event)
  return {
    library: {
      nodes: new Map([...nodes, ...builtIn]),
      chains: new Map(chains.map(({ id, source }) => [id, parse(source).tree])),
    },
    chain: serving && { recordId: String(serving.recordId), chainId: serving.id, edition: serving.edition },
  }
}
