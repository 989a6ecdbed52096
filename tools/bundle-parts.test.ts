import { describe, expect, test } from 'vitest'
import { partOf, partsOf, tellParts } from './bundle-parts.ts'

describe('what a page loads first', () => {
  test.each([
    ['node_modules/antd/es/table/InternalTable.js', 'antd/es/table'],
    ['node_modules/@rc-component/tree/es/Tree.js', '@rc-component/tree'],
    ['node_modules/dayjs/dayjs.min.js', 'dayjs'],
    ['src/kit/page/list/list-page.tsx', 'src/kit/page/list'],
    ['src/kit/page/shell/menu/menu.tsx', 'src/kit/page/shell/menu'],
    ['src/areas/orders/order/page.tsx', 'src/areas/orders/order'],
    ['src/areas/orders/area.ts', 'src/areas/orders/area.ts'],
    ['virtual:texts|zh-CN|shell', 'virtual:texts|zh-CN|shell'],
  ])('%s is counted under %s', (module, part) => {
    expect(partOf(module)).toBe(part)
  })

  test('shares the bytes of a file among what it is made of', () => {
    const files = new Map([
      ['assets/a.js', 1_000],
      ['assets/b.js', 90],
    ])
    const modules = {
      'assets/a.js': {
        'src/areas/orders/order/page.tsx': 300,
        'src/areas/orders/order/model.ts': 100,
        'node_modules/dayjs/x.js': 100,
      },
    }
    expect(partsOf(files, modules)).toEqual({ 'src/areas/orders/order': 800, dayjs: 200, 'assets/b.js': 90 })
  })

  test('names what grew most since the sizes that were kept, and what weighs most', () => {
    expect(tellParts({ dayjs: 300, antd: 900, tree: 100 }, { dayjs: 100, antd: 950 })).toEqual([
      '  grew by 200 to 300: dayjs',
      '  grew by 100 to 100: tree (new)',
      '  weighs 900: antd',
      '  weighs 300: dayjs',
      '  weighs 100: tree',
    ])
  })
})
