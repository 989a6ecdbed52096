import { globSync, readFileSync } from 'node:fs'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Form, Input } from 'antd'
import { describe, expect, test, vi } from 'vitest'
import { RedeemModal } from '#areas/orders/redemption/redeem.page.tsx'
import { VoidModal } from '#areas/orders/redemption/void.page.tsx'
import { IssueModal } from '#areas/products/coupon/issue.page.tsx'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { loadTexts } from '../language.ts'
import { FormModal } from './form-modal.tsx'

const CODE = { batchName: 'Spring', last4: '1234', grants: [{ kind: 'GOODS' }] } as never
const ESCAPE = { key: 'Escape', code: 'Escape', keyCode: 27 }
const questions = () => screen.queryAllByText('Discard unsaved changes?').length
const calls = { ...commonCalls, 'GET /api/common/reference/coupon': () => [] }

const MODALS = {
  redeem: [
    (close: () => void) => <RedeemModal code="c" what={CODE} onClose={close} onDone={close} />,
    () => document.querySelector('.ant-modal input[id*=receiverName]'),
  ],
  void: [
    (close: () => void) => <VoidModal code="c" what={CODE} onClose={close} onDone={close} />,
    () => document.querySelector('.ant-modal textarea'),
  ],
  issue: [
    (close: () => void) => <IssueModal couponId="1" onClose={close} />,
    () => document.querySelector('.ant-modal input[type=radio]:not(:checked)'),
  ],
  'any other': [
    (close: () => void) => (
      <FormModal onClose={close}>
        <Form>
          <Form.Item name="why">
            <Input />
          </Form.Item>
        </Form>
      </FormModal>
    ),
    () => document.querySelector('.ant-modal input'),
  ],
} as const

describe.each(Object.entries(MODALS))('a small window: %s', (_, [show, field]) => {
  const open = async () => {
    const close = vi.fn()
    await Promise.all(['orders/redemption', 'products/coupon'].map(loadTexts))
    const page = await renderPage(show(close), { superAdmin: true, calls })
    await waitFor(() => expect(field()).toBeTruthy())
    return { close, page }
  }
  const pressEscape = () => fireEvent.keyDown(document.querySelector('.ant-modal') as Element, ESCAPE)
  const enter = () => {
    const control = field() as HTMLInputElement
    if (control.type === 'radio') fireEvent.click(control)
    else fireEvent.change(control, { target: { value: 'typed' } })
  }

  test('Esc closes it while nothing was entered', async () => {
    const { close } = await open()
    pressEscape()
    await waitFor(() => expect(close).toHaveBeenCalledOnce())
    expect(questions()).toBe(0)
  })

  test('Esc asks first once something was entered, and the tab knows that there is something to lose', async () => {
    const { close, page } = await open()
    enter()
    await waitFor(() => expect(page.isUnsaved()).toBe(true))
    pressEscape()
    await waitFor(() => expect(questions()).toBeGreaterThan(0))
    expect(close).not.toHaveBeenCalled()
  })
})

test('no slice draws a window with fields of its own: whatever is filled in asks before it is thrown away', () => {
  const own = globSync('src/areas/**/*.tsx').filter(path =>
    /<Modal\b(?![^>]*footer=\{null\})/.test(readFileSync(path, 'utf8')),
  )
  expect(own).toEqual([])
})
