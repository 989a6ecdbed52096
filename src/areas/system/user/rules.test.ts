import { describe, expect, test } from 'vitest'
import { whyNot } from '../../../kit/model/workflow.ts'
import { type User, workflow } from './model.ts'

const account = (over: Partial<User>): User =>
  ({ id: '1', status: 'ENABLED', accountState: 'ENABLED', openSessions: 1, hasFactor: false, ...over }) as User

const ADMINS: ReadonlyMap<string, boolean> = new Map([
  ['8', true],
  ['9', true],
  ['10', false],
])
const PEOPLE = { oneself: '1', manager: '5', admin: '8' }

/** Every step that is open, as "account: who may step". */
const open = (accounts: Record<string, User>, admins = ADMINS): string[] =>
  Object.entries(accounts).flatMap(([name, row]) =>
    Object.entries(PEOPLE).flatMap(([who, id]) => {
      const steps = Object.keys(workflow.steps).filter(step => !whyNot(workflow, step, row, { id }, admins))
      return steps.length > 0 ? [`${name}: ${who} may ${steps.join(', ')}`] : []
    }),
  )

describe('the management of users', () => {
  test('who may take which step with which account', () => {
    expect(
      open({
        'in use': account({}),
        'signed out': account({ openSessions: 0 }),
        'with a second factor': account({ hasFactor: true }),
        locked: account({ accountState: 'LOCKED' }),
        disabled: account({ status: 'DISABLED', accountState: 'DISABLED', openSessions: 0 }),
        'super administrator': account({ id: '9', hasFactor: true }),
        'locked super administrator': account({ id: '9', accountState: 'LOCKED' }),
        'disabled super administrator': account({
          id: '10',
          status: 'DISABLED',
          accountState: 'DISABLED',
          openSessions: 0,
        }),
      }),
    ).toEqual([
      'in use: manager may assignRoles, forceLogout, disable',
      'in use: admin may assignRoles, forceLogout, disable',
      'signed out: manager may assignRoles, disable',
      'signed out: admin may assignRoles, disable',
      'with a second factor: manager may assignRoles, resetFactor, forceLogout, disable',
      'with a second factor: admin may assignRoles, resetFactor, forceLogout, disable',
      'locked: manager may unlock, assignRoles, forceLogout, disable',
      'locked: admin may unlock, assignRoles, forceLogout, disable',
      'disabled: oneself may enable',
      'disabled: manager may enable, assignRoles',
      'disabled: admin may enable, assignRoles',
      'super administrator: admin may assignRoles, resetFactor, forceLogout, disable',
      'locked super administrator: admin may unlock, assignRoles, forceLogout, disable',
      'disabled super administrator: admin may enable, assignRoles',
    ])
  })

  test('the last super administrator who can sign in is disabled by nobody', () => {
    const last = account({ id: '9' })
    expect(whyNot(workflow, 'disable', last, { id: '8' }, new Map([['9', true]]))?.code).toBe('only-by-admin')
    expect(whyNot(workflow, 'disable', last, { id: '9' }, new Map([['9', true]]))?.code).toBe('not-oneself')
  })
})
