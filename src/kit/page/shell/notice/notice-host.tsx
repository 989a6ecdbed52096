import { notification } from 'antd'
import { useEffect } from 'react'
import { showNotice } from '../../show-notice.tsx'
import { Look } from '../look/look.tsx'
import { hear } from './announce.ts'

/** Shows what is announced, above login and frame alike. */
export const NoticeHost = () => (
  <Look>
    <NoticePlace />
  </Look>
)

/** Above the buttons at the foot of a drawer. */
const FOOT_PX = 64

/**
 * All notices stand here, whoever says them: in two places they would lie over one another. Below, where they cover neither
 * the head of a list nor a question.
 */
export function NoticePlace() {
  const [api, holder] = notification.useNotification({
    placement: 'bottomRight',
    bottom: FOOT_PX,
    stack: { threshold: 4 },
  })

  useEffect(
    function showAnnouncements() {
      return hear(({ stays, ...notice }) => showNotice(api, notice, stays))
    },
    [api],
  )
  return holder
}
