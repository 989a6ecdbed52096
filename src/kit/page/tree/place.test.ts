import { describe, expect, test } from 'vitest'
import type { TreeNode } from '#kit/model/tree.ts'
import { branchesOf, fitting, placeAmongOwn, placeByDrop, placeByKey, placeOf } from './place.ts'

const node = (id: string, parentId: string | null): TreeNode => ({
  id,
  parentId,
  name: `N${id}`,
  beside: null,
  children: 0,
})
// 1 ─ 2 ─ 5
//   ├ 3
//   └ 4
const nodes = [node('1', null), node('2', '1'), node('3', '1'), node('4', '1'), node('5', '2')]

describe('where a record comes to stand', () => {
  test('dropped on another it comes last below it', () => {
    expect(placeByDrop(nodes, '4', '2', 'into')).toEqual({ parentId: '2', after: 'last' })
  })
  test('dropped into a gap it comes between those two', () => {
    expect(placeByDrop(nodes, '5', '3', 'above')).toEqual({ parentId: '1', after: '2' })
    expect(placeByDrop(nodes, '5', '3', 'below')).toEqual({ parentId: '1', after: '3' })
    expect(placeByDrop(nodes, '4', '2', 'above')).toEqual({ parentId: '1', after: 'first' })
  })
  test('dropped above its own neighbour it does not follow itself', () => {
    expect(placeByDrop(nodes, '3', '4', 'above')).toEqual({ parentId: '1', after: '2' })
  })
  test('dropped on itself or what stands below it, it has nowhere to go', () => {
    for (const where of ['above', 'below', 'into'] as const)
      expect(['2', '5'].map(target => placeByDrop(nodes, '2', target, where))).toEqual([undefined, undefined])
  })
  test('where parents are fixed it takes the place of the one of its own it is dropped on, or on what stands below that', () => {
    expect(placeAmongOwn(nodes, '4', '2')).toEqual({ id: '2', where: 'above' })
    expect(placeAmongOwn(nodes, '4', '5')).toEqual({ id: '2', where: 'above' })
    expect(placeAmongOwn(nodes, '2', '4')).toEqual({ id: '4', where: 'below' })
  })
  test('where parents are fixed it has no place among others, above itself or below itself', () => {
    expect(['3', '1'].map(target => placeAmongOwn(nodes, '5', target))).toEqual([undefined, undefined])
    expect(['2', '5', '1'].map(target => placeAmongOwn(nodes, '2', target))).toEqual([undefined, undefined, undefined])
  })
  test('keys take it one place up or down, out, or into the one before', () => {
    expect(placeByKey(nodes, '4', 'ArrowUp')).toEqual({ parentId: '1', after: '2' })
    expect(placeByKey(nodes, '3', 'ArrowUp')).toEqual({ parentId: '1', after: 'first' })
    expect(placeByKey(nodes, '3', 'ArrowDown')).toEqual({ parentId: '1', after: '4' })
    expect(placeByKey(nodes, '5', 'ArrowLeft')).toEqual({ parentId: '1', after: '2' })
    expect(placeByKey(nodes, '3', 'ArrowRight')).toEqual({ parentId: '2', after: 'last' })
  })
  test('where there is no such place, keys do nothing', () => {
    expect([
      placeByKey(nodes, '2', 'ArrowUp'),
      placeByKey(nodes, '4', 'ArrowDown'),
      placeByKey(nodes, '1', 'ArrowLeft'),
      placeByKey(nodes, '2', 'ArrowRight'),
      placeByKey(nodes, '9', 'ArrowUp'),
    ]).toEqual([undefined, undefined, undefined, undefined, undefined])
  })
  test('where it stands is after the one before it', () => {
    expect([placeOf(nodes, '3'), placeOf(nodes, '2')]).toEqual([
      { parentId: '1', after: '2' },
      { parentId: '1', after: 'first' },
    ])
  })
})

test('what fits a word is shown with all above it', () => {
  expect(fitting(nodes, 'n5').map(({ id }) => id)).toEqual(['1', '2', '5'])
  expect(fitting(nodes, ' ')).toBe(nodes)
})

test('a record whose parent was not read stands at the top', () => {
  expect(branchesOf([node('5', '2'), node('6', '5')])).toMatchObject([
    { node: { id: '5' }, below: [{ node: { id: '6' } }] },
  ])
})
