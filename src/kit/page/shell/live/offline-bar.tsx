import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useTexts } from '../../language.ts'
import { useReachable, useToldOffline } from '../../reach.ts'
import type { locale } from './locale.ts'
import type { Live } from './use-live.ts'

/** A socket that comes back at once was nobody's business; with what it takes to notice, offline is said within two seconds. */
const PATIENCE_MS = 1_500

/** Says that what stands on the screen may be old: by what the browser knows, by a call that failed, and by the live connection. */
export function OfflineBar({ live }: { live: Live }) {
  const say = useTexts<typeof locale>('kit/page/shell/live')
  const [isLost, setLost] = useState(false)
  const [wasOnline, setWasOnline] = useState(false)
  const isReachable = useReachable()
  const { indicator } = live
  const isDown = indicator !== 'online'

  useEffect(
    function waitBeforeSaying() {
      if (!isDown) {
        setWasOnline(true)
        setLost(false)
        return
      }
      const timer = setTimeout(() => setLost(true), PATIENCE_MS)
      return () => clearTimeout(timer)
    },
    [isDown],
  )
  const isTold = !isReachable || (isLost && wasOnline)
  const reconnect = useEffectEvent(() => live.reconnect())
  useLayoutEffect(
    function tellWhatLiesOverThePage() {
      useToldOffline.setState({ isTold, reconnect: () => reconnect() })
      return () => useToldOffline.setState({ isTold: false })
    },
    [isTold],
  )
  if (!isTold) return null
  return (
    <div className="ink-offline" role="status">
      <span>{say(!isReachable ? 'unreachable-bar' : indicator === 'error' ? 'error-bar' : 'offline-bar')}</span>
      <button type="button" onClick={() => live.reconnect()}>
        {say('reconnect-now')}
      </button>
    </div>
  )
}
