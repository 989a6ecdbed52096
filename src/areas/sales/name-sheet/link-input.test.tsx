import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LinkInput } from './link-input.page.tsx'

test('the chat account a sheet leads to is shown as chosen, and not as one nobody may choose', () => {
  const offered = [
    { name: 'First', link: 'https://work.weixin.qq.com/u/a' },
    { name: 'Second', link: 'https://work.weixin.qq.com/u/b' },
  ]
  render(<LinkInput offered={offered} value="https://work.weixin.qq.com/u/b" />)
  const [first, second] = ['First', 'Second'].map(name => screen.getByRole('button', { name }))
  expect([first, second].map(button => button?.hasAttribute('disabled'))).toEqual([false, false])
  expect([first, second].map(button => button?.getAttribute('aria-pressed'))).toEqual(['false', 'true'])
})
