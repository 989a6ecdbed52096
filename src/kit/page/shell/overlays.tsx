import { lazy, Suspense } from 'react'
import { loadChunk } from '../chunk.ts'
import { hideOverlay, showOverlay, useOverlay } from './overlay.ts'
import { useShortcuts } from './shortcuts.ts'

const SettingsDrawer = lazy(() =>
  loadChunk(() => import('./settings/settings-drawer.tsx')).then(({ SettingsDrawer }) => ({ default: SettingsDrawer })),
)
const RefundInfo = lazy(() =>
  loadChunk(() => import('./live/refund-info.tsx')).then(({ RefundInfo }) => ({ default: RefundInfo })),
)
const Palette = lazy(() =>
  loadChunk(() => import('./palette/palette.tsx')).then(({ Palette }) => ({ default: Palette })),
)
const HelpSheet = lazy(() =>
  loadChunk(() => import('./palette/help-sheet.tsx')).then(({ HelpSheet }) => ({ default: HelpSheet })),
)

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
