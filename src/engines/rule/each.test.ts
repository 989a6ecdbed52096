import { describe, expect, test } from 'vitest'
import { builtIn } from './built-in.server.ts'
import { nodeOf } from './declared.server.ts'
import { parse } from './parser.model.ts'
import { runChain } from './run.server.ts'
import type { RuleNode } from './scope.server.ts'

const LINES = [
  { name: '硬笔课', amountFen: 900, suggestedFen: 900, inWindow: true },
  { name: '毛笔课', amountFen: 700, suggestedFen: 300, inWindow: false },
  { name: '字帖', amountFen: 50, suggestedFen: 0, inWindow: false },
]
const nodes = new Map<string, RuleNode>([
  ...builtIn.map(node => [node.name, nodeOf(node)] as const),
  ['a', { type: 'common', run: () => undefined }],
])

async function traceOf(source: string, facts: object = { lines: LINES, limitFen: 600 }): Promise<string> {
  const { tree, faults } = parse(source)
  expect(faults).toEqual([])
  const run = await runChain({ nodes, chains: new Map([['main', tree]]) }, 'main', { facts: { ...facts } })
  const steps = run.steps.map(({ nodeId, input, output, error }) => {
    const round = 'index' in input ? `#${input.index}` : ''
    return `${nodeId}${round}${typeof output === 'boolean' ? `=${output}` : ''}${error ? `! ${error.message}` : ''}`
  })
  return steps.join(' ')
}
const EACH = 'ITERATOR(each.bind("fact", "lines"))'

describe('a loop over a list of the record', () => {
  test.each([
    ['does it once for each, in their order', `${EACH}.DO(a)`, 'each a#0 a#1 a#2'],
    [
      'asks for what is known of the item it has come to',
      `${EACH}.DO(IF(over.bind("fact", "item.amountFen").bind("than", 600), a))`,
      'each over#0=true a#0 over#1=true a#1 over#2=false',
    ],
    [
      'compares the item with the record, and with itself',
      `${EACH}.DO(IF(AND(overFact.bind("fact", "item.amountFen").bind("than", "item.suggestedFen"), overFact.bind("fact", "item.amountFen").bind("than", "limitFen")), a))`,
      'each overFact#0=false overFact#1=true overFact#1=true a#1 overFact#2=true overFact#2=false',
    ],
    [
      'ends where its BREAK says yes',
      `${EACH}.DO(a).BREAK(isText.bind("fact", "item.name").bind("text", "毛笔课"))`,
      'each a#0 isText#0=false a#1 isText#1=true',
    ],
  ])('%s', async (_, source, expected) => {
    expect(await traceOf(source)).toBe(expected)
  })

  test('asks each whether something is true of it', async () => {
    expect(await traceOf(`${EACH}.parallel(true).DO(IF(isTrue.bind("fact", "item.inWindow"), a))`)).toBe(
      'each isTrue#0=true isTrue#1=false isTrue#2=false a#0',
    )
  })

  test('knows the item of the outer list within a count, and that of the inner list within another', async () => {
    const over = 'IF(over.bind("fact", "item.amountFen").bind("than", 800), a)'
    expect(await traceOf(`${EACH}.DO(FOR(1).DO(${over}))`)).toBe('each over#0=true a#0 over#0=false over#0=false')
    expect(await traceOf('ITERATOR(each.bind("fact", "others")).DO(a)', { others: [] })).toBe('each')
  })

  test('stops where the record has no such list, or the item no such field, and says which', async () => {
    expect(await traceOf('ITERATOR(each.bind("fact", "nothing")).DO(a)')).toBe('each! there is no fact nothing')
    expect(await traceOf('ITERATOR(each.bind("fact", "limitFen")).DO(a)')).toBe('each! each: iterator')
    expect(await traceOf(`${EACH}.DO(IF(isTrue.bind("fact", "item.nothing"), a))`)).toBe(
      'each isTrue#0! the item has no nothing',
    )
    expect(await traceOf('IF(isTrue.bind("fact", "item.name"), a)')).toBe('isTrue! the item has no name')
  })
})
