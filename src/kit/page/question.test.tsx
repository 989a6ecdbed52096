import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ModalFuncProps } from 'antd'
import { describe, expect, test } from 'vitest'
import { renderPage } from '../../../tools/testing/page.tsx'
import { useQuestion } from './question.ts'

function Asking({ question }: { question: ModalFuncProps }) {
  const ask = useQuestion()
  return (
    <button type="button" onClick={() => ask(question)}>
      Ask
    </button>
  )
}

describe('a question', () => {
  test.each([
    ['that throws something away offers to keep it', { okType: 'danger' as const }, 'Keep'],
    ['that destroys something offers to keep it', { okButtonProps: { danger: true } }, 'Keep'],
    ['about anything else offers to do it', {}, 'Do it'],
  ])('%s to whoever presses Enter', async (_name, part, focused) => {
    await renderPage(<Asking question={{ title: 'Sure?', okText: 'Do it', cancelText: 'Keep', ...part }} />)
    fireEvent.click(screen.getByText('Ask'))
    await screen.findAllByText('Sure?')
    await waitFor(() => expect(document.activeElement?.textContent).toBe(focused))
  })
})
