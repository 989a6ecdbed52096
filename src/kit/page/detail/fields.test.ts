import { expect, test } from 'vitest'
import { resource as stock } from '#areas/logistics/base-product/model.ts'
import { resource as changes } from '#areas/operations/config/model.ts'
import { resource as departments } from '#areas/organisation/department/model.ts'
import { resource as goods } from '#areas/products/coin-goods/model.ts'
import { resource as products } from '#areas/products/product/model.ts'
import type { Resource } from '#kit/model/resource.ts'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { placeFields } from './fields.ts'

const placed = (of: object, more: Record<string, unknown> = {}) => {
  const resource = of as Resource
  return placeFields(resource, {}, sampleRow(resource, more) as never)
}

test('what does not apply is folded away with what has no value', () => {
  const { facts, others, empty } = placed(stock, { isLow: false })
  expect([...facts, ...others]).not.toContain('isLow')
  expect(empty).toContain('isLow')
})

test.each([
  ['the order products are shown in', products, 'sort'],
  ['the order of coin goods', goods, 'sort'],
  ['the place among departments', departments, 'sort'],
  ['the unit a figure already comes with', changes, 'unit'],
  ['the key of a setting that stands there by its name', changes, 'key'],
])('a detail tells people nothing of %s', (_name, resource, field) => {
  const { facts, evidence, others, empty } = placed(resource)
  expect([...facts, ...evidence, ...others, ...empty]).not.toContain(field)
})
