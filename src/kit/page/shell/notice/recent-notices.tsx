import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled, InfoCircleFilled } from '@ant-design/icons'
import { Drawer, Empty } from 'antd'
import { Instant } from '../../field/show.tsx'
import { type KeptNotice, useKeptNotices } from '../../kept-notices.ts'
import { useTexts } from '../../language.ts'
import { NoticeActions } from '../../show-notice.tsx'
import { useUser } from '../../user.ts'
import type { locale } from '../locale.ts'

const ICONS = {
  success: <CheckCircleFilled />,
  info: <InfoCircleFilled />,
  warning: <ExclamationCircleFilled />,
  error: <CloseCircleFilled />,
} as const

/** What was said since signing in, newest first, with what could and still can be done about it. */
export function RecentNotices({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  const me = useUser(user => user.info?.id)
  const kept = useKeptNotices(state => state.kept).filter(({ person }) => person === me)
  return (
    <Drawer open={open} onClose={onClose} title={say('recent-notices')} size={360}>
      {kept.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('recent-notices-empty')} />}
      <ul className="ink-recent">
        {kept.map(notice => (
          <RecentNotice key={notice.id} notice={notice} onRun={onClose} />
        ))}
      </ul>
    </Drawer>
  )
}

function RecentNotice({ notice, onRun }: { notice: KeptNotice; onRun(): void }) {
  const { kind, title, description, at } = notice
  return (
    <li>
      <span className={`ink-recent-${kind}`} aria-hidden="true">
        {ICONS[kind]}
      </span>
      <div>
        <strong>{title}</strong>
        {description && <p>{description}</p>}
        <small>
          <Instant at={at.toISOString()} />
        </small>
        <NoticeActions of={notice} onRun={onRun} />
      </div>
    </li>
  )
}
