import { expect, test } from 'vitest'
import { resource as examinations } from '#areas/orders/examination/model.ts'
import { resource as orders } from '#areas/orders/order/model.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { App } from '../app.ts'
import { briefOf } from './brief.ts'

const APP = { texts: { text: (_language: string, _slice: string, key: string) => key } } as unknown as App
const facts = (resource: unknown, row: object) =>
  briefOf(APP, { resource: resource as Resource } as never, { labels: {}, ...row } as never, 'en-US', []).facts

test('a record told by several amounts names each, and one told by a single amount shows it bare', () => {
  expect(facts(examinations, { amountFen: 9_900, beforeFen: 12_000, listFen: 12_900 })).toEqual([
    'field.amountFen ¥99.00',
    'field.beforeFen ¥120.00',
    'field.listFen ¥129.00',
  ])
  expect(facts(orders, { amountFen: 9_900 })).toEqual(['¥99.00'])
})
