import { describe, expect, test } from 'vitest'
import { completionAt, type Nameable } from './completion.model.ts'

const NAMES: Nameable = {
  nodes: [
    { id: 'score', name: '评分', type: 'common' },
    { id: 'isRisky', name: '高风险', type: 'boolean' },
    { id: 'byCity', name: '按城市', type: 'switch' },
    {
      id: 'over',
      name: '大于',
      type: 'boolean',
      parameters: [
        { name: 'fact', kind: 'whole-fact', values: null },
        { name: 'than', kind: 'whole', values: null },
      ],
    },
    { id: 'setTag', name: '打标签', type: 'common', parameters: [{ name: 'tag', kind: 'text', values: ['QUIET'] }] },
  ],
  chains: [{ id: 'welcome', name: '欢迎' }],
  facts: [
    { name: 'amountFen', title: '退款金额', kind: 'whole' },
    { name: 'reason', title: '原因', kind: 'text' },
    { name: 'risk', title: '评分', kind: 'any' },
  ],
}
/** What is offered where `|` stands. */
const offered = (text: string): string[] =>
  completionAt(text.replace('|', ''), text.indexOf('|'), NAMES)?.options.map(option => option.text) ?? []

describe('what a chain may go on with', () => {
  const told: readonly (readonly [string, string, readonly string[]])[] = [
    ['a node by the letters it begins with', 'THEN(sc|', ['score']],
    ['a node by what people call it', 'THEN(评|', ['score']],
    ['a question where one is asked', 'IF(is|', ['isRisky']],
    ['nothing that answers where something is done', 'IF(isRisky, is|', []],
    ['what chooses, behind SWITCH', 'SWITCH(|', ['byCity']],
    ['what a question is made of', 'IF(AND(isRisky, |', ['isRisky', 'over', 'AND', 'OR', 'NOT']],
    ['the words that may be called on a form', 'IF(isRisky, score).E|', ['ELIF', 'ELSE']],
    ['the words that may be called on a node', 'THEN(score.t|', ['tag']],
    ['yes or no behind a switch of the form', 'WHEN(score).any(|', ['true', 'false']],
    ['a variable once it stands', 'x1 = THEN(score); THEN(x|', ['x1']],
    ['a chain', 'THEN(w|', ['welcome', 'WHEN', 'WHILE']],
    ['nothing within a text', 'THEN(score.tag("sc|', []],
    ['what a node takes, where something is bound to it', 'IF(over.bind("|', ['fact', 'than']],
    ['the facts of the kind it takes', 'IF(AND(isRisky, over.bind("fact", "|', ['amountFen', 'risk']],
    ['a fact by the letters it begins with', 'IF(over.bind("fact", "am|', ['amountFen']],
    ['a fact by what people call it', 'IF(over.bind("fact", "金额|', ['amountFen']],
    ['what may be bound, where not everything may', 'THEN(setTag.tag("x").bind("tag", "|', ['QUIET']],
    ['nothing behind a text that is whole', 'IF(over.bind("fact", ""|', []],
    ['nothing where something is bound to others', 'THEN(over).bind("fact", "|', []],
    ['nothing within a remark', 'THEN( // sc|', []],
    ['nothing more to a word that is whole', 'THEN(score|', []],
  ]
  test.each(told)('%s', (_, text, options) => {
    expect(offered(text)).toEqual(options)
  })

  test('takes the place of what was typed', () => {
    expect(completionAt('THEN(sc)', 7, NAMES)).toMatchObject({ from: 5, to: 7 })
  })
})
