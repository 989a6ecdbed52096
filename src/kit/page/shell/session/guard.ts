import type { Screen } from '#kit/model/area.ts'
import { maySeeScreen } from '../../menu.ts'
import { findScreen, recordOf } from '../../screens.ts'
import { firstDuty, mayDo, type UserState } from '../../user.ts'

/** Spec §2: the names of the routes that need no token. */
export const OPEN_ROUTES = {
  login: '/user/login',
  register: '/user/register',
  registerResult: '/user/register-result',
} as const
export type OpenRoute = keyof typeof OPEN_ROUTES

export const HOME = '/dashboard'
/** Where an address leads that nobody knows, and from there home. */
export const UNKNOWN = '/404'
export const CHANGE_PASSWORD = '/account/settings/changePwd'
const DUTIES = { password: CHANGE_PASSWORD, factor: '/account/settings/factor' } as const
export const EXCEPTIONS = ['403', '404', '500'] as const
export type Exception = (typeof EXCEPTIONS)[number]

export type Decision =
  | { readonly go: string }
  | { readonly show: 'open'; readonly name: OpenRoute }
  | { readonly show: 'loading' }
  | { readonly show: 'screen'; readonly screen: Screen }
  | { readonly show: 'exception'; readonly exception: Exception }

/** What a signed-in person stands in front of. */
export type Place = Extract<Decision, { show: 'screen' | 'exception' }>

type Asked = { readonly path: string; readonly search: string; readonly hasToken: boolean; readonly user: UserState }

/** What an address leads to (spec §2). Pure: the same answer for a click, a reload and the browser's back button. */
export function decide({ path, search, hasToken, user }: Asked): Decision {
  const open = openRouteOf(path)
  if (!hasToken) return open ? { show: 'open', name: open } : { go: loginFor(`${path}${search}`) }
  if (open === 'login') return { go: redirectOf(search) }
  if (open) return { show: 'open', name: open }
  if (!user.info) return { show: 'loading' }
  const duty = firstDuty(user.info)
  if (duty && path !== DUTIES[duty]) return { go: DUTIES[duty] }
  if (path === '/' || path === UNKNOWN) return { go: path === '/' ? HOME : '/' }
  const exception = exceptionOf(path)
  if (exception) return { show: 'exception', exception }
  const screen = findScreen(path)
  if (!screen) return { go: UNKNOWN }
  const isOpen = recordOf(path) === undefined || mayDo(user, screen.key, 'detail')
  return isOpen && maySeeScreen(user, screen) ? { show: 'screen', screen } : { show: 'exception', exception: '403' }
}

const openRouteOf = (path: string): OpenRoute | undefined =>
  (Object.keys(OPEN_ROUTES) as OpenRoute[]).find(name => OPEN_ROUTES[name] === path)

const loginFor = (target: string): string => `${OPEN_ROUTES.login}?redirect=${encodeURIComponent(target)}`

const exceptionOf = (path: string): Exception | undefined => EXCEPTIONS.find(code => path === `/exception/${code}`)

/** Where to go after signing in: only to a page of ours, whatever the address says. */
export function redirectOf(search: string): string {
  const target = new URLSearchParams(search).get('redirect') ?? ''
  const [path = ''] = target.split('?')
  return findScreen(path) || exceptionOf(path) ? target : HOME
}
