import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineArea } from './area.ts'
import { choice, id } from './field.ts'
import { refuse } from './refusal.ts'
import { defineResource } from './resource.ts'
import { defineWorkflow, isAskedFirst, whyNot } from './workflow.ts'

const area = defineArea({
  name: 'trial',
  key: 'trial',
  icon: '',
  order: 1,
  screens: { paper: { route: '/paper', key: 'paper' } },
})
const resource = defineResource({
  screen: area.screens.paper,
  table: 'paper',
  record: z.strictObject({ id: id(), state: choice({ DRAFT: 'idle', OUT: 'done', LOST: 'failed' }) }),
  title: 'id',
  list: { columns: ['id', 'state'], filters: [], sort: [], search: [] },
  actions: ['list'],
  scope: 'shared',
})

test('a state no step leads to is a mistake found at once', () => {
  expect(() =>
    defineWorkflow(resource)({
      field: 'state',
      arrivals: ['DRAFT'],
      steps: { publish: { from: ['DRAFT'], to: 'OUT', back: 'undo' } },
    }),
  ).toThrow('no step leads to LOST')
})

test('a step is closed outside its states, then by its guard, and open otherwise', () => {
  const workflow = defineWorkflow(resource)({
    field: 'state',
    arrivals: ['DRAFT', 'LOST'],
    steps: {
      publish: {
        from: ['DRAFT'],
        to: 'OUT',
        back: 'undo',
        guard: (_row, actor) => (actor.id === '1' ? refuse('not-you') : undefined),
      },
    },
  })
  expect(whyNot(workflow, 'publish', { id: '5', state: 'OUT' }, { id: '2' }, undefined)).toEqual({
    code: 'kit:step-wrong-state',
    params: { state: 'state.OUT' },
  })
  expect(whyNot(workflow, 'publish', { id: '5', state: 'DRAFT' }, { id: '1' }, undefined)).toEqual({ code: 'not-you' })
  expect(whyNot(workflow, 'publish', { id: '5', state: 'DRAFT' }, { id: '2' }, undefined)).toBeUndefined()
})

test.each([
  ['what can be taken back with one press is done at once', { back: 'undo' }, false],
  ['and so is what changes nothing', { back: 'idle' }, false],
  ['and what can be taken back under a rule', { back: () => undefined }, false],
  ['what stays is asked about first', { back: 'stays' }, true],
  ['and so is what moves money', { back: 'undo', amount: 'id' }, true],
  ['and what needs a reason', { back: 'undo', reason: true }, true],
  ['and what asks for something', { back: 'undo', input: { id: id() } }, true],
] as const)('%s', (_name, step, isAsked) => {
  const { steps } = defineWorkflow(resource)({
    field: 'state',
    arrivals: ['DRAFT', 'OUT', 'LOST'],
    steps: { take: { from: ['DRAFT'], to: 'OUT', ...step } },
  })
  expect(isAskedFirst(steps.take)).toBe(isAsked)
})

test('where one step decides on money, every step that moves the record asks first, with that money', () => {
  const { steps } = defineWorkflow(resource)({
    field: 'state',
    arrivals: ['DRAFT', 'LOST'],
    steps: {
      pay: { from: ['DRAFT'], to: 'OUT', amount: 'id', back: 'stays' },
      withdraw: { from: ['OUT'], to: 'DRAFT', back: 'undo' },
      look: { from: ['OUT'], back: 'idle' },
    },
  })
  expect([steps.withdraw.amount, isAskedFirst(steps.withdraw)]).toEqual(['id', true])
  expect([steps.look.amount, isAskedFirst(steps.look)]).toEqual([null, false])
})
