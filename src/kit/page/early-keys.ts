/** A palette that has not come by then will not: the keys belong to the page again. */
const WAIT_MS = 5_000

let kept = ''
let stop: (() => void) | undefined

/** From now on what is typed is kept for a box that was asked for and does not stand there yet. */
export function keepKeys(): void {
  if (stop) return
  const onKey = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === 'Escape') return void takeKeys()
    if (event.key === 'Backspace') kept = kept.slice(0, -1)
    else if (event.key.length === 1) kept += event.key
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const timer = setTimeout(takeKeys, WAIT_MS)
  window.addEventListener('keydown', onKey, true)
  stop = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', onKey, true)
  }
}

/** What was typed meanwhile; from now on keys go where they are pressed. */
export function takeKeys(): string {
  stop?.()
  stop = undefined
  const typed = kept
  kept = ''
  return typed
}
