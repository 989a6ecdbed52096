import { describe, expect, test } from 'vitest'
import { type HeldPosition, type Staff, whyNotPositions, workflow } from './model.ts'

const held = (...ids: string[]): HeldPosition[] =>
  ids.map(id => ({ positionId: id.replace('!', ''), isPrimary: id.endsWith('!') }))

describe('the positions of a person', () => {
  test.each([
    ['one, which is the primary one', held('1!'), undefined],
    ['several, of which one is the primary one', held('1', '2!', '3'), undefined],
    ['none at all', held(), 'one-primary'],
    ['several, none of which is the primary one', held('1', '2'), 'one-primary'],
    ['two primary ones', held('1!', '2!'), 'one-primary'],
    ['the same one twice', held('1!', '1'), 'position-twice'],
  ])('of whoever works here are: %s', (_name, positions, code) => {
    expect(whyNotPositions(positions, 'ACTIVE')?.code).toBe(code)
  })

  test('of whoever has left are none', () => {
    expect(whyNotPositions(held(), 'LEFT')).toBeUndefined()
    expect(whyNotPositions(held('1!'), 'LEFT')?.code).toBe('positions-left')
  })
})

describe('whose departure may be recorded', () => {
  const why = (id: string, actor: string, ...admins: string[]) =>
    workflow.steps.leave.guard?.({ id } as Staff, { id: actor }, { admins: new Set(admins) })?.code

  test('a colleague’s, never one’s own, and that of an administrator only by another one', () => {
    expect(why('1', '2')).toBeUndefined()
    expect(why('2', '2')).toBe('leave-self')
    expect(why('1', '2', '1')).toBe('leave-admin')
    expect(why('1', '2', '1', '2')).toBeUndefined()
  })
})
