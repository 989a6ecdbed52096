import { Tooltip } from 'antd'
import { useTexts } from '../../language.ts'
import { useReachable } from '../../reach.ts'
import type { locale } from './locale.ts'
import type { Live } from './use-live.ts'

/** Offline, online, connecting or error; a click reconnects (spec §4). */
export function LiveButton({ live }: { live: Live }) {
  const say = useTexts<typeof locale>('kit/page/shell/live')
  // A socket may not have noticed yet what a call or the browser has: the bar below says it, and so does this.
  const isReachable = useReachable()
  const indicator = live.indicator === 'online' && !isReachable ? 'offline' : live.indicator
  const state = say(indicator)
  const label = say('reconnect', { state })
  return (
    <Tooltip title={label}>
      <button
        type="button"
        className={`ink-live ink-live-${indicator}`}
        aria-label={label}
        onClick={() => live.reconnect()}
      >
        <span className="ink-live-dot" />
        <span className="ink-live-word">{state}</span>
      </button>
    </Tooltip>
  )
}
