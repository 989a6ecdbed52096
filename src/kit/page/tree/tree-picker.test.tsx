import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { TreeOfNodes } from '#kit/model/tree.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { TreePicker, TreesPicker } from './tree-picker.tsx'

const nodes: TreeOfNodes['nodes'] = [
  { id: '1', parentId: null, name: 'Company', beside: null, children: 1 },
  { id: '2', parentId: '1', name: 'Old group', beside: null, isClosed: true, children: 0 },
]
const CALLS = { 'GET /api/common/reference/department/tree': () => ({ nodes, isWhole: true }) }

test.each([
  ['a form chooses nothing that is closed', TreePicker, true],
  ['a filter still finds what is closed', TreesPicker, false],
] as const)('%s', async (_, Picker, isShut) => {
  await renderPage(<Picker to="department" aria-label="Department" />, { calls: CALLS })
  fireEvent.mouseDown(screen.getByLabelText('Department'))
  const shut = await waitFor(() => {
    const node = [...document.querySelectorAll('.ant-select-tree-treenode')].find(({ textContent }) =>
      textContent?.includes('Old group'),
    )
    if (!node) throw new Error('not there yet')
    return node.classList.contains('ant-select-tree-treenode-disabled')
  })
  expect(shut).toBe(isShut)
})
