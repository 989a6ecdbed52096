import { expect, test } from 'vitest'
import { sandboxOfTrials } from './sandbox.server.ts'
import { SCRIPT_CALLS, scriptCompletionAt } from './script-completion.model.ts'

const KNOWN = {
  facts: [
    { name: 'amountFen', title: 'Amount (fen)' },
    { name: 'reason', title: 'Reason' },
  ],
  tell: (word: string) => `about ${word}`,
}
const completion = (source: string, caret = source.length) => scriptCompletionAt(source, caret, KNOWN)
const offered = (source: string) => completion(source)?.options.map(({ text }) => text)

test('a script is offered what it is given, what that holds, and what may be called', () => {
  expect(offered('return fa')).toEqual(['facts'])
  expect(offered('return facts.')).toEqual(['amountFen', 'reason'])
  expect(offered('return facts.am')).toEqual(['amountFen'])
  expect(offered('return facts?.am')).toEqual(['amountFen'])
  expect(offered('return _meta.loop')).toEqual(['loopIndex', 'loopObject'])
  expect(offered('defaultContext.')).toEqual(['getData', 'hasData', 'setData'])
  expect(offered("defaultContext.getData('re")).toEqual(['reason'])
  expect(offered('Math.m')).toEqual(['max', 'min'])
  expect(offered('')).toContain('facts')
})

test('each fact is told by what people call it, and each word that is ours by what it means', () => {
  expect(completion('facts.am')?.options).toEqual([{ text: 'amountFen', kind: 'value', about: 'Amount (fen)' }])
  expect(completion('defaultContext.g')?.options).toEqual([{ text: 'getData', kind: 'word', about: 'about getData' }])
})

test('nothing is offered within a text or a remark, on what nobody knows, or while something is named', () => {
  const silent = ["return 'fa", '// fa', '/* fa', 'order.fa', 'facts.reason.fa', 'f().fa', 'facts.reason', 'let f']
  for (const source of silent) expect([source, offered(source)]).toEqual([source, undefined])
  expect(offered("const who = 'it''s' // facts\nreturn fa")).toEqual(['facts'])
})

test('Enter behind a number, a word of another writing or a name of the language begins a new line', () => {
  for (const source of [
    'return facts.amountFen > 1',
    'return 1.',
    'return 1f',
    'return 金',
    'constructor.',
    'toString.t',
  ])
    expect([source, offered(source)]).toEqual([source, undefined])
})

test('what is taken stands in place of the word that was begun', () => {
  expect(completion('return facts.am > 1', 15)).toMatchObject({ from: 13, to: 15 })
})

test('whatever is offered is there when the script runs, and all that it is given is offered', async () => {
  const code = `return {
    lacking: ${JSON.stringify([...SCRIPT_CALLS])}.flatMap(([holder, names]) => {
      const held = { _meta, defaultContext, Math, JSON, Number, Object, Array, Date }[holder]
      return names.filter(name => !(name in held) && holder !== '_meta').map(name => holder + '.' + name)
    }),
    given: [...Object.keys(_meta), ...Object.keys(defaultContext)],
  }`
  const meta = { nodeId: 'a' }
  const signal = AbortSignal.timeout(30_000)
  const { answer } = await sandboxOfTrials().run({ code, facts: {}, meta, now: new Date(0), signal })
  const told = [SCRIPT_CALLS.get('_meta'), SCRIPT_CALLS.get('defaultContext')].flat()
  expect(answer).toMatchObject({ lacking: [], given: expect.any(Array) })
  for (const name of (answer as { given: string[] }).given) expect(told).toContain(name)
})
