import { describe, expect, test } from 'vitest'
import { whyNot } from '../../../kit/model/workflow.ts'
import { type Role, workflow } from './model.ts'

const held = { own: new Set(['1', '9']), admins: new Set(['9']) }
const role = (over: Partial<Role>): Role => ({ id: '5', code: 'CASHIER', secondFactor: 'OPTIONAL', ...over }) as Role
const why = (step: string, row: Role, id: string) => whyNot(workflow, step, row, { id }, held)?.code ?? 'may'

describe('a second factor required by a role', () => {
  test('is required by whoever may, also by those who hold the role', () => {
    expect(['1', '2', '9'].map(id => why('requireFactor', role({}), id))).toEqual(['may', 'may', 'may'])
  })

  test('is made optional by nobody who holds the role, but by whoever may do everything', () => {
    const required = role({ secondFactor: 'REQUIRED' })
    expect(['1', '2', '9'].map(id => why('liftFactor', required, id))).toEqual(['own-factor', 'may', 'may'])
  })

  test('of super administrators is decided by super administrators alone', () => {
    const admins = role({ code: 'SUPER_ADMIN' })
    expect(['2', '9'].map(id => why('requireFactor', admins, id))).toEqual(['factor-by-admin', 'may'])
  })
})
