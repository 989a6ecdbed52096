import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { loadChunk } from '../../chunk.ts'
import { loadTexts } from '../../language.ts'
import { AbsentWhenBroken } from '../failure/absent-when-broken.tsx'
import { hideOverlay, showOverlay, useOverlay } from '../overlay.ts'
import { useShortcuts } from './shortcuts.ts'

const SettingsDrawer = lazy(async () => ({
  default: (await loadChunk(() => import('../settings/settings-drawer.tsx'))).SettingsDrawer,
}))
/** Behind the bell stands the slice whose notices it counts; the frame knows that there is one, not which. */
const [loadMessages] = Object.entries(
  import.meta.glob<{ Messages: ComponentType<{ open: boolean; onClose(): void }> }>(
    '../../../../areas/*/*/messages.page.tsx',
  ),
).map(([path, load]) => async () => {
  const [{ Messages: Part }] = await Promise.all([loadChunk(load), loadTexts(path.split('/').slice(-3, -1).join('/'))])
  return { default: Part }
})
const Messages = loadMessages && lazy(loadMessages)
const RecentNotices = lazy(async () => ({
  default: (await loadChunk(() => import('../notice/recent-notices.tsx'))).RecentNotices,
}))
// Their texts come along.
const PALETTE = 'kit/page/shell/palette'
const Palette = lazy(async () => {
  const [{ Palette: Part }] = await Promise.all([loadChunk(() => import('../palette/palette.tsx')), loadTexts(PALETTE)])
  return { default: Part }
})
const HelpSheet = lazy(async () => {
  const [{ HelpSheet: Part }] = await Promise.all([
    loadChunk(() => import('../palette/help-sheet.tsx')),
    loadTexts(PALETTE),
  ])
  return { default: Part }
})

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
      {Messages && seen.has('messages') && (
        <Part>
          <Messages open={open === 'messages'} onClose={hideOverlay} />
        </Part>
      )}
      {seen.has('notices') && (
        <Part>
          <RecentNotices open={open === 'notices'} onClose={hideOverlay} />
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
  <AbsentWhenBroken>
    <Suspense>{children}</Suspense>
  </AbsentWhenBroken>
)
