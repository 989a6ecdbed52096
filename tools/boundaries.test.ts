import { describe, expect, test } from 'vitest'
import { findBreaches } from './boundaries.ts'

const AREA = {
  path: 'src/areas/orders/area.ts',
  text: "export const area = defineArea({ name: 'orders', dependsOn: ['members'], screens: {\n order: { route: '/order/list', key: 'order-list' },\n} })",
}
const PAGE = { path: 'src/areas/orders/order/page.tsx', text: 'export {}' }

/** What is said about one file among a tree that is right. */
const breaches = (path: string, text: string, more: readonly { path: string; text: string }[] = []) =>
  findBreaches([...[AREA, PAGE].filter(file => file.path !== path), ...more, { path, text }])

describe('a tree within its fences', () => {
  test('has nothing to be said about it', () => {
    const text = [
      "import * as z from 'zod'",
      "import { serve } from '#kit/server/serve/serve.ts'",
      "import { findMember } from '#areas/members/member/server.ts'",
      "import { area } from '../area.ts'",
      "import { resource } from './model.ts'",
      '// process.env and new Date() may be spoken of',
    ].join('\n')
    expect(breaches('src/areas/orders/order/server.ts', text)).toEqual([])
  })
})

test('a folder of the area that has no screen is there for those that have one', () => {
  const text = "import { Easel } from '#areas/orders/desk/easel.page.tsx'"
  expect(breaches('src/areas/orders/order/page.tsx', text)).toEqual([])
  const another = {
    path: 'src/areas/orders/refund/page.tsx',
    text: "import { x } from '#areas/orders/order/easel.page.tsx'",
  }
  const areaOfTwo = {
    ...AREA,
    text: AREA.text.replace('screens: {', "screens: {\n refund: { route: '/order/refund' },"),
  }
  expect(findBreaches([areaOfTwo, PAGE, another])).toEqual([
    expect.stringMatching(/refund\/page.tsx: may not import .*only area.ts, model.ts and server.ts/),
  ])
})

describe('a field that chooses from a dictionary', () => {
  const MODEL =
    "import { dictionary, tags } from '#kit/model/field.ts'\nconst x = [optional(dictionary('ORDER_SOURCE')), tags('TAG')]"
  const declared = (code: string) => ({
    path: 'src/areas/orders/order/dictionaries.server.ts',
    text: `export const dictionaries = defineDictionaries({\n  ${code}: {\n    name: {},\n    entries: {},\n  },\n})`,
  })
  test('is refused at once when nobody declares that dictionary', () => {
    expect(breaches('src/areas/orders/order/model.ts', MODEL, [declared('TAG')])).toEqual([
      'src/areas/orders/order/model.ts: names the dictionary ORDER_SOURCE, which no dictionaries.server.ts declares',
    ])
  })
})

describe('SQL that names a table', () => {
  const WRITER = {
    path: 'src/areas/goods/item/server.ts',
    text: "await tx.insertInto('goods_item').values({}).execute()",
  }
  test.each([
    [
      'of an area nobody said it depends on',
      'src/areas/orders/order/server.ts',
      'sql`select 1 from goods_item`',
      'orders',
    ],
    [
      'of an area, from an engine',
      'src/engines/sequence/server.ts',
      "tx.selectFrom('goods_item as g')",
      'engines/sequence',
    ],
    [
      'of an area, as what a statistic counts',
      'src/areas/orders/order/server.ts',
      "const counted = { table: 'goods_item' }",
      'orders',
    ],
    [
      'of an area, after another in one list',
      'src/areas/orders/order/server.ts',
      'sql`select 1 from unnest(ids) i, goods_item g`',
      'orders',
    ],
    ['of an area, from the kit', 'src/kit/server/serve/x.ts', "tx.updateTable('goods_item')", 'kit'],
  ])('%s is refused', (_case, path, text, own) => {
    expect(breaches(path, text, [WRITER])).toEqual([
      `${path}: its SQL names a table of goods, which ${own} does not depend on`,
    ])
  })

  test('of an area that depends on it is refused, whichever two they are', () => {
    const area = {
      path: 'src/areas/products/area.ts',
      text: "export const area = defineArea({ name: 'products', screens: {} })",
    }
    const writer = { path: 'src/areas/members/member/server.ts', text: "tx.insertInto('member')" }
    const path = 'src/areas/products/coupon/issuing.server.ts'
    expect(breaches(path, 'sql`select id from member`', [area, writer])).toEqual([
      `${path}: its SQL names a table of members, which products does not depend on`,
    ])
  })

  test('of an area it depends on, of an engine or of the kit may stand', () => {
    const writers = [
      { ...WRITER, path: 'src/areas/members/member/server.ts' },
      { path: 'src/engines/sequence/server.ts', text: 'sql`insert into number_sequence values (1)`' },
      { path: 'src/kit/server/work/x.ts', text: "tx.insertInto('task')" },
    ]
    const text = 'sql`select 1 from goods_item join number_sequence on true join task on true`'
    expect(breaches('src/areas/orders/order/server.ts', text, writers)).toEqual([])
  })
})

