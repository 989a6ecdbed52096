import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineArea } from './area.ts'
import { choice, id } from './field.ts'
import { refuse } from './refusal.ts'
import { defineResource } from './resource.ts'
import { defineWorkflow, whyNot } from './workflow.ts'

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
      steps: { publish: { from: ['DRAFT'], to: 'OUT' } },
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

test('a way back that asks for something is a mistake found at once', () => {
  const declared = (reason: boolean) =>
    defineWorkflow(resource)({
      field: 'state',
      arrivals: ['DRAFT', 'LOST'],
      steps: { send: { from: ['DRAFT'], to: 'OUT', back: 'recall' }, recall: { from: ['OUT'], to: 'DRAFT', reason } },
    })
  expect(declared(false).steps.send.back).toBe('recall')
  expect(() => declared(true)).toThrow('recall asks for something')
})
