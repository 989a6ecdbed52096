import { defineNode } from './declared.server.ts'
import type { Asked } from './scope.server.ts'

const texts = 'engines/rule'

function factOf({ facts }: Asked, name: string): unknown {
  if (!facts.has(name)) throw new Error(`there is no fact ${name}`)
  return facts.get(name)
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
    parameters: { fact: 'text', than: 'whole' },
    run: (asked, { fact, than }) => figureOf(asked, fact) > than,
  }),
  defineNode({
    name: 'overFact',
    texts,
    type: 'boolean',
    parameters: { fact: 'text', than: 'text' },
    run: (asked, { fact, than }) => figureOf(asked, fact) > figureOf(asked, than),
  }),
  defineNode({
    name: 'isTrue',
    texts,
    type: 'boolean',
    parameters: { fact: 'text' },
    run: (asked, { fact }) => factOf(asked, fact) === true,
  }),
  defineNode({
    name: 'isText',
    texts,
    type: 'boolean',
    parameters: { fact: 'text', text: 'text' },
    run: (asked, { fact, text }) => factOf(asked, fact) === text,
  }),
]
