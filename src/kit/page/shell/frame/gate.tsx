import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isLanguage, type Language } from '#kit/model/language.ts'
import { askAhead, isPassing, speak } from '../../call.ts'
import { loadChunk } from '../../chunk.ts'
import { currentLanguage, expectTexts, switchLanguage, useTexts } from '../../language.ts'
import { findScreen, loadPageAlone } from '../../screens.ts'
import { useServerSettings } from '../../server-settings.ts'
import { useSettings } from '../../settings.ts'
import { readToken } from '../../token.ts'
import { forgetUser, loadUser, logout, RoleMissing, type UserInfo, useUser } from '../../user.ts'
import { AbsentWhenBroken } from '../failure/absent-when-broken.tsx'
import { Waiting } from '../failure/waiting.tsx'
import type { locale } from '../locale.ts'
import { loadWords } from '../look/antd-words.ts'
import { announce, onFirstAnnouncement } from '../notice/announce.ts'
import { decide, HOME, UNKNOWN } from '../session/guard.ts'
import { setNavigate } from '../session/navigation.ts'

const loadLogin = () => loadChunk(() => import('../login/login-layout.tsx'))
const loadFrame = () => loadChunk(() => import('./frame.tsx'))
const loadNotices = () => loadChunk(() => import('../notice/notice-host.tsx'))

const LoginLayout = lazy(async () => ({ default: (await loadLogin()).LoginLayout }))
const Frame = lazy(async () => ({ default: (await loadFrame()).Frame }))
const NoticeHost = lazy(async () => ({ default: (await loadNotices()).NoticeHost }))

/** Everything the address will need is asked for at once; whoever shows it meets a failure again, and says so. */
export function prepare(path: string, language: Language | null): void {
  for (const loading of readToken() === null ? [loadLogin()] : needed(path, language)) loading.catch(() => {})
}

function needed(path: string, language: Language | null): readonly Promise<unknown>[] {
  const always = [loadFrame(), loadNotices()]
  // Without knowing the language nothing can be asked, and no text is the right one.
  if (language === null) return always
  speak(language)
  askAhead('/auth/userInfo')
  const screen = findScreen(path === '/' ? HOME : path)
  if (screen) expectTexts(screen.name)
  return [...always, loadWords(language), ...(screen ? [loadPageAlone(screen)] : [])]
}

/** Shows what the guard allows, and follows it where it points (spec §2). */
export function Gate() {
  const { pathname: path, search } = useLocation()
  const navigate = useNavigate()
  const user = useUser()
  const decision = decide({ path, search, hasToken: readToken() !== null, user })
  const target = 'go' in decision ? decision.go : null
  const isLoading = 'show' in decision && decision.show === 'loading'
  const isSignedIn = user.info !== null

  useEffect(function offerNavigation() {
    setNavigate((to, options) => void navigate(to, options))
  })
  useEffect(
    function followTheGuard() {
      if (target !== null) navigate(target, { replace: true })
    },
    [target, navigate],
  )
  useUserInfo(isLoading)
  useUnknown(path)

  return (
    <>
      <Notices isPrepared={isSignedIn} />
      <Suspense fallback={<Waiting />}>
        {'go' in decision || decision.show === 'loading' ? (
          <Waiting />
        ) : decision.show === 'open' ? (
          <LoginLayout name={decision.name} />
        ) : (
          <Frame key={user.info?.id ?? ''} place={decision} />
        )}
      </Suspense>
    </>
  )
}

/** An address nobody knows leads home (spec §2), and the person is told why. */
function useUnknown(path: string): void {
  const say = useTexts<typeof locale>('kit/page/shell')
  useEffect(
    function tellUnknown() {
      if (path === UNKNOWN)
        announce({
          key: 'unknown',
          kind: 'warning',
          title: say('exception.404'),
          description: say('exception.404-home'),
        })
    },
    [path, say],
  )
}

/** Loads who is signed in; a failure ends the session with the words of spec §8. */
function useUserInfo(isWanted: boolean): void {
  const say = useTexts<typeof locale>('kit/page/shell')
  useEffect(
    function loadWhoIsSignedIn() {
      if (!isWanted) return
      retried(loadUser).then(speakAs, async (error: unknown) => {
        // A session the server has ended is spoken of already, and needs no logout call.
        if (readToken() === null) return forgetUser()
        const title = error instanceof RoleMissing ? say('role-missing') : say('user-failed')
        announce({ key: 'session', kind: 'error', title })
        await logout().catch(() => {})
      })
    },
    [isWanted, say],
  )
}

/** A language chosen on this machine goes before the one of the account, and that before the server's. */
function speakAs({ language }: UserInfo): void {
  if (useSettings.getState().language !== null) return
  const wanted = isLanguage(language) ? language : useServerSettings.getState().settings?.defaultLocale
  if (wanted && wanted !== currentLanguage()) void switchLanguage(wanted)
}

const PAUSE_MS = 1_000
const TRIES = 3

/** A server that is being restarted, or is too busy, is not an expired login: it is asked again. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || error instanceof RoleMissing || tries >= TRIES) throw error
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    }
  }
}

/**
 * Notices cost bytes the login page does not need until something has to be said. In the frame they stand from the
 * start: "there is a new version" must not need a part that the new version has replaced.
 */
function Notices({ isPrepared }: { isPrepared: boolean }) {
  const [isWanted, setWanted] = useState(false)
  useEffect(
    function waitForTheFirst() {
      // Once there they stay: what is said when the session ends must outlast the frame.
      if (isPrepared) setWanted(true)
      return onFirstAnnouncement(() => setWanted(true))
    },
    [isPrepared],
  )
  return (
    <AbsentWhenBroken>
      <Suspense>{isWanted && <NoticeHost />}</Suspense>
    </AbsentWhenBroken>
  )
}
