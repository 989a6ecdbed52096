import { fireEvent, screen } from '@testing-library/react'
import { Form } from 'antd'
import { expect, test } from 'vitest'
import { pick, renderPage } from '../../../../tools/testing/page.tsx'
import type { OfferedRole } from './model.ts'
import { RolesInput } from './roles.page.tsx'

const ROLES: OfferedRole[] = [
  { id: '1', name: 'Super administrator', why: null },
  { id: '2', name: 'Order readers', why: null },
]

test('Tab leaves the choice of roles, and gives no role that merely stands first', async () => {
  const given: string[][] = []
  await renderPage(
    <Form onValuesChange={(_, { roleIds }) => given.push(roleIds)}>
      <Form.Item name="roleIds" label="Roles">
        <RolesInput />
      </Form.Item>
    </Form>,
    { calls: { 'GET /api/system/user/roles': () => ROLES } },
  )
  const field = screen.getByLabelText('Roles')
  await pick(field, 'Order readers')
  fireEvent.keyDown(field, { key: 'Tab', which: 9, keyCode: 9 })
  expect(given).toEqual([['2']])
})
