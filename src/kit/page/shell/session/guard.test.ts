import { describe, expect, test } from 'vitest'
import { userInfo, type Who } from '../../../../../tools/testing/console.tsx'
import { groupPermissions, type UserState } from '../../user.ts'
import { type Decision, decide, EXCEPTIONS, OPEN_ROUTES, redirectOf } from './guard.ts'

const NOBODY: UserState = { info: null, permissions: new Map() }
const person = (who: Who): UserState => {
  const info = userInfo(who)
  const permissions = groupPermissions(info.role?.permissionList ?? [])
  return { info, permissions: new Map(permissions.map(permission => [permission.permissionId, permission])) }
}
const SALES = person({ groups: ['order'], grants: { 'order-list': ['list'] } })
const said = (decision: Decision): string => {
  if ('go' in decision) return `go ${decision.go}`
  if (decision.show === 'screen') return `show ${decision.screen.name}`
  return decision.show === 'exception'
    ? `exception ${decision.exception}`
    : decision.show === 'open'
      ? `open ${decision.name}`
      : 'load'
}
const at = (address: string, hasToken: boolean, user: UserState): string => {
  const [path = '', search] = address.split('?')
  return said(decide({ path, search: search === undefined ? '' : `?${search}`, hasToken, user }))
}

describe('where an address leads', () => {
  test('three routes are open to everybody', () => {
    expect(Object.keys(OPEN_ROUTES)).toEqual(['login', 'register', 'registerResult'])
    expect(OPEN_ROUTES.login).toBe('/user/login')
    expect(Object.values(OPEN_ROUTES).map(path => at(path, false, NOBODY))).toEqual([
      'open login',
      'open register',
      'open registerResult',
    ])
  })

  test('below a list each record has an address, for whoever may read one; nothing else stands below a screen', () => {
    const reader = person({ groups: ['order'], grants: { 'order-list': ['list', 'detail'] } })
    expect(
      ['/order/list/5', '/order/list/5?of=list', '/order/list/abc', '/order/list/5/6', '/dashboard/5'].map(address =>
        at(address, true, reader),
      ),
    ).toEqual(['show orders/order', 'show orders/order', 'go /404', 'go /404', 'go /404'])
    expect(at('/order/list/5', true, SALES)).toBe('exception 403')
    expect(at('/order/refundApply/5', true, reader)).toBe('exception 403')
    expect(redirectOf('?redirect=%2Forder%2Flist%2F5')).toBe('/order/list/5')
  })

  test('below a screen that shows no records there is nothing, for anybody', () => {
    const everybody = [person({ superAdmin: true }), SALES]
    for (const path of ['/order/refundCount/5', '/analyse/order-count/5'])
      expect(everybody.map(who => at(path, true, who))).toEqual(['go /404', 'go /404'])
  })

  test('the table of everything else', () => {
    const superAdmin = person({ superAdmin: true })
    const rows: [who: string, address: string, hasToken: boolean, user: UserState][] = [
      ['stranger', '/order/list?payState=PAID', false, NOBODY],
      ['stranger', '/nowhere', false, NOBODY],
      ['token only', '/order/list', true, NOBODY],
      ['token only', '/user/login', true, NOBODY],
      ['token only', '/user/login?redirect=%2Forder%2Flist%3Fsize%3D20', true, NOBODY],
      ['sales', '/', true, SALES],
      ['sales', '/dashboard', true, SALES],
      ['sales', '/dashboard/index', true, SALES],
      ['sales', '/order/list?payState=PAID', true, SALES],
      ['sales', '/order/refundApply', true, SALES],
      ['sales', '/system/dictionary/list', true, SALES],
      ['sales', '/nowhere', true, SALES],
      ['sales', '/404', true, SALES],
      ['sales', '/exception/403', true, SALES],
      ['sales', '/exception/404', true, SALES],
      ['sales', '/exception/500', true, SALES],
      ['super administrator', '/system/dictionary/list', true, superAdmin],
      ['no permission', '/dashboard', true, person({})],
      ['no permission', '/order/list', true, person({})],
      ['page without its group', '/order/list', true, person({ groups: [], grants: { 'order-list': ['list'] } })],
      ['must change', '/order/list', true, person({ superAdmin: true, mustChangePassword: true })],
      ['must change', '/account/settings/changePwd', true, person({ superAdmin: true, mustChangePassword: true })],
    ]
    expect(rows.map(([who, address, ...asked]) => `${who} at ${address}: ${at(address, ...asked)}`)).toEqual([
      'stranger at /order/list?payState=PAID: go /user/login?redirect=%2Forder%2Flist%3FpayState%3DPAID',
      'stranger at /nowhere: go /user/login?redirect=%2Fnowhere',
      'token only at /order/list: load',
      'token only at /user/login: go /dashboard',
      'token only at /user/login?redirect=%2Forder%2Flist%3Fsize%3D20: go /order/list?size=20',
      'sales at /: go /dashboard',
      'sales at /dashboard: show workbench/workbench',
      'sales at /dashboard/index: show workbench/workbench',
      'sales at /order/list?payState=PAID: show orders/order',
      'sales at /order/refundApply: exception 403',
      'sales at /system/dictionary/list: exception 403',
      'sales at /nowhere: go /404',
      'sales at /404: go /',
      'sales at /exception/403: exception 403',
      'sales at /exception/404: exception 404',
      'sales at /exception/500: exception 500',
      'super administrator at /system/dictionary/list: show system/dictionary',
      'no permission at /dashboard: show workbench/workbench',
      'no permission at /order/list: exception 403',
      'page without its group at /order/list: exception 403',
      'must change at /order/list: go /account/settings/changePwd',
      'must change at /account/settings/changePwd: show account/settings-password',
    ])
  })

  test('nobody is led out of the console by a redirect', () => {
    const targets = [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/user/login',
      '/nowhere',
      '',
    ]
    expect(new Set(targets.map(target => redirectOf(`?redirect=${encodeURIComponent(target)}`)))).toEqual(
      new Set(['/dashboard']),
    )
    expect(redirectOf('?redirect=%2Forder%2Flist')).toBe('/order/list')
  })

  test.each(EXCEPTIONS)('whoever was sent to sign in from the page of %s comes back to it', code => {
    const sent = at(`/exception/${code}`, false, NOBODY).replace(/^go /, '')
    expect(redirectOf(sent.slice(sent.indexOf('?')))).toBe(`/exception/${code}`)
  })
})
