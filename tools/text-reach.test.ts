import { describe, expect, test } from 'vitest'
import { readTexts } from '../src/kit/server/text/texts.ts'
import { readSources } from './source.ts'
import { textsInReach } from './text-reach.ts'

const file = (path: string, ...lines: string[]) => ({ path, text: lines.join('\n') })
const SOURCES = [
  file(
    'src/areas/orders/order/page.tsx',
    `import { Grants } from '#engines/entitlement/grants.page.tsx'`,
    `import type { Member } from '#areas/members/member/model.ts'`,
    `import { resource } from './model.ts'`,
    `const Late = later(async () => (await import('#areas/logistics/parcel/late.page.tsx')).Late)`,
    `const words = useTexts<typeof locale>('products/coupon')`,
  ),
  file('src/areas/orders/order/model.ts', `import { product } from '#areas/products/product/model.ts'`),
  file('src/areas/products/product/model.ts', `export const product = 1`),
  file('src/areas/logistics/parcel/late.page.tsx', `export const Late = 1`),
  file('src/areas/members/member/model.ts', `export type Member = 1`),
  file('src/engines/entitlement/grants.page.tsx', `export const Grants = 1`),
]
const NAMES = [
  'kit/page',
  'engines/entitlement',
  'logistics/parcel',
  'members/member',
  'orders',
  'orders/order',
  'orders/order/codes',
  'products/coupon',
  'products/product',
]
const reach = (bundle: string) => textsInReach(SOURCES, NAMES).get(bundle)

describe('the texts that come with a page', () => {
  test('are its own with those of its area and of what stands below its records', () => {
    expect(reach('orders/order')).toEqual(expect.arrayContaining(['orders', 'orders/order', 'orders/order/codes']))
  })

  test('are those of every slice and engine whose code comes along, and those called by name', () => {
    expect(reach('orders/order')).toEqual(
      expect.arrayContaining(['products/product', 'products/coupon', 'engines/entitlement']),
    )
  })

  test('are not those of what comes later, nor of slices only the compiler hears of', () => {
    expect(reach('orders/order')).not.toContain('logistics/parcel')
    expect(reach('orders/order')).not.toContain('members/member')
  })

  test('what has no page of its own still has its texts', () => {
    expect(reach('engines/entitlement')).toEqual(['engines/entitlement'])
    expect(reach('kit/page')).toBeUndefined()
  })

  test('every screen brings its own title', async () => {
    const names = Object.keys((await readTexts())['zh-CN'])
    const found = textsInReach(readSources(), names)
    const slices = names.filter(name => /^(?!kit|engines)[^/]+\/[^/]+$/.test(name))
    expect(slices.filter(name => !found.get(name)?.includes(name))).toEqual([])
    expect(slices.length).toBeGreaterThan(40)
  })
})
