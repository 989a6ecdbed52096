import { Tooltip } from 'antd'
import { useTexts } from '../../language.ts'
import type { locale } from './locale.ts'
import type { Live } from './use-live.ts'

/** Offline, online, connecting or error; a click reconnects (spec §4). */
export function LiveButton({ live }: { live: Live }) {
  const say = useTexts<typeof locale>('kit/page/shell/live')
  const state = say(live.indicator)
  const label = say('reconnect', { state })
  return (
    <Tooltip title={label}>
      <button
        type="button"
        className={`ink-live ink-live-${live.indicator}`}
        aria-label={label}
        onClick={() => live.reconnect()}
      >
        <span className="ink-live-dot" />
        <span className="ink-live-word">{state}</span>
      </button>
    </Tooltip>
  )
}
