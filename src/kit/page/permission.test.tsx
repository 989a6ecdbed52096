import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { permissionRows, userInfo } from '../../../tools/testing/console.tsx'
import { Action, PageContext, Permission, PermissionMissing } from './permission.tsx'
import { groupPermissions, maySelectText, useUser } from './user.ts'

const be = (actions: readonly string[], superAdmin = false) =>
  useUser.setState({
    info: userInfo({ superAdmin }),
    permissions: new Map([
      ['order-list', { permissionId: 'order-list', permissionName: 'Orders', actions: [...actions] }],
    ]),
  })
const seen = (element: ReactNode, page: string | null = 'order-list'): boolean => {
  const { unmount } = render(<PageContext value={page}>{element}</PageContext>)
  const isSeen = screen.queryByText('button') !== null
  unmount()
  return isSeen
}

describe('permissions', () => {
  test('actions stand under their menu, with its code and name', () => {
    const rows = permissionRows({ 'order-list': ['list', 'export'], 'order-browse': [] }, ['order'])
    expect(groupPermissions(rows)).toEqual([
      { permissionId: 'order', permissionName: 'order', actions: [] },
      { permissionId: 'order-list', permissionName: 'order-list', actions: ['list', 'export'] },
      { permissionId: 'order-browse', permissionName: 'order-browse', actions: [] },
    ])
  })

  test('a role without permissions has empty lists', () => {
    expect(groupPermissions([])).toEqual([])
  })

  test('only roles with COPY or SUPER_ADMIN in their code may select text', () => {
    expect(['SALES', 'SALES_MANAGER_COPY', 'SUPER_ADMIN', 'SALES,AUDITOR_COPY', ''].map(maySelectText)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
  })
})

describe('the rules of elements', () => {
  test('the action rule hides what is not among the actions of this page', () => {
    be(['list'])
    expect(seen(<Action of="list">button</Action>)).toBe(true)
    expect(seen(<Action of="export">button</Action>)).toBe(false)
    expect(seen(<Action of="list">button</Action>, 'order-browse')).toBe(false)
    expect(seen(<Action of="list">button</Action>, null)).toBe(false)
  })

  test('the permission rule shows to holders of one of the actions and to a super administrator', () => {
    be(['export'])
    expect(seen(<Permission any={['import', 'export']}>button</Permission>)).toBe(true)
    expect(seen(<Permission any={['import']}>button</Permission>)).toBe(false)
    be([], true)
    expect(seen(<Permission any={['import']}>button</Permission>)).toBe(true)
  })

  test('the missing-permission rule is its inverse and hides from a super administrator', () => {
    be(['export'])
    expect(seen(<PermissionMissing any={['import']}>button</PermissionMissing>)).toBe(true)
    expect(seen(<PermissionMissing any={['import', 'export']}>button</PermissionMissing>)).toBe(false)
    be([], true)
    expect(seen(<PermissionMissing any={['import']}>button</PermissionMissing>)).toBe(false)
  })

  test('a permission rule without a list is a mistake in the page', () => {
    be(['list'])
    // biome-ignore lint/suspicious/noExplicitAny: the compiler refuses it too; this is for what it cannot see
    const none = undefined as any
    expect(() => Permission({ any: [], children: '' })).toThrow('needs a list')
    expect(() => PermissionMissing({ any: none, children: '' })).toThrow('needs a list')
  })
})
