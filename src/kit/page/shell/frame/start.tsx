import '../base.css'
import type { Root } from 'react-dom/client'
import { HashRouter } from 'react-router'
import type { Language } from '#kit/model/language.ts'
import { currentLanguage, say, spokenLast, switchLanguage } from '../../language.ts'
import { loadServerSettings, type ServerSettings } from '../../server-settings.ts'
import { useSettings } from '../../settings.ts'
import { readToken } from '../../token.ts'
import { loadUser, useUser } from '../../user.ts'
import { ErrorBoundary } from '../failure/error-boundary.tsx'
import { useDocumentColours } from '../look/document-colours.ts'
import { watchVersion } from '../session/new-version.ts'
import { watchSession } from '../session/session.ts'
import { Gate, prepare } from './gate.tsx'

/** Starts in the language chosen on this machine, else in that of the last visit, else in the server's. */
export async function startConsole(root: Root): Promise<void> {
  const chosen = useSettings.getState().language
  const expected = chosen ?? spokenLast()
  prepare(pathOf(location.hash), expected)
  const settings = loadServerSettings().catch(() => null)
  try {
    await switchLanguage(expected ?? (await settings)?.defaultLocale ?? FALLBACK)
  } catch {
    return root.render(<Unreachable />)
  }
  watchSession({
    texts: () => ({
      unauthorised: say('kit', 'unauthorised'),
      unauthorisedDetail: say('kit', 'unauthorised-detail'),
      expired: say('kit', 'session-ended'),
      forbidden: say('kit/page/shell', 'forbidden'),
    }),
    reload,
    refresh: () => {
      if (useUser.getState().info) loadUser().catch(() => {})
    },
  })
  watchVersion(
    () => ({
      title: say('kit/page/shell', 'new-version'),
      text: say('kit/page/shell', 'new-version-text'),
      refresh: say('kit/page/shell', 'new-version-refresh'),
      close: say('kit/page/shell', 'new-version-close'),
    }),
    reload,
  )
  root.render(<Console />)
  if (chosen === null && readToken() === null) await speakAsServer(settings)
}

/** Whoever is not signed in and has chosen nothing reads what the server speaks, whatever was spoken here before. */
async function speakAsServer(asked: Promise<ServerSettings | null>): Promise<void> {
  const language = (await asked)?.defaultLocale
  if (language && language !== currentLanguage()) await switchLanguage(language)
}

const pathOf = (hash: string): string => hash.slice(1).split('?')[0] || '/'

const reload = (): void => location.reload()

/** For a server that cannot be asked (docs/decisions: the default language). */
const FALLBACK: Language = 'zh-CN'

function Console() {
  useDocumentColours()
  return (
    <ErrorBoundary onRetry={reload}>
      <HashRouter useTransitions={false}>
        <Gate />
      </HashRouter>
    </ErrorBoundary>
  )
}

/** Not even the texts could be loaded: said in both languages people might read. */
const Unreachable = () => (
  <section className="ink-exception" role="alert">
    <h1>无法连接服务器 · The server cannot be reached</h1>
    <button type="button" className="ink-button" onClick={reload}>
      重试 · Try again
    </button>
  </section>
)
