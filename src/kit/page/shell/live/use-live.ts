import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { post } from '../../call.ts'
import { loadAhead } from '../../chunk.ts'
import { FIGURES, LiveChannel, type LiveIndicator, type Socket } from '../../live.ts'
import { useServerSettings } from '../../server-settings.ts'
import { readToken } from '../../token.ts'
import { loadUser } from '../../user.ts'
import { checkVersion } from '../session/new-version.ts'
import { rememberMissed } from './missed.ts'
import { DECISIONS, REFUND_NOTICES, receive } from './push-notice.ts'

export type Live = { readonly indicator: LiveIndicator; reconnect(): void }

/** For the moment before the server's settings are there; they come with the first page. */
const FACTOR = 1.2

/** Over so long the consoles of the house ask for what all of them are told is new: all of them have it within a second. */
const SPREAD_MS = 500
/** A list may stand open on every desk, and each asks for its rows and its numbers. */
const ROWS_SPREAD_MS = 3_000
const atSomeTime = (work: () => void, within = SPREAD_MS) => void setTimeout(work, Math.random() * within)

const loadTeller = () => import('./teller.ts')

/** The live connection of this window, opened once the person is known (spec §7). */
export function useLive(isWanted: boolean): Live {
  const client = useQueryClient()
  const [indicator, setIndicator] = useState<LiveIndicator>('offline')
  const [channel, setChannel] = useState<LiveChannel>()

  useEffect(
    function stayConnected() {
      if (!isWanted) return
      const { tell, catchUp: askAboutMissed } = rememberMissed()
      const teller = async () => (await loadTeller()).tellerFor(client)
      const catchUp = () => {
        askAboutMissed()
        // What was pushed meanwhile did not reach us.
        void client.invalidateQueries({ queryKey: [REFUND_NOTICES] })
        void client.invalidateQueries({ queryKey: [DECISIONS] })
        void client.invalidateQueries({ queryKey: [FIGURES] })
        void checkVersion()
      }
      const opened = new LiveChannel({
        token: readToken,
        ticket: async () => (await post<{ ticket: string }>('/iam/ticket')).ticket,
        open: path =>
          new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`) as Socket,
        now: () => Date.now(),
        after(ms, work) {
          const timer = setTimeout(work, ms)
          return () => clearTimeout(timer)
        },
        random: Math.random,
        factor: () => useServerSettings.getState().settings?.reconnectFactor ?? FACTOR,
        onIndicator: setIndicator,
        onOnline() {
          // While the way to the server is good: what is told when it is bad does not wait for code.
          loadAhead(loadTeller)
          catchUp()
        },
        onPush: push => receive(push, client, new Date()),
        onDecided: id => tell(async () => (await teller()).decided(id)),
        onTaskEnded: id => tell(async () => (await teller()).taskEnded(id)),
        onMessage: () => tell(async () => (await teller()).message()),
        onChanged: changed => tell(async () => (await teller()).changed(changed)),
        onFigures: page => void client.invalidateQueries({ queryKey: [FIGURES, page] }),
        // Everybody hears of these at once, and does not ask at once.
        onRows: page => atSomeTime(() => tell(async () => (await teller()).rows(page)), ROWS_SPREAD_MS),
        onMenuChanged: () => atSomeTime(() => void loadUser().catch(() => {})),
        onReachChanged: () => atSomeTime(() => tell(async () => (await teller()).reachChanged())),
        // The answer says that the session is over, and why; see session.ts.
        onEnded: () => void loadUser().catch(() => {}),
      })
      const onVisible = () => {
        if (document.visibilityState !== 'visible') return
        opened.wake()
        catchUp()
      }
      const onNetwork = () => opened.wake()
      document.addEventListener('visibilitychange', onVisible)
      window.addEventListener('online', onNetwork)
      opened.start()
      setChannel(opened)
      return () => {
        document.removeEventListener('visibilitychange', onVisible)
        window.removeEventListener('online', onNetwork)
        opened.stop()
      }
    },
    [isWanted, client],
  )
  return { indicator, reconnect: () => channel?.reconnect() }
}
