import { defineNode } from './declared.server.ts'
import { ITEM } from './fact.model.ts'
import type { Asked } from './scope.server.ts'

const texts = 'engines/rule'

function factOf({ facts, loops }: Asked, name: string): unknown {
  if (name.startsWith(ITEM)) return ofItem(loops, name.slice(ITEM.length))
  if (!facts.has(name)) throw new Error(`there is no fact ${name}`)
  return facts.get(name)
}

/** Of the item the nearest loop over a list has come to. */
function ofItem(loops: Asked['loops'], field: string): unknown {
  const { item } = loops.find(loop => 'item' in loop) ?? {}
  if (typeof item !== 'object' || item === null || !Object.hasOwn(item, field))
    throw new Error(`the item has no ${field}`)
  return (item as Readonly<Record<string, unknown>>)[field]
}

function figureOf(asked: Asked, name: string): number {
  const value = factOf(asked, name)
  if (typeof value !== 'number') throw new Error(`the fact ${name} is no number`)
  return value
}

/** Nodes for any event: they ask facts, and wish that somebody be told. */
export const builtIn = [
  defineNode({
    name: 'over',
    texts,
    type: 'boolean',
    parameters: { fact: 'whole-fact', than: 'whole' },
    run: (asked, { fact, than }) => figureOf(asked, fact) > than,
  }),
  defineNode({
    name: 'overFact',
    texts,
    type: 'boolean',
    parameters: { fact: 'whole-fact', than: 'whole-fact' },
    run: (asked, { fact, than }) => figureOf(asked, fact) > figureOf(asked, than),
  }),
  defineNode({
    name: 'isTrue',
    texts,
    type: 'boolean',
    parameters: { fact: 'truth-fact' },
    run: (asked, { fact }) => factOf(asked, fact) === true,
  }),
  defineNode({
    name: 'isText',
    texts,
    type: 'boolean',
    parameters: { fact: 'text-fact', text: 'text' },
    run: (asked, { fact, text }) => factOf(asked, fact) === text,
  }),
  defineNode({
    name: 'each',
    texts,
    type: 'iterator',
    parameters: { fact: 'list-fact' },
    run: (asked, { fact }) => factOf(asked, fact),
  }),
]