describe('a question of a slice that may not know who knows', () => {
  const path = 'src/areas/orders/order/server.ts'
  const asked = "export const goodsOf = defineQuestion<{ ids: string[] }, number>('goods-of')"
  const answered = (area: string) => ({
    path: `src/areas/${area}/item/server.ts`,
    text: 'export const answers = [answer(goodsOf, (_app, { ids }) => count(ids))]',
  })
  test('is refused when nobody answers it', () => {
    expect(breaches(path, asked)).toEqual([`${path}: no slice answers goodsOf`])
  })
  test('is refused when more than one slice answers it', () => {
    expect(breaches(path, asked, [answered('goods'), answered('shelf')])).toEqual([
      `${path}: 2 answers are given to goodsOf`,
    ])
  })
  test('may stand when one slice answers it', () => {
    expect(breaches(path, asked, [answered('goods')])).toEqual([])
  })
})

describe('a file that crosses a fence is named', () => {
  test.each([
    [
      'a page importing server code',
      'src/areas/orders/order/page.tsx',
      "import { routes } from './server.ts'",
      /may not import .\/server.ts, which is server code/,
    ],
    ['a page importing the database', 'src/kit/page/list.tsx', "import pg from 'pg'", /a page file may not import pg/],
    [
      'a model importing Node',
      'src/areas/orders/order/model.ts',
      "import { readFileSync } from 'node:fs'",
      /a model file may not import node:fs/,
    ],
    [
      'a model importing React',
      'src/kit/model/time.ts',
      "import { useState } from 'react'",
      /a model file may not import react/,
    ],
    [
      'a server importing a page',
      'src/kit/server/serve/x.ts',
      "import { y } from '#kit/page/y.tsx'",
      /which is page code/,
    ],
    [
      'a server importing at run time',
      'src/kit/server/serve/x.ts',
      "const y = await import('antd')",
      /a server file may not import antd/,
    ],
    [
      'an area its own does not name',
      'src/areas/orders/order/server.ts',
      "import { x } from '#areas/finance/receipt/server.ts'",
      /does not say dependsOn 'finance'/,
    ],
    [
      "another slice's inner file",
      'src/areas/orders/order/server.ts',
      "import { x } from '#areas/members/member/payout.ts'",
      /only area.ts, model.ts and server.ts/,
    ],
    [
      "another slice's page",
      'src/areas/orders/order/page.tsx',
      "import { x } from '#areas/members/member/page.tsx'",
      /only area.ts, model.ts and server.ts/,
    ],
    [
      'what a folder without a screen holds for another area',
      'src/areas/orders/order/page.tsx',
      "import { x } from '#areas/members/desk/easel.page.tsx'",
      /only area.ts, model.ts and server.ts/,
    ],
    [
      'a way out by dots',
      'src/areas/orders/order/server.ts',
      "import { x } from '../../members/member/server.ts'",
      /reaches out of its folder/,
    ],
    [
      'kit that knows an area',
      'src/kit/server/serve/x.ts',
      "import { x } from '#areas/orders/order/model.ts'",
      /kit may not import/,
    ],
    [
      'an engine that knows an area',
      'src/engines/sequence/server.ts',
      "import { x } from '#areas/orders/order/model.ts'",
      /an engine may not import/,
    ],
    [
      'work that knows the demo business',
      'src/areas/orders/order/server.ts',
      "import { x } from './demo-trade.server.ts'",
      /for demo files alone/,
    ],
    [
      'work that plays with chance',
      'src/areas/orders/order/server.ts',
      "import { x } from '#demo/builders.server.ts'",
      /for demo files alone/,
    ],
    [
      'a demo business that knows an area',
      'src/demo/seed.server.ts',
      "import { x } from '#areas/orders/order/model.ts'",
      /knows no area/,
    ],
    [
      'a list nothing stands in',
      'src/areas/orders/order/model.ts',
      'export const resource = defineResource({})',
      /no demo.server.ts/,
    ],
    ['a folder that says nothing', 'src/kit/page/utils/x.ts', '', /a folder named utils/],
    ['a name in another case', 'src/kit/page/ListPage.tsx', '', /not kebab-case/],
    ['settings read elsewhere', 'src/kit/server/serve/x.ts', 'const port = process.env.PORT', /settings are read in/],
    [
      'a rule with a watch of its own',
      'src/areas/orders/order/server.ts',
      'const now = new Date()',
      /takes the time from/,
    ],
    ['a type that is silenced', 'src/areas/orders/order/page.tsx', 'say(key as never)', /not silenced/],
    ['a sandbox that is none', 'src/engines/rule/x.server.ts', "import vm from 'node:vm'", /no boundary/],
    ['money as a fraction', 'src/areas/orders/order/page.tsx', '(fen / 100).toFixed(2)', /money is whole fen/],
    [
      'a date formatted by a slice',
      'src/areas/orders/order/page.tsx',
      'at.toLocaleDateString()',
      /formatted by the kit/,
    ],
    ['an effect without a name', 'src/kit/page/x.tsx', 'useEffect(() => {\n  run()\n}, [])', /an effect has a name/],
    ['zod imported whole', 'src/areas/orders/order/model.ts', "import { z } from 'zod'", /import \* as z/],
    ['a page without a screen', 'src/areas/orders/exchange/page.tsx', '', /has no screen exchange/],
    ['a model of 251 lines', 'src/areas/orders/order/model.ts', 'x\n'.repeat(251), /has 251 lines, at most 250/],
    ['a server of 401 lines', 'src/areas/orders/order/server.ts', 'x\n'.repeat(401), /has 401 lines, at most 400/],
    [
      'a function of 81 lines',
      'src/kit/server/serve/x.ts',
      `export function long() {\n${'  x\n'.repeat(79)}}\n`,
      /long has 81 lines/,
    ],
  ])('%s', (_name, path, text, said) => {
    expect(breaches(path, text)).toEqual([expect.stringMatching(said)])
  })

  test('a screen without its folder', () => {
    expect(findBreaches([AREA])).toEqual([expect.stringMatching(/the screen order has no order\/page.tsx/)])
  })

  test('areas that depend on each other', () => {
    const members = { path: 'src/areas/members/area.ts', text: "defineArea({ dependsOn: ['orders'], screens: {} })" }
    expect(breaches('src/kit/server/serve/x.ts', '', [members]).join()).toMatch(
      /orders.*circle.*members.*circle|members.*circle.*orders.*circle/,
    )
  })
})

