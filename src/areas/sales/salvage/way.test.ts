import { describe, expect, test } from 'vitest'
import { type Lead, workflow } from './model.ts'

const wayOf = (row: Partial<Lead>) =>
  workflow
    .path?.({ ownerId: '1', memberId: null, firstContactAt: '2026-11-18T02:00:00Z', ...row } as Lead)
    .map(stage => stage.replace('status.', ''))
const ALL = ['ASSIGNED', 'CONTACTED', 'ADDED', 'TRIAL', 'INTENT', 'DEAL']

describe('the way of a lead', () => {
  test('begins where it waits for somebody to take it', () => {
    const nobodys = { ownerId: null, firstContactAt: null }
    expect(wayOf({ ...nobodys, status: 'UNASSIGNED' })).toEqual(['UNASSIGNED', ...ALL])
    expect(wayOf({ ...nobodys, status: 'RETURNED' })).toEqual(['RETURNED', ...ALL])
    expect(wayOf({ status: 'ASSIGNED', firstContactAt: null })).toEqual(ALL)
  })

  test('leaves out a trial nobody signed up for, and a contact there was none of', () => {
    expect(wayOf({ status: 'INTENT' })).toEqual(['ASSIGNED', 'CONTACTED', 'ADDED', 'INTENT', 'DEAL'])
    expect(wayOf({ status: 'TRIAL', memberId: '2', firstContactAt: null })).toEqual(
      ALL.filter(stage => stage !== 'CONTACTED'),
    )
  })
})
