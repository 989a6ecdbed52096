import { describe, expect, test } from 'vitest'
import { readCatalogue } from '../src/kit/server/catalogue.ts'
import { readTexts } from '../src/kit/server/text/texts.ts'
import { readSources } from './source.ts'
import { declaredTexts, unusedTexts } from './unused-texts.ts'

const file = (path: string, text: string) => ({ path, text })
const find = (keys: readonly string[], code: string, declared: readonly string[] = []) =>
  unusedTexts(
    [file('src/areas/orders/order/page.tsx', code), file('src/kit/page/list/list.tsx', `say('title')`)],
    { 'orders/order': Object.fromEntries(keys.map(key => [key, key])) },
    new Map([['orders/order', new Set(declared)]]),
  )

describe('a text', () => {
  test('that no code names is found, and one the kit says of every screen is not', () => {
    expect(find(['title', 'greeting', 'farewell'], `say('greeting')`)).toEqual(['orders/order:farewell'])
  })

  test('that only a remark, a test or another locale speaks of is found', () => {
    expect(find(['greeting'], `// say('greeting')`)).toEqual(['orders/order:greeting'])
    const others = ['locale.ts', 'page.test.tsx'].map(name => file(`src/areas/orders/order/${name}`, `'greeting'`))
    expect(unusedTexts(others, { 'orders/order': { greeting: 'Hello' } }, new Map())).toHaveLength(1)
  })

  test('of a field, a choice or a step is there as long as that is declared', () => {
    const keys = ['field.name', 'field.gone', 'status.PAID', 'status.GONE', 'step.pay', 'ask.pay', 'ask.gone']
    const declared = ['field.name', 'status.PAID', 'step.pay', 'ask.pay']
    expect(find(keys, `const gone = 'name'; say(\`field.\${field}\`)`, declared)).toEqual(
      ['field.gone', 'status.GONE', 'ask.gone'].map(key => `orders/order:${key}`),
    )
  })

  test('that a template makes is there as long as the code knows the word that fills it', () => {
    const code = `const KINDS = ['COINS']; say(\`kind.\${kind}\`); say(\`\${a}.\${b}\`)`
    expect(find(['kind.COINS', 'kind.GONE'], code)).toEqual(['orders/order:kind.GONE'])
  })

  test('that slices share is there when one of them says it', () => {
    const said = {
      'orders/order': { both: 'Both' },
      'orders/refund': { both: 'Both' },
      'orders/other': { both: 'Else' },
    }
    const sources = [file('src/areas/orders/order/page.tsx', `say('both')`)]
    expect(unusedTexts(sources, said, new Map())).toEqual(['orders/other:both'])
  })
})

test('every text is said somewhere', async () => {
  const [texts, catalogue] = await Promise.all([readTexts(), readCatalogue()])
  expect(unusedTexts(readSources(), texts['zh-CN'], declaredTexts(catalogue))).toEqual([])
})
