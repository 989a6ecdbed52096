import { describe, expect, test } from 'vitest'
import type { Actor, Scope } from '#kit/model/actor.ts'
import { type Charter, type Giver, whyNotCalled, whyNotGiven } from './giving.model.ts'
import type { ScopeKind } from './model.ts'
import { found, type PermissionTree, toggled } from './permission-tree.model.ts'

const actor = (grants: Record<string, string[]>, scope: Scope = { all: true }, more: Partial<Actor> = {}): Actor => ({
  id: '1',
  account: 'chief',
  name: 'Chief',
  orgId: '1',
  roleCodes: ['CHIEF'],
  superAdmin: false,
  grants: new Map(Object.entries(grants).map(([page, actions]) => [page, new Set(actions)])),
  scopes: new Map(Object.keys(grants).map(page => [page, scope])),
  ...more,
})
const giver = (of: Actor, kind: ScopeKind = 'ALL', isHolder = false): Giver => ({
  actor: of,
  reach: new Map([...of.grants.keys()].map(page => [page, [kind]])),
  isHolder,
})
const role = (permissions: string[], scope: ScopeKind = 'SELF', orgIds: string[] = []): Charter => ({
  scope,
  orgIds,
  permissions,
})
const why = (who: Giver, before: Charter | undefined, after: Charter) => {
  const refused = whyNotGiven(who, before, after, keys => keys.join())
  return refused && `${refused.field}: ${refused.refusal.code} ${refused.refusal.params?.names ?? ''}`.trim()
}
const ORDERS = actor({ orders: ['list', 'create'] })

describe('who may give what', () => {
  test('whoever holds it may give it and take it', () => {
    expect(why(giver(ORDERS), undefined, role(['orders', 'orders:list']))).toBeUndefined()
    expect(why(giver(ORDERS), role(['orders', 'orders:list']), role([]))).toBeUndefined()
  })

  test('what somebody does not hold he can neither give nor take, and it is named', () => {
    expect(why(giver(ORDERS), undefined, role(['orders', 'orders:delete']))).toBe('permissions: not-held orders:delete')
    expect(why(giver(ORDERS), role(['refunds']), role([]))).toBe('permissions: not-held refunds')
  })

  test('what stays as it is need not be held by whoever changes the rest', () => {
    const before = role(['refunds', 'orders'], 'ALL')
    expect(why(giver(ORDERS), before, role(['refunds', 'orders', 'orders:list'], 'ALL'))).toBeUndefined()
  })

  test('a wider scope spreads all that a role holds, so all of it must be held', () => {
    const before = role(['orders', 'orders:list', 'refunds'], 'SELF')
    expect(why(giver(ORDERS), before, role(['orders', 'orders:list', 'refunds'], 'ALL'))).toBe(
      'permissions: not-held refunds',
    )
  })

  test('nobody widens a role he holds, not even by what another of his roles gives him', () => {
    const own = giver(ORDERS, 'ALL', true)
    expect(why(own, role(['orders']), role(['orders', 'orders:list']))).toBe('permissions: own-role')
    expect(why(own, role(['orders'], 'SELF'), role(['orders'], 'ALL'))).toBe('scope: own-role')
    expect(why(own, role(['orders', 'orders:list']), role(['orders']))).toBeUndefined()
  })

  test('a super administrator may give everything', () => {
    const chief = giver(actor({}, { all: true }, { superAdmin: true }), 'ALL', true)
    expect(why(chief, role([]), role(['orders', 'refunds:pay'], 'ALL'))).toBeUndefined()
  })

  test.each([
    ['SELF', 'SELF', true],
    ['SELF', 'DEPARTMENT', false],
    ['DEPARTMENT', 'SELF', true],
    ['DEPARTMENT', 'DEPARTMENT_AND_BELOW', false],
    ['DEPARTMENT_AND_BELOW', 'DEPARTMENT', true],
    ['DEPARTMENT_AND_BELOW', 'ALL', false],
    ['DEPARTMENT_AND_BELOW', 'SELF_AND_SUBORDINATES', false],
    ['SELF_AND_SUBORDINATES', 'SELF', true],
  ] as const)('of %s one gives %s: %s', (own, given, may) => {
    const who = giver(actor({ orders: ['list'] }, { all: false, owners: ['1'], orgs: ['1'] }), own)
    const said = why(who, undefined, role(['orders', 'orders:list'], given))
    expect(said).toBe(may ? undefined : 'scope: scope-beyond orders')
  })

  test('chosen departments are among those one sees, and at least one', () => {
    const who = giver(actor({ orders: ['list'] }, { all: false, owners: [], orgs: ['4', '5'] }), 'CHOSEN')
    expect(why(who, undefined, role(['orders'], 'CHOSEN', ['4']))).toBeUndefined()
    expect(why(who, undefined, role(['orders'], 'CHOSEN', ['4', '6']))).toBe('scope: scope-beyond orders')
    expect(why(who, undefined, role(['orders'], 'CHOSEN', []))).toBe('orgIds: no-departments')
  })

  test('who sees less than a role shows cannot change what it shows, but may rename it', () => {
    const who = giver(actor({ orders: ['list'] }, { all: false, owners: ['1'], orgs: [] }), 'SELF')
    expect(why(who, role(['orders'], 'ALL'), role(['orders'], 'SELF'))).toBe('scope: scope-beyond orders')
    expect(why(who, role(['orders'], 'ALL'), role(['orders'], 'ALL'))).toBeUndefined()
    expect(why(who, role([], 'ALL'), role(['orders'], 'ALL'))).toBe('scope: scope-beyond orders')
  })

  test('no code pretends to be the super administrator’s, and only who may copy text lets others copy it', () => {
    expect(whyNotCalled(ORDERS, 'My_super_admin2')?.code).toBe('code-reserved')
    expect(whyNotCalled(ORDERS, 'SALES_COPY')?.code).toBe('code-copies')
    expect(whyNotCalled({ ...ORDERS, roleCodes: ['CHIEF_COPY'] }, 'SALES_COPY')).toBeUndefined()
    expect(whyNotCalled(ORDERS, 'SALES')).toBeUndefined()
  })
})

