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

/** All notices stand here, whoever says them: in two places they would lie over one another. */
export function NoticePlace() {
  const [api, holder] = notification.useNotification({ placement: 'topRight', top: 56, stack: { threshold: 4 } })

  useEffect(
    function showAnnouncements() {
      return hear(({ stays, ...notice }) => showNotice(api, notice, stays))
    },
    [api],
  )
  return holder
}
