import { type FactKind, factKind, factNamed, ITEM, type KnownFacts, type Parameters, type Plain } from './fact.model.ts'
import { type Fault, type FaultCode, nearest } from './fault.model.ts'
import { listed } from './parameter.model.ts'
import { nameOf, type Place, placesIn } from './place.model.ts'
import { type Expression, idOf, type Tree } from './tree.model.ts'

/** What is wrong with the facts a chain asks for. */
export const OF_FACTS: ReadonlySet<FaultCode> = new Set(['fact-unknown', 'fact-kind', 'fact-outside', 'fact-unread'])

/**
 * Facts a chain asks for which its event does not hand in and none of its scripts finds, and such as are of another kind. What a script
 * answers counts wherever the script stands: whether it is asked before is for a run to tell.
 */
export function checkFacts(tree: Tree, parameters: Parameters, { told, uses }: KnownFacts): Fault[] {
  const places = placesIn(tree)
  const asked = new Set(places.flatMap(({ expression }) => idOf(expression) ?? []))
  const found = foundBy([...asked].map(id => uses.get(id)?.answers ?? (uses.has(id) ? null : [])))
  const faults = places.flatMap(place => {
    const node = idOf(place.expression) ?? ''
    const named = Object.entries(parameters.get(node) ?? {}).flatMap(([name, kind]) => {
      const [wanted, value] = [factNamed(kind), place.bound.get(name)?.value]
      return wanted && value?.kind === 'text' ? namedFault(value, wanted, fieldsOf(place.list, told, parameters)) : []
    })
    const unread = (uses.get(node)?.reads ?? []).filter(fact => !isThere(fact))
    return [...named, ...unread.map(fact => unreadFault(place.expression, node, fact, Object.keys(told)))]
  })
  return [...new Map(faults.map(fault => [`${fault.start} ${fault.code} ${fault.params?.name ?? ''}`, fault])).values()]

  function isThere(name: string): boolean {
    return Object.hasOwn(told, name) || found === undefined || found.has(name)
  }

  function namedFault(value: Expression, wanted: FactKind, item: Plain | 'any' | undefined): Fault[] {
    const [name, { start, end }] = [nameOf(value), value]
    if (name.trim() === '') return []
    const isItem = name.startsWith(ITEM)
    if (isItem && item === undefined) return [{ start, end, code: 'fact-outside', params: { name } }]
    if (item === 'any' && isItem) return []
    const fields: Plain = typeof item === 'object' ? item : {}
    const known: KnownFacts['told'] = isItem
      ? Object.fromEntries(Object.entries(fields).map(([field, kind]) => [ITEM + field, kind] as const))
      : told
    const fact = Object.hasOwn(known, name) ? known[name] : undefined
    const fitting = Object.keys(known).filter(each => factKind(known[each] as Plain) === wanted)
    const names = listed(fitting) || '–'
    if (fact !== undefined && factKind(fact) !== wanted)
      return [{ start, end, code: 'fact-kind', params: { name, kind: factKind(fact), wanted, names } }]
    if (fact !== undefined || (!isItem && isThere(name))) return []
    const meant = nearest(name, [...fitting, ...(isItem ? [] : (found ?? []))])
    const fix = meant && { fix: { start, end, text: JSON.stringify(meant) } }
    return [{ start, end, code: 'fact-unknown', params: { name, names }, ...fix }]
  }
}

/** Nothing where anything may have been found. */
const foundBy = (answers: readonly (readonly string[] | null)[]): ReadonlySet<string> | undefined =>
  answers.includes(null) ? undefined : new Set(answers.flatMap(each => each ?? []))

/** What is known of the items of the list a loop goes through; of one that somebody else found it may be anything. */
function fieldsOf(
  list: Place | undefined,
  told: KnownFacts['told'],
  parameters: Parameters,
): Plain | 'any' | undefined {
  if (!list) return undefined
  const takes = parameters.get(idOf(list.expression) ?? '') ?? {}
  const named = Object.keys(takes).find(name => takes[name] === 'list-fact')
  const fact = named && told[nameOf(list.bound.get(named)?.value)]
  return typeof fact === 'object' ? fact : 'any'
}

function unreadFault({ start, nameEnd: end }: Expression, node: string, name: string, told: readonly string[]): Fault {
  const meant = nearest(name, told)
  return { start, end, code: 'fact-unread', params: { node, name, names: meant ?? (listed(told) || '–') } }
}
