import { describe, expect, test } from 'vitest'
import { chunkOf, chunksOf, partOf, tellGrowth } from './bundle-parts.ts'

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

  test('a file of the build is called as it was before it changed', () => {
    expect(['assets/frame-DxJ_-3kQ.js', 'assets/texts/zh-CN/orders/order-a1B2c3D4.js'].map(chunkOf)).toEqual([
      'frame',
      'texts/zh-CN/orders/order',
    ])
  })

  test('shares the bytes of a file among what it is made of', () => {
    const files = new Map([
      ['assets/a-12345678.js', 1_000],
      ['assets/b-12345678.js', 90],
    ])
    const modules = {
      'assets/a-12345678.js': {
        'src/areas/orders/order/page.tsx': 300,
        'src/areas/orders/order/model.ts': 100,
        'node_modules/dayjs/x.js': 100,
      },
    }
    expect(chunksOf(files, modules)).toEqual({
      a: { 'src/areas/orders/order': 800, dayjs: 200 },
      b: { b: 90 },
    })
  })

  test('names the files that grew since the sizes that were kept, what grew in each, and what weighs most', () => {
    const kept = { frame: { dayjs: 100, antd: 950 }, page: { own: 50 } }
    const now = { frame: { dayjs: 300, antd: 900, tree: 100 }, page: { own: 50 }, chart: { dayjs: 40 } }
    expect(tellGrowth(now, kept)).toEqual([
      '  grew by 250 to 1300: frame',
      '    grew by 200 to 300: dayjs',
      '    grew by 100 to 100: tree (new)',
      '  grew by 40 to 40: chart (new)',
      '    grew by 40 to 40: dayjs (new)',
      '  weighs 900: antd',
      '  weighs 340: dayjs',
      '  weighs 100: tree',
      '  weighs 50: own',
    ])
  })
})