test('a factory of many small functions is not one long function', () => {
  const inner = Array.from({ length: 20 }, (_, index) => `  const f${index} = () => {\n    x\n    x\n    x\n  }`).join(
    '\n',
  )
  expect(breaches('src/kit/server/serve/x.ts', `export function open() {\n${inner}\n}\n`)).toEqual([])
})

describe('the rooms of the kit', () => {
  test('import what stands below them and what is beside all rooms', () => {
    const text = ["import { App } from '../app.ts'", "import { openList } from '../list/list.ts'"].join('\n')
    expect(breaches('src/kit/server/serve/x.ts', text)).toEqual([])
  })

  test('do not import what stands above them, not even its types', () => {
    expect(breaches('src/kit/server/list/x.ts', "import type { Rules } from '../change/rules.ts'")).toEqual([
      'src/kit/server/list/x.ts: list stands below change and may not import src/kit/server/change/rules.ts',
    ])
  })

  test('are all there are: a file beside them, or in a new one, is told', () => {
    expect(breaches('src/kit/server/x.ts', '')).toEqual(['src/kit/server/x.ts: stands in no room of src/kit/server/'])
    expect(breaches('src/kit/server/attic/x.ts', '')).toEqual([
      'src/kit/server/attic/x.ts: tools/room-order.ts does not say where the room attic stands',
    ])
  })

  test('hold no files that import each other', () => {
    const other = { path: 'src/kit/model/b.ts', text: "import type { A } from './a.ts'" }
    expect(breaches('src/kit/model/a.ts', "import type { B } from './b.ts'", [other])).toEqual([
      'src/kit/model/b.ts: imports itself by way of src/kit/model/a.ts, src/kit/model/b.ts',
    ])
  })
})
