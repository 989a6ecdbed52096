import { Button } from 'antd'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReceived } from '#kit/page/received.ts'
import { describe } from '#kit/page/shell/live/push-notice.ts'
import type { locale } from './locale.ts'
import { NAME, Part } from './part.page.tsx'
import { openNotices, useNoticeCount } from './to-do.page.tsx'

/** Notifications go by in seconds; here one finds what one missed since signing in. */
export function LatestNotices() {
  const say = useTexts<typeof locale>(NAME)
  const live = useTexts('kit/page/shell/live')
  const received = useReceived(state => state.received)
  // The header asks.
  const count = useNoticeCount(false) ?? 0
  return (
    <Part title={say('notices')}>
      {count > 0 && (
        <Button type="link" size="small" className="bench-more" onClick={openNotices}>
          {say('notices-waiting', { count })}
        </Button>
      )}
      {received.length === 0 && <p className="bench-quiet">{say('notices-empty')}</p>}
      <ul className="bench-notices">
        {received.map(({ push, at }) => (
          <li key={`${push.type} ${push.key} ${at.getTime()}`}>
            <strong>{live(`push.${push.type}`)}</strong>
            <span>{describe(push)}</span>
            <Instant at={at.toISOString()} />
          </li>
        ))}
      </ul>
    </Part>
  )
}
