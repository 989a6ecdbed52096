import { create } from 'zustand'
import { keepKeys, takeKeys } from '../early-keys.ts'

type Overlay = 'settings' | 'messages' | 'notices' | 'palette' | 'help'

/** Which overlay is open, and which have been asked for so far. */
export const useOverlay = create<{ open: Overlay | null; seen: ReadonlySet<Overlay> }>(() => ({
  open: null,
  seen: new Set(),
}))

export function showOverlay(overlay: Overlay): void {
  // Whoever asks for the palette types at once, before its part has come.
  if (overlay === 'palette' && useOverlay.getState().open !== 'palette') keepKeys()
  useOverlay.setState(({ seen }) => ({ open: overlay, seen: new Set([...seen, overlay]) }))
}
export function hideOverlay(): void {
  takeKeys()
  useOverlay.setState({ open: null })
}
