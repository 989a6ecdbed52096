import { focusManager } from '@tanstack/react-query'

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focus', 'visibilitychange'] as const

/** However lively the pointer, and however often an answer fails. */
const LOOK_MS = 10_000

/**
 * Whoever comes to a page, or goes on working on it, is shown what others have made of it meanwhile: what stands on the
 * screen and is no longer fresh (newClient) is asked for again. A page nobody touches asks for nothing.
 */
export function askWhenTouched(): void {
  focusManager.setEventListener(look => {
    let lookedAt = Number.NEGATIVE_INFINITY
    const touched = () => {
      if (Date.now() - lookedAt < LOOK_MS) return
      lookedAt = Date.now()
      look()
    }
    for (const sign of SIGNS) window.addEventListener(sign, touched, { capture: true, passive: true })
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, touched, { capture: true })
    }
  })
}
