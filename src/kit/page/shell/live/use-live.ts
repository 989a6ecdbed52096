import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { post } from '../../call.ts'
import { FIGURES, LiveChannel, type LiveIndicator, type Socket } from '../../live.ts'
import { useServerSettings } from '../../server-settings.ts'
import { readToken } from '../../token.ts'
import { loadUser } from '../../user.ts'
import { checkVersion } from '../session/new-version.ts'
import { DECISIONS, REFUND_NOTICES, receive } from './push-notice.ts'

export type Live = { readonly indicator: LiveIndicator; reconnect(): void }

/** For the moment before the server's settings are there; they come with the first page. */
const FACTOR = 1.2

/** Over so long the consoles of the house ask for what all of them are told is new: all of them have it within a second. */
const SPREAD_MS = 500
const atSomeTime = (work: () => void) => void setTimeout(work, Math.random() * SPREAD_MS)

/** The live connection of this window, opened once the person is known (spec §7). */
export function useLive(isWanted: boolean): Live {
  const client = useQueryClient()
  const [indicator, setIndicator] = useState<LiveIndicator>('offline')
  const [channel, setChannel] = useState<LiveChannel>()

  useEffect(
    function stayConnected() {
      if (!isWanted) return
      const catchUp = () => {
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
        onOnline: catchUp,
        onPush: push => receive(push, client, new Date()),
        // Rare, and not needed for the first page: its code comes with the first of them.
        onDecided: id => void import('./decided.ts').then(({ tellDecided }) => tellDecided(id, client)).catch(() => {}),
        onTaskEnded: id =>
          void import('./task-ended.ts').then(({ tellTaskEnded }) => tellTaskEnded(id, client)).catch(() => {}),
        onMessage: () => void import('./message.ts').then(({ tellMessages }) => tellMessages()).catch(() => {}),
        onChanged: changed =>
          void import('./changed.ts').then(({ askAgain }) => askAgain(changed, client)).catch(() => {}),
        onFigures: page => void client.invalidateQueries({ queryKey: [FIGURES, page] }),
        // Everybody hears of it at once, and does not ask at once.
        onMenuChanged: () => atSomeTime(() => void loadUser().catch(() => {})),
        onReachChanged: () =>
          atSomeTime(
            () => void import('../../list/list-state.ts').then(({ askForAll }) => askForAll(client)).catch(() => {}),
          ),
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
