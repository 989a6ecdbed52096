import { RELOAD_AFTER_401_MS, TOKEN_COOKIE } from '#kit/model/contract.ts'
import { onSessionEnd, post } from '../../call.ts'
import { dropAllDrafts } from '../../draft.ts'
import { clearToken, readToken } from '../../token.ts'
import { forgetUser } from '../../user.ts'
import { announce } from '../notice/announce.ts'

type SessionTexts = {
  unauthorised: string
  unauthorisedDetail: string
  expired: string
  forbidden: string
}

type Surroundings = {
  texts(): SessionTexts
  reload(): void
  /** Rights may have changed: what is shown is read again. */
  refresh(): void
}

const REFRESH_AT_MOST_EVERY_MS = 10_000

/**
 * What happens when the server ends or refuses the session (spec §8). However many calls fail together, it is said once
 * and done once; but for the logout nothing is called with a dead token, so that no answer can start it again.
 */
export function watchSession({ texts, reload, refresh }: Surroundings): () => void {
  let ending = false
  let refreshedAt = Number.NEGATIVE_INFINITY

  onSessionEnd({
    expired() {
      // Without a token somebody has already dealt with it, or signed out meanwhile.
      if (ending || readToken() === null) return
      announce({ key: 'session', kind: 'error', title: texts().expired })
      forgetUser()
    },
    unauthorised() {
      if (ending) return
      const { unauthorised, unauthorisedDetail } = texts()
      announce({
        key: 'session',
        kind: 'error',
        title: unauthorised,
        description: unauthorisedDetail,
      })
      if (readToken() === null) return
      ending = true
      // Its last use: where the server still knows it, the session ends there too.
      post('/logout').catch(() => {})
      clearToken()
      // Spec §8: the notice stays readable before the page reloads; the address, and with it the deep link, remains.
      setTimeout(() => {
        ending = false
        reload()
      }, RELOAD_AFTER_401_MS)
    },
    forbidden(message) {
      announce({
        key: 'forbidden',
        kind: 'error',
        title: texts().forbidden,
        description: message,
      })
      if (performance.now() - refreshedAt < REFRESH_AT_MOST_EVERY_MS) return
      refreshedAt = performance.now()
      refresh()
    },
  })

  /** Signed out in another browser tab: this one has nothing left to show either. */
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if ((key !== TOKEN_COOKIE && key !== null) || newValue !== null) return
    dropAllDrafts()
    forgetUser()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
