import { useEffect, useRef } from 'react'

type Opened = { palette(): void; help(): void }

/** The keys of the frame: ⌘K or Ctrl-K, ? and /. Letters belong to whoever is typing. */
export function useShortcuts(opened: Opened): void {
  const newest = useRef(opened)
  newest.current = opened
  useEffect(function listenToKeys() {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        newest.current.palette()
      } else if (isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) {
        return
      } else if (event.key === '?') {
        event.preventDefault()
        newest.current.help()
      } else if (event.key === '/' && focusSearch()) {
        event.preventDefault()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The search box of the page that is shown: any input inside an element marked `data-search`, or marked itself. */
function focusSearch(): boolean {
  const boxes = [...document.querySelectorAll<HTMLElement>('main [data-search]')]
  // A hidden tab's box is still in the document.
  const box = boxes.find(candidate => candidate.offsetParent !== null)
  const input = box?.matches('input') ? box : box?.querySelector('input')
  input?.focus()
  return input != null
}
