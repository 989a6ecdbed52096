import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { press, renderPage } from '../../../tools/testing/page.tsx'
import { useCopy } from './clipboard.ts'

function CopyButton() {
  const copy = useCopy()
  return (
    <button type="button" onClick={() => void copy('202611150000000001')}>
      Copy
    </button>
  )
}

/** A browser with a clipboard, without one, or with one that is forbidden. */
const clipboard = (writeText: ((text: string) => Promise<void>) | undefined, canSelect = false) => {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue((writeText && { writeText }) as never)
  const execCommand = vi.fn(() => canSelect)
  Object.assign(document, { execCommand })
  return execCommand
}

describe('copying', () => {
  test('says that it succeeded', async () => {
    const written = vi.fn(async () => {})
    clipboard(written)
    await renderPage(<CopyButton />)
    press('Copy')
    expect(await screen.findByText('Copy succeeded')).toBeTruthy()
    expect(written).toHaveBeenCalledWith('202611150000000001')
  })

  test('works without the clipboard of secure pages too, and leaves nothing behind', async () => {
    const execCommand = clipboard(undefined, true)
    await renderPage(<CopyButton />)
    press('Copy')
    expect(await screen.findByText('Copy succeeded')).toBeTruthy()
    expect(execCommand).toHaveBeenCalledWith('copy')
    expect(document.querySelector('textarea')).toBeNull()
  })

  test('says that it failed', async () => {
    clipboard(async () => {
      throw new Error('denied')
    })
    await renderPage(<CopyButton />)
    fireEvent.click(screen.getByText('Copy'))
    expect(await screen.findByText('Copy failed')).toBeTruthy()
  })
})
