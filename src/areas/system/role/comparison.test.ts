import { expect, test } from 'vitest'
import { compared, isOn, SIDES } from './comparison.model.ts'
import type { PermissionTree } from './permission-tree.model.ts'

const entry = (key: string, name: string) => ({ key, name, isHeld: true })
const TREE: PermissionTree = [
  {
    key: 'trade',
    name: 'Trade',
    pages: [
      {
        ...entry('orders', 'Orders'),
        actions: [entry('orders:list', 'View list'), entry('orders:reveal', 'Reveal')],
        fields: [
          { name: 'Phone', right: 'orders:reveal' },
          { name: 'Chat id', right: null },
        ],
      },
      { ...entry('refunds', 'Refunds'), actions: [entry('refunds:approve', 'Approve')], fields: [] },
    ],
  },
]
const seller = { code: 'SALES', permissions: ['orders', 'orders:list', 'orders:reveal'] }
const finance = { code: 'FINANCE', permissions: ['orders', 'orders:list', 'refunds', 'refunds:approve'] }
const told = (one: typeof seller, other: typeof seller, side: (typeof SIDES)[number]) =>
  compared(TREE, one, other)
    .filter(({ sides }) => isOn(side, sides))
    .map(({ page, name, kind }) => (kind === 'PAGE' ? page : `${page} · ${name}`))

test('of two roles it is told what the one allows and the other does not, and the other way round, fields in full among it', () => {
  expect(SIDES.map(side => told(seller, finance, side))).toEqual([
    ['Orders · Reveal', 'Orders · Phone', 'Refunds', 'Refunds · Approve'],
    ['Orders · Reveal', 'Orders · Phone'],
    ['Refunds', 'Refunds · Approve'],
  ])
  expect(compared(TREE, seller, finance).map(({ id }) => id)).toContain('orders:list')
})

test('the super administrator allows everything, whatever the role lists', () => {
  const all = { code: 'SUPER_ADMIN', permissions: [] }
  expect(told(all, finance, 'FIRST')).toEqual(['Orders · Reveal', 'Orders · Phone'])
  expect(told(all, finance, 'SECOND')).toEqual([])
})
