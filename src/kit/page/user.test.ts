import { beforeEach, describe, expect, test } from 'vitest'
import { answerCalls, refused } from '../../../tools/testing/page.tsx'
import { readToken, writeToken } from './token.ts'
import {
  groupPermissions,
  loadUser,
  logout,
  mayDo,
  mayOpenPage,
  maySelectText,
  type PermissionEntry,
  RoleMissing,
  useUser,
} from './user.ts'

const entry = (id: string, resourceCode: string, displayType: string, parentId: string | null): PermissionEntry => ({
  id,
  parentId,
  resourceCode,
  displayName: `name of ${resourceCode}`,
  displayType,
})
const ORDERS = entry('1', 'order-list', 'MENU', null)
const REFUNDS = entry('2', 'order-refundApply', 'MENU', null)
const LIST = [
  ORDERS,
  entry('3', 'list', 'PERMISSION', '1'),
  REFUNDS,
  entry('4', 'approve', 'PERMISSION', '2'),
  entry('5', 'list', 'PERMISSION', '2'),
  entry('6', 'lost', 'PERMISSION', '99'),
]

const userInfo = (role: object | null) => ({ id: '8', name: '王芳', role })
const role = (permissionList: PermissionEntry[], superAdmin = false) => ({
  code: 'SALE',
  name: 'Sale',
  superAdmin,
  permissionList,
})

beforeEach(() => useUser.setState({ info: null, permissions: new Map() }))

describe('the permissions of a role', () => {
  test('stand under their menu as its actions', () => {
    expect(groupPermissions(LIST)).toEqual([
      { permissionId: 'order-list', permissionName: 'name of order-list', actions: ['list'] },
      { permissionId: 'order-refundApply', permissionName: 'name of order-refundApply', actions: ['approve', 'list'] },
    ])
  })

  test('are an empty list for a role without any', () => {
    expect(groupPermissions([])).toEqual([])
  })
})

describe('who may what', () => {
  const asked = async (given: object) => {
    answerCalls({ 'GET /api/auth/userInfo': () => userInfo(given) })
    await loadUser()
    const user = useUser.getState()
    return {
      pages: ['order-list', 'order-refundApply', 'dictionary', null].filter(key => mayOpenPage(user, key)),
      deeds: [
        ['order-list', 'list'],
        ['order-list', 'approve'],
        ['order-refundApply', 'approve'],
        ['dictionary', 'list'],
        [null, 'list'],
      ].filter(([page, action]) => mayDo(user, page as string | null, action as string)),
    }
  }

  test('a role opens its pages and does its actions there, and nothing elsewhere', async () => {
    expect(await asked(role(LIST))).toEqual({
      pages: ['order-list', 'order-refundApply', null],
      deeds: [
        ['order-list', 'list'],
        ['order-refundApply', 'approve'],
      ],
    })
  })

  test('a role without permissions opens only what is everybody’s', async () => {
    expect(await asked(role([]))).toEqual({ pages: [null], deeds: [] })
  })

  test('a super administrator may everything', async () => {
    const { pages, deeds } = await asked(role([], true))
    expect([pages.length, deeds.length]).toEqual([4, 5])
  })

  test('text is selected by roles whose code contains COPY or SUPER_ADMIN, by no other', () => {
    expect(['SALE_COPY', 'SUPER_ADMIN', 'MY_SUPER_ADMIN_2', 'SALE', 'copy', ''].filter(maySelectText)).toEqual([
      'SALE_COPY',
      'SUPER_ADMIN',
      'MY_SUPER_ADMIN_2',
    ])
  })
})

test('a person without a role is told apart from an expired session', async () => {
  answerCalls({ 'GET /api/auth/userInfo': () => userInfo(null) })
  await expect(loadUser()).rejects.toBeInstanceOf(RoleMissing)
  answerCalls({ 'GET /api/auth/userInfo': () => refused(4001, 'Login expired') })
  await expect(loadUser()).rejects.not.toBeInstanceOf(RoleMissing)
  expect(useUser.getState().info).toBeNull()
})

test('signing out clears token and role even when the call fails', async () => {
  writeToken('t')
  answerCalls({ 'GET /api/auth/userInfo': () => userInfo(role(LIST)) })
  await loadUser()
  answerCalls({ 'POST /api/logout': () => refused(5003, 'Unavailable: later', null, 503) })
  await expect(logout()).rejects.toThrow('Unavailable: later')
  expect(readToken()).toBeNull()
  expect(useUser.getState()).toEqual({ info: null, permissions: new Map() })
})
