import './base.css'
import type { Root } from 'react-dom/client'
import { HashRouter } from 'react-router'
import type { Language } from '#kit/model/language.ts'
import { say, startLanguage } from '../language.ts'
import { loadServerSettings } from '../server-settings.ts'
import { useSettings } from '../settings.ts'
import { loadUser, useUser } from '../user.ts'
import { useDress } from './dress.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Gate } from './gate.tsx'
import { watchSession } from './session.ts'

/** Starts in the language chosen on this machine, else in the server's. */
export async function startConsole(root: Root): Promise<void> {
  const chosen = useSettings.getState().language
  const settings = loadServerSettings().catch(() => null)
  await startLanguage(chosen ?? (await settings)?.defaultLocale ?? FALLBACK)
  watchSession({
    texts: () => ({
      unauthorised: say('kit', 'unauthorised'),
      unauthorisedDetail: say('kit', 'unauthorised-detail'),
      expired: say('kit', 'session-ended'),
      forbidden: say('kit/page/shell', 'forbidden'),
    }),
    reload: () => location.reload(),
    refresh: () => {
      if (useUser.getState().info) loadUser().catch(() => {})
    },
  })
  root.render(<Console />)
}

/** For a server that cannot be asked; decided in docs/decisions. */
const FALLBACK: Language = 'zh-CN'

function Console() {
  useDress()
  return (
    <ErrorBoundary>
      <HashRouter useTransitions={false}>
        <Gate />
      </HashRouter>
    </ErrorBoundary>
  )
}
