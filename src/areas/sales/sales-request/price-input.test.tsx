import { screen } from '@testing-library/react'
import { Form } from 'antd'
import { expect, test } from 'vitest'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { PriceInput } from './price-input.page.tsx'

test('whoever asks for a discount sees what the product costs now', async () => {
  const page = await renderPage(
    <Form initialValues={{ productId: '7' }}>
      <Form.Item name="productId" hidden>
        <input />
      </Form.Item>
      <Form.Item name="priceFen">
        <PriceInput />
      </Form.Item>
    </Form>,
    {
      grants: { 'sale-apply': ['list', 'create'] },
      calls: { ...commonCalls, 'GET /api/sales/sales-request/price': () => ({ priceFen: 1_299_00 }) },
    },
  )
  expect(await screen.findByText('Costs ¥1,299.00 now')).toBeTruthy()
  expect(page.sent('GET /api/sales/sales-request/price').map(({ query }) => query)).toEqual([{ productId: '7' }])
})
