import { useEffect, useState } from 'react'
import { useTexts } from '../../language.ts'
import type { locale } from './locale.ts'
import type { Live } from './use-live.ts'

/** A blip is nobody's business: the bar comes when the line has been down for longer. */
const PATIENCE_MS = 5_000

export function OfflineBar({ live }: { live: Live }) {
  const say = useTexts<typeof locale>('kit/page/shell/live')
  const [isShown, setShown] = useState(false)
  const [wasOnline, setWasOnline] = useState(false)
  const { indicator } = live
  const isDown = indicator !== 'online'

  useEffect(
    function waitBeforeSaying() {
      if (!isDown) {
        setWasOnline(true)
        setShown(false)
        return
      }
      const timer = setTimeout(() => setShown(true), PATIENCE_MS)
      return () => clearTimeout(timer)
    },
    [isDown],
  )
  if (!isShown || !wasOnline) return null
  return (
    <div className="ink-offline" role="status">
      {say(indicator === 'error' ? 'error-bar' : 'offline-bar')}
      <button type="button" onClick={() => live.reconnect()}>
        {say('reconnect-now')}
      </button>
    </div>
  )
}