describe('ticking', () => {
  const entry = (key: string, isHeld = true) => ({ key, name: key, isHeld })
  const tree: PermissionTree = [
    {
      key: 'trade',
      name: 'Trade',
      pages: [
        {
          ...entry('orders'),
          actions: [entry('orders:list'), entry('orders:pay', false)],
          fields: [],
        },
        { ...entry('refunds', false), actions: [entry('refunds:list', false)], fields: [] },
      ],
    },
  ]
  const ticked = (held: string[], keys: string[], isGiven: boolean) =>
    [...toggled(new Set(held), tree, keys, isGiven)].sort()

  test('an action brings its page along, and a page that goes takes its actions', () => {
    expect(ticked([], ['orders:list'], true)).toEqual(['orders', 'orders:list'])
    expect(ticked(['orders', 'orders:list'], ['orders'], false)).toEqual([])
  })

  test('what is locked stays as it is, and its page with it', () => {
    const all = ['orders', 'orders:list', 'orders:pay', 'refunds', 'refunds:list']
    expect(ticked([], all, true)).toEqual(['orders', 'orders:list'])
    expect(ticked(all, all, false)).toEqual(['orders', 'orders:pay', 'refunds', 'refunds:list'])
  })

  test('looking for an action shows it under its page alone', () => {
    expect(
      found(tree, 'PAY').flatMap(({ pages }) => pages.flatMap(({ actions }) => actions.map(({ key }) => key))),
    ).toEqual(['orders:pay'])
    expect(found(tree, 'trade')).toEqual(tree)
    expect(found(tree, 'nothing')).toEqual([])
  })
})
