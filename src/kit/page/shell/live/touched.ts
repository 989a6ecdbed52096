import { focusManager } from '@tanstack/react-query'

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focus', 'visibilitychange'] as const

/** However lively the pointer, and however often an answer fails. */
const LOOK_MS = 10_000

/** Somebody who left the desk asks for nothing, and a session that ends by standing idle is not kept awake by what others do. */
const LEFT_MS = 600_000

let lookedAt = Number.NEGATIVE_INFINITY
/** Whether somebody is there to see what is asked for. */
export const isAttended = (): boolean => document.visibilityState === 'visible' && Date.now() - lookedAt < LEFT_MS

/**
 * Whoever comes to a page, or goes on working on it, is shown what others have made of it meanwhile: what stands on the
 * screen and is no longer fresh (newClient) is asked for again. A page nobody touches asks for nothing.
 */
export function askWhenTouched(): void {
  focusManager.setEventListener(look => {
    // Whoever opens the console is there.
    lookedAt = Date.now()
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
