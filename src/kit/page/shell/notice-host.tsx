import { Button, notification, Space } from 'antd'
import { useEffect } from 'react'
import { type Announcement, hear } from './announce.ts'
import { Look } from './look.tsx'

/** Shows what is announced, above login and frame alike. */
export const NoticeHost = () => (
  <Look>
    <Listener />
  </Look>
)

function Listener() {
  const [api, holder] = notification.useNotification({ placement: 'topRight', top: 56, stack: { threshold: 4 } })

  useEffect(
    function showAnnouncements() {
      return hear(({ key, kind, title, description, seconds, actions }: Announcement) => {
        api[kind]({
          key,
          title,
          description,
          duration: seconds === 0 ? false : seconds,
          // What stays must not lie over the menus of the header.
          placement: seconds === 0 ? 'bottomRight' : 'topRight',
          role: kind === 'error' ? 'alert' : 'status',
          ...(actions ? { actions: <Actions of={actions} close={() => api.destroy(key)} /> } : {}),
        })
      })
    },
    [api],
  )
  return holder
}

function Actions({ of, close }: { of: NonNullable<Announcement['actions']>; close(): void }) {
  return (
    <Space>
      {of.map(({ label, primary, run }) => (
        <Button
          key={label}
          size="small"
          type={primary ? 'primary' : 'default'}
          onClick={() => {
            close()
            run()
          }}
        >
          {label}
        </Button>
      ))}
    </Space>
  )
}
