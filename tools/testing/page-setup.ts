import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'

configure({ asyncUtilTimeout: 8_000 })

// A text area that grows measures itself; without a layout it would find no numbers.
const measures = document.createElement('style')
measures.textContent = 'textarea { padding: 0; border: 0 solid; line-height: 20px }'

const complaints: string[] = []

/** Whatever complains on the console fails the test it belongs to: a warning nobody sees is never mended. */
beforeEach(() => {
  document.head.append(measures)
  complaints.length = 0
  for (const kind of ['error', 'warn'] as const)
    vi.spyOn(console, kind).mockImplementation((...said: unknown[]) => {
      complaints.push(`console.${kind}: ${said.map(String).join(' ')}`)
    })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  document.body.innerHTML = ''
  localStorage.clear()
  sessionStorage.clear()
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
})
