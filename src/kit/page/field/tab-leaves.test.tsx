import { fireEvent, screen } from '@testing-library/react'
import { Form } from 'antd'
import { expect, test } from 'vitest'
import { pick, renderPage } from '../../../../tools/testing/page.tsx'
import { Several } from './tab-leaves.tsx'

test('Tab goes on from a choice of several, and Enter still chooses', async () => {
  const given: string[][] = []
  await renderPage(
    <Form onValuesChange={(_, { levels }) => given.push(levels)}>
      <Form.Item name="levels" label="Levels">
        <Several
          options={[
            { value: 'A', label: 'Very keen' },
            { value: 'B', label: 'Interested' },
          ]}
        />
      </Form.Item>
    </Form>,
    { calls: {} },
  )
  const field = screen.getByLabelText('Levels')
  await pick(field, 'Interested')
  fireEvent.keyDown(field, { key: 'Tab', which: 9, keyCode: 9 })
  expect(given).toEqual([['B']])
  fireEvent.keyDown(field, { key: 'Enter', which: 13, keyCode: 13 })
  expect(given).toHaveLength(2)
})
