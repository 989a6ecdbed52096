import { screen } from '@testing-library/react'
import { Form } from 'antd'
import { expect, test } from 'vitest'
import { resource } from '#areas/orders/refund-application/model.ts'
import { press, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { FormFields } from './fields.tsx'

const FIELDS = ['transactionNo', 'reason', 'payee', 'orderId', 'proof']

test.each([
  ['zh-CN', ['请填写流水号', '请选择退款原因', '请选择收款人', '请选择订单', '请上传付款凭证']],
  ['pt-BR', ['preenchimento obrigatório', 'escolha obrigatória', 'envio obrigatório']],
] as const)('%s: what is missing is asked for by its own verb: written, chosen or sent', async (language, said) => {
  await renderPage(
    <Form>
      <FormFields resource={resource as never} fields={FIELDS} inputs={{}} isShown={() => 'required'} />
      <button type="submit">OK</button>
    </Form>,
    { calls: { ...commonCalls, 'GET /api/common/reference/order': () => [] }, language },
  )
  press('OK')
  for (const text of said) expect((await screen.findAllByText(new RegExp(text))).length).toBeGreaterThan(0)
})
