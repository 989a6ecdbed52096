import { lazy, type ReactNode, Suspense } from 'react'
import { loadChunk } from '../chunk.ts'
import { hideOverlay, showOverlay, useOverlay } from './overlay.ts'
import { Quiet } from './quiet.tsx'
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
    <>
      {seen.has('settings') && (
        <Part>
          <SettingsDrawer open={open === 'settings'} onClose={hideOverlay} />
        </Part>
      )}
      {seen.has('messages') && (
        <Part>
          <RefundInfo open={open === 'messages'} onClose={hideOverlay} />
        </Part>
      )}
      {seen.has('palette') && (
        <Part>
          <Palette open={open === 'palette'} onClose={hideOverlay} />
        </Part>
      )}
      {seen.has('help') && (
        <Part>
          <HelpSheet open={open === 'help'} onClose={hideOverlay} />
        </Part>
      )}
    </>
  )
}

const Part = ({ children }: { children: ReactNode }) => (
  <Quiet>
    <Suspense>{children}</Suspense>
  </Quiet>
)
