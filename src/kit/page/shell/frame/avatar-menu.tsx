import { App, Dropdown } from 'antd'
import { useTexts } from '../../language.ts'
import { firstDuty, logout, useUser } from '../../user.ts'
import type { locale } from '../locale.ts'
import { Avatar } from '../look/avatar.tsx'
import { announce } from '../notice/announce.ts'
import { CHANGE_PASSWORD, HOME, OPEN_ROUTES } from '../session/guard.ts'
import { go } from '../session/navigation.ts'
import { useTabs } from '../tabs/tabs.ts'

/** Long enough to read, because the page reloads behind it. */
const FAILURE_MS = 1_500

/** Spec §2: workbench, account center, change password, logout. */
export function AvatarMenu() {
  const say = useTexts<typeof locale>('kit/page/shell')
  const info = useUser(user => user.info)
  const signOut = useSignOut()
  const isHeldUp = firstDuty(info) !== undefined
  const places = [
    { key: HOME, label: say('workbench') },
    { key: '/account/settings', label: say('account-center') },
    { key: CHANGE_PASSWORD, label: say('change-password') },
  ]
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: [
          ...(isHeldUp ? [] : places),
          { type: 'divider' as const },
          { key: 'logout', label: say('logout'), danger: true },
        ],
        onClick: ({ key }) => (key === 'logout' ? signOut() : go(key)),
      }}
    >
      <button type="button" className="ink-avatar" aria-label={say('account-menu', { name: info?.name ?? '' })}>
        <Avatar name={info?.name ?? ''} picture={info?.avatar ?? null} />
        <span>{info?.name}</span>
      </button>
    </Dropdown>
  )
}

/** Asks, signs out, and starts afresh at the login page (spec §2). The browser is signed out whatever the server says. */
function useSignOut(): () => void {
  const say = useTexts<typeof locale>('kit/page/shell')
  const { modal } = App.useApp()
  const leave = () => {
    go(OPEN_ROUTES.login)
    location.reload()
  }
  return () =>
    void modal.confirm({
      title: say('logout'),
      content:
        useTabs.getState().unsaved.size > 0 ? `${say('logout-ask')} ${say('logout-unsaved')}` : say('logout-ask'),
      okText: say('confirm'),
      cancelText: say('cancel'),
      async onOk() {
        // The person has decided to leave: the browser does not ask a second time.
        useTabs.setState({ unsaved: new Set() })
        try {
          await logout()
          leave()
        } catch {
          announce({ key: 'session', kind: 'error', title: say('logout-failed') })
          setTimeout(leave, FAILURE_MS)
        }
      },
    })
}
