import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'

configure({ asyncUtilTimeout: 8_000 })

/** A text area that grows measures itself, and finds no numbers where there is no layout. */
const isUnmeasured = ([text, property]: unknown[]): boolean =>
  String(text).startsWith('`NaN` is an invalid value') && property === 'height'

const complaints: string[] = []

/** Whatever complains on the console fails the test it belongs to: a warning nobody sees is never mended. */
beforeEach(() => {
  complaints.length = 0
  for (const kind of ['error', 'warn'] as const)
    vi.spyOn(console, kind).mockImplementation((...said: unknown[]) => {
      if (!isUnmeasured(said)) complaints.push(`console.${kind}: ${said.map(String).join(' ')}`)
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
