import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'

// What comes at all comes within this, on cores many times too busy too.
configure({ asyncUtilTimeout: 40_000 })

// React keeps a stack for each element it makes, to say in a warning where it was made, until it has made ten thousand: a
// quarter of what these tests cost. It is told that they are made. A React that no longer asks does as it likes.
const shared: object | undefined = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
if (shared)
  Object.defineProperty(shared, 'recentlyCreatedOwnerStacks', {
    get: () => 10_000,
    set: () => undefined,
    configurable: true,
  })

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

// What a page still loads when its last test is over would come when there is no page any more.
afterAll(() => vi.dynamicImportSettled())
