import { lazy, Suspense } from 'react'
import { loadChunk } from '../chunk.ts'
import { hideOverlay, showOverlay, useOverlay } from './overlay.ts'
import { useShortcuts } from './shortcuts.ts'

const SettingsDrawer = lazy(async () => ({
  default: (await loadChunk(() => import('./settings/settings-drawer.tsx'))).SettingsDrawer,
}))
const RefundInfo = lazy(async () => ({ default: (await loadChunk(() => import('./live/refund-info.tsx'))).RefundInfo }))
const Palette = lazy(async () => ({ default: (await loadChunk(() => import('./palette/palette.tsx'))).Palette }))
const HelpSheet = lazy(async () => ({ default: (await loadChunk(() => import('./palette/help-sheet.tsx'))).HelpSheet }))

/** What opens over the page, one at a time. Each comes with its own chunk when it is first asked for. */
export function Overlays() {
  const { open, seen } = useOverlay()
  useShortcuts({ palette: () => showOverlay('palette'), help: () => showOverlay('help') })
  return (
    <Suspense>
      {seen.has('settings') && <SettingsDrawer open={open === 'settings'} onClose={hideOverlay} />}
      {seen.has('messages') && <RefundInfo open={open === 'messages'} onClose={hideOverlay} />}
      {seen.has('palette') && <Palette open={open === 'palette'} onClose={hideOverlay} />}
      {seen.has('help') && <HelpSheet open={open === 'help'} onClose={hideOverlay} />}
    </Suspense>
  )
}
