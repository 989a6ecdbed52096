import { useEffect } from 'react'
import { create } from 'zustand'

/** What the key for commands is called here. */
export const COMMAND = /mac/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Keys that do one thing, and what that is. */
export type PageKey = { readonly keys: readonly string[]; readonly text: string }
export type PageKeys = { readonly title: string; readonly keys: readonly PageKey[] }

/** The keys of the page that is shown: the help sheet tells them before those of every page. */
export const usePageKeys = create<{ told: PageKeys | null }>(() => ({ told: null }))

/** A page with keys of its own says which, for as long as it is shown. */
export function useTellKeys(told: PageKeys): void {
  useEffect(
    function tellKeys() {
      usePageKeys.setState({ told })
      return () => usePageKeys.setState(now => (now.told === told ? { told: null } : now))
    },
    [told],
  )
}
