import { create } from 'zustand'

export type Overlay = 'settings' | 'messages' | 'notices' | 'palette' | 'help'

/** Which overlay is open, and which have been asked for so far. */
export const useOverlay = create<{ open: Overlay | null; seen: ReadonlySet<Overlay> }>(() => ({
  open: null,
  seen: new Set(),
}))

export const showOverlay = (overlay: Overlay): void =>
  useOverlay.setState(({ seen }) => ({ open: overlay, seen: new Set([...seen, overlay]) }))
export const hideOverlay = (): void => useOverlay.setState({ open: null })
