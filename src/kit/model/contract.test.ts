import { expect, test } from 'vitest'
import { can, EVERYTHING, inScope, mayOpen, NOTHING, scopeOf } from './actor.ts'
import { kvListName } from './contract.ts'

test('a dictionary list is named after its code in camel case', () => {
  expect(kvListName('USER_STATUS')).toBe('userStatusKvList')
  expect(kvListName('GENDER')).toBe('genderKvList')
  expect(kvListName('IamRole')).toBe('iamRoleKvList')
})

const person = {
  id: '8',
  account: 'a',
  name: 'A',
  orgId: '1',
  roleCodes: ['SALES'],
  superAdmin: false,
  grants: new Map([['order-list', new Set(['list'])]]),
  scopes: new Map([['order-list', { all: false as const, owners: ['8'], orgs: [] }]]),
}

test('what is not granted is denied, also for pages and actions nobody knows', () => {
  expect(can(person, 'order-list', 'list')).toBe(true)
  expect(can(person, 'order-list', 'export')).toBe(false)
  expect(can(person, 'unknown', 'list')).toBe(false)
  expect(mayOpen(person, 'unknown')).toBe(false)
  expect(scopeOf(person, 'unknown')).toEqual(NOTHING)
})

test('a super administrator may do everything and sees everything', () => {
  const admin = { ...person, superAdmin: true }
  expect(can(admin, 'unknown', 'anything')).toBe(true)
  expect(scopeOf(admin, 'unknown')).toEqual(EVERYTHING)
})

test('a row is in scope by its owner or by its department, and never for being nobody’s', () => {
  const scope = { all: false as const, owners: ['8'], orgs: ['3'] }
  expect(inScope(scope, { ownerId: '8', orgId: null })).toBe(true)
  expect(inScope(scope, { ownerId: '9', orgId: '3' })).toBe(true)
  expect(inScope(scope, { ownerId: '9', orgId: '4' })).toBe(false)
  expect(inScope(scope, { ownerId: null, orgId: null })).toBe(false)
})
