import { useRef, useState } from 'react'

/** Texts before and after the one that stands, the nearest last. */
type History = { readonly past: readonly string[]; readonly future: readonly string[] }
const NONE: History = { past: [], future: [] }
const MOST = 200
/** Letters typed one after the other are taken back together. */
const PAUSE_MS = 800

export type Ways = { readonly isTyped?: boolean }

/** One way back for text and graph: whatever wrote it, a change is taken back by the same press. */
export function useHistory(value: string, write: (source: string) => void) {
  const [{ past, future }, setHistory] = useState(NONE)
  const typedAt = useRef(Number.NEGATIVE_INFINITY)
  const change = (next: string, { isTyped = false }: Ways = {}): void => {
    if (next === value) return
    const now = performance.now()
    const isSame = isTyped && now - typedAt.current < PAUSE_MS && past.length > 0
    typedAt.current = isTyped ? now : Number.NEGATIVE_INFINITY
    setHistory({ past: isSame ? past : [...past.slice(1 - MOST), value], future: [] })
    write(next)
  }
  const undo = (): void => {
    const before = past.at(-1)
    if (before === undefined) return
    typedAt.current = Number.NEGATIVE_INFINITY
    setHistory({ past: past.slice(0, -1), future: [...future, value] })
    write(before)
  }
  const redo = (): void => {
    const after = future.at(-1)
    if (after === undefined) return
    setHistory({ past: [...past, value], future: future.slice(0, -1) })
    write(after)
  }
  return { change, undo, redo, mayUndo: past.length > 0, mayRedo: future.length > 0 }
}

/** Whether a key is the one people take back with, or do again with. */
export function historyKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): 'undo' | 'redo' | undefined {
  if (!event.ctrlKey && !event.metaKey) return undefined
  const key = event.key.toLowerCase()
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo'
  return key === 'y' ? 'redo' : undefined
}
