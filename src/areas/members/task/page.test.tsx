import { screen, waitFor } from '@testing-library/react'
import { Form } from 'antd'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { RecipientsInput } from './recipients.page.tsx'

const REACH = { members: 12, repeated: 1, invalid: 0, strangers: 2 }

async function asked(entered: object, value = '') {
  await loadTexts('members/task')
  const hidden = ['audienceBy', 'levels', 'rewardCoins']
  return renderPage(
    <Form initialValues={{ ...entered, numbers: value }}>
      {hidden.map(name => (
        <Form.Item key={name} name={name} hidden>
          <input />
        </Form.Item>
      ))}
      <Form.Item name="numbers">
        <RecipientsInput />
      </Form.Item>
    </Form>,
    { calls: { 'POST /api/members/task/reach': () => REACH } },
  )
}

test('how many a task would be given to is told before, with what it may cost and which numbers reach nobody', async () => {
  const page = await asked({ audienceBy: 'NUMBERS', rewardCoins: 15 }, '13800138000')
  expect(await screen.findByText('Goes to 12 members')).toBeTruthy()
  expect(await screen.findByText('At most 180 coins in all')).toBeTruthy()
  expect(await screen.findByText('1 repeated number left out')).toBeTruthy()
  expect(await screen.findByText(/2 numbers of nobody among your members/)).toBeTruthy()
  expect(screen.getByPlaceholderText(/One mobile number per line/)).toBeTruthy()
  await waitFor(() =>
    expect(page.sent('POST /api/members/task/reach')[0]?.body).toMatchObject({
      audienceBy: 'NUMBERS',
      numbers: '13800138000',
    }),
  )
})

test('members chosen by a filter are counted without a field for numbers', async () => {
  const page = await asked({ audienceBy: 'FILTER', levels: ['TRIAL'] })
  expect(await screen.findByText('Goes to 12 members')).toBeTruthy()
  expect(screen.queryByPlaceholderText(/One mobile number per line/)).toBeNull()
  expect(page.sent('POST /api/members/task/reach')[0]?.body).toMatchObject({ audienceBy: 'FILTER', levels: ['TRIAL'] })
})
