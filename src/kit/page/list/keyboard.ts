import { useEffect } from 'react'

type ListKeys = { move(by: 1 | -1): void; select(): void; open(): void; edit(): void }

/** j/k move, x selects, Enter opens, e edits: while the list is shown and nobody is typing. */
export function useListKeys(shown: boolean, keys: ListKeys): void {
  useEffect(function listenForKeys() {
    if (!shown) return
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const busy = target.closest('input, textarea, select, button, a, [role="dialog"], [contenteditable="true"]')
      if (busy || event.metaKey || event.ctrlKey || event.altKey) return
      const action = { j: () => keys.move(1), k: () => keys.move(-1), x: keys.select, Enter: keys.open, e: keys.edit }[
        event.key
      ]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}
