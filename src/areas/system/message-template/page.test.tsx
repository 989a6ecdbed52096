import { fireEvent, screen } from '@testing-library/react'
import { Form, Input } from 'antd'
import { describe, expect, test } from 'vitest'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { BodyInput } from './body-input.page.tsx'
import { TestButton } from './test.page.tsx'

const VARIABLES = [
  { name: 'name', kind: 'TEXT', sample: '小明' },
  { name: 'off', kind: 'MONEY', sample: '¥20.00' },
]

const Writing = ({ channel }: { channel: string }) => (
  <Form initialValues={{ channel, title: '给{name}', body: '优惠', variables: VARIABLES }}>
    {['channel', 'variables'].map(name => (
      <Form.Item key={name} name={name} hidden>
        <Input />
      </Form.Item>
    ))}
    <Form.Item name="title">
      <Input aria-label="title" />
    </Form.Item>
    <Form.Item name="body">
      <BodyInput />
    </Form.Item>
  </Form>
)

describe('writing a template', () => {
  test('a variable is put where the caret stands, and the preview shows its sample', async () => {
    await renderPage(<Writing channel="SMS" />)
    const box = (await screen.findByText('优惠', { selector: 'textarea' })) as HTMLTextAreaElement
    box.setSelectionRange(0, 0)
    fireEvent.click(screen.getByRole('button', { name: 'off' }))
    expect(box.value).toBe('{off}优惠')
    expect(await screen.findByText('¥20.00优惠')).toBeTruthy()
    expect(screen.getByText('8 characters, billed as 1 text message')).toBeTruthy()
  })

  test('a mail is shown with its title, and nobody counts its signs', async () => {
    await renderPage(<Writing channel="EMAIL" />)
    expect(await screen.findByText('给小明')).toBeTruthy()
    expect(screen.queryByText(/billed as/)).toBeNull()
  })

  test('whoever sends a test is told where it went', async () => {
    const page = await renderPage(<TestButton id="7" />, {
      calls: { 'POST /api/system/message-template/7/test': () => ({ to: 'email' }) },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Send a test' }))
    expect(await screen.findByText('A test e-mail was sent to your address')).toBeTruthy()
    expect(page.sent('POST /api/system/message-template/7/test')).toHaveLength(1)
  })
})
