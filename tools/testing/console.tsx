import { act, cleanup, render, waitFor } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { vi } from 'vitest'
import type { Language } from '../../src/kit/model/language.ts'
import { switchLanguage } from '../../src/kit/page/language.ts'
import { useReceived } from '../../src/kit/page/received.ts'
import { useServerSettings } from '../../src/kit/page/server-settings.ts'
import { DEFAULTS, type Settings, useSettings } from '../../src/kit/page/settings.ts'
import { Gate } from '../../src/kit/page/shell/frame/gate.tsx'
import { useOverlay } from '../../src/kit/page/shell/overlay.ts'
import { writeToken } from '../../src/kit/page/token.ts'
import { type PermissionEntry, type UserInfo, useUser } from '../../src/kit/page/user.ts'
import { answerCalls, type Calls, type Sent } from './page.tsx'

/** Page key → actions, as the rows the server sends: each page below the group it stands in. */
export function permissionRows(
  grants: Readonly<Record<string, readonly string[]>>,
  groups: readonly string[],
): PermissionEntry[] {
  const menu = (code: string, id: string, parentId: string | null): PermissionEntry => ({
    id,
    parentId,
    resourceCode: code,
    displayName: code,
    displayType: 'MENU',
  })
  return [
    ...groups.map(group => menu(group, `g-${group}`, null)),
    ...Object.entries(grants).flatMap(([page, actions]) => [
      menu(page, `p-${page}`, `g-${groups[0]}`),
      ...actions.map(action => ({ ...menu(action, `a-${page}-${action}`, `p-${page}`), displayType: 'PERMISSION' })),
    ]),
  ]
}

export type Who = {
  superAdmin?: boolean
  grants?: Readonly<Record<string, readonly string[]>>
  groups?: readonly string[]
  code?: string
  mustChangePassword?: boolean
  mustEnrol?: boolean
  hasRole?: boolean
}

export const userInfo = ({
  superAdmin = false,
  grants = {},
  groups = [],
  code = 'TEST',
  mustChangePassword = false,
  mustEnrol = false,
  hasRole = true,
}: Who = {}): UserInfo => ({
  id: '1',
  account: 'tester',
  name: 'Tester',
  avatar: null,
  language: null,
  mustChangePassword,
  mustEnrol,
  preference: {},
  role: hasRole ? { code, name: code, superAdmin, permissionList: permissionRows(grants, groups) } : null,
})

/** Everything the frame itself asks of the server when somebody is signed in. */
export const frameCalls = (who: Who = {}): Calls => ({
  'GET /api/auth/userInfo': () => userInfo(who),
  'GET /api/message/web/count': () => ({ total: 3 }),
  'POST /api/iam/ticket': () => ({ ticket: 'once' }),
  'GET /api/common/settings': () => SETTINGS,
  'GET /api/workbench/workbench': () => ({ orders: null, toDos: [], decisions: null, measures: [], lowStock: null }),
  'POST /api/logout': () => null,
  'GET /api/auth/captcha': () => ({ key: 'k', image: 'data:,' }),
})

const SETTINGS = {
  defaultLocale: 'en-US',
  reconnectFactor: 1.2,
  captcha: true,
  version: '1',
  demoAccounts: [],
} as const

/** A websocket nobody answers. */
class SilentSocket {
  onopen = null
  onmessage = null
  onclose = null
  send() {}
  close() {}
}

export type ConsoleOptions = {
  path: string
  token?: string | null
  calls?: Calls
  settings?: Partial<Settings>
  language?: Language
}
export type OpenConsole = { sent(name?: string): Sent[]; address(): string }

/** The whole console behind its guard, at an address, against a table of answers. */
export async function openConsole({
  path,
  token = 'good',
  calls = frameCalls(),
  settings = {},
  language = 'en-US',
}: ConsoleOptions): Promise<OpenConsole> {
  cleanup()
  resetStores(settings)
  await switchLanguage(language)
  const sent = answerCalls(calls)
  vi.stubGlobal('WebSocket', SilentSocket)
  if (token !== null) writeToken(token)
  let address = ''
  await act(async () => {
    render(
      <MemoryRouter initialEntries={[path]} useTransitions={false}>
        <Probe
          onAddress={at => {
            address = at
          }}
        />
        <Gate />
      </MemoryRouter>,
    )
  })
  // A page still on its way would complain that nobody waited for it.
  await waitFor(() => {
    if (document.querySelector('[aria-busy="true"], main .ant-skeleton'))
      throw new Error('the console is still loading')
  })
  return { sent: name => sent.filter(call => name === undefined || call.name === name), address: () => address }
}

function Probe({ onAddress }: { onAddress(address: string): void }) {
  const { pathname, search } = useLocation()
  onAddress(`${pathname}${search}`)
  return null
}

export function resetStores(settings: Partial<Settings> = {}): void {
  useSettings.setState({ ...DEFAULTS, ...settings })
  useServerSettings.setState({ settings: { ...SETTINGS, demoAccounts: [] } })
  useUser.setState({ info: null, permissions: new Map() })
  useOverlay.setState({ open: null, seen: new Set() })
  useReceived.setState({ received: [] })
}
