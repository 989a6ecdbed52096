/** Constants of the contract (spec §4, §7, §8, §9 and architecture §5). One place, used by server, console and tests. */
export const CODES = {
  ok: 0,
  parameter: 4000,
  session: 4001,
  permission: 4003,
  'not-found': 4004,
  validation: 4005,
  rule: 4006,
  'second-step': 4007,
  conflict: 4009,
  'too-many': 4029,
  error: 5000,
  unavailable: 5003,
} as const

export const TOKEN_COOKIE = 'Access-Token'
export const TOKEN_HEADER = 'authtoken'
export const TOKEN_LIFE_MS = 604_800_000
/** How long the old token stays good after a rotation: calls under way and other tabs still carry it. */
export const TOKEN_GRACE_MS = 120_000

export const REQUEST_TIMEOUT_MS = 10_000
export const KEEPALIVE_IDLE_MS = 600_000
export const HEARTBEAT_MS = 30_000
export const RECONNECT_START_MS = 3_000
export const RECONNECT_CAP_MS = 60_000
/** Retrying ends when two failures lie further apart than this. */
export const RECONNECT_WINDOW_MS = 60_000
export const NO_TOKEN_RETRY_MS = 1_000
export const RELOAD_AFTER_401_MS = 1_500
export const NOTICE_SECONDS = 2.5
export const TABLE_RELOAD_MS = 50
export const FORM_RESET_MS = 200
export const CHUNK_TIMEOUT_MS = 120_000

export const PAGE_SIZES = [10, 20, 30, 50, 100] as const
export const DEFAULT_PAGE_SIZE = 10
export const MAX_IDS = 200
export const MAX_DICTIONARY_TAGS = 6
/** Above this many rows an export is a task with progress instead of an answer. */
export const EXPORT_TASK_ROWS = 5_000

/** Spec §7: what a push of each type means, which screen its view button opens and which key opens that screen. */
export const PUSHES = {
  1: { event: 'order.browsed', route: '/order/browse', page: 'order-browse' },
  2: { event: 'order.placed', route: '/order/list', page: 'order-list' },
  3: { event: 'token.rotated', route: null, page: null },
  4: { event: 'opus.upload-failed', route: '/members/opusFail', page: 'opus-opusFail' },
  5: { event: 'copybook.requested', route: '/members/list', page: 'member-list' },
  6: { event: 'voucher.claimed', route: '/members/dy-code', page: 'dy-code' },
  7: { event: 'voucher.registered', route: '/members/list', page: 'member-list' },
  8: { event: 'voucher.refunded', route: '/members/dy-code', page: 'dy-code' },
  9: { event: 'poster.shared', route: '/members/share', page: 'member-share' },
  10: { event: 'lead.unallocated', route: '/members/list', page: 'member-list' },
  11: { event: 'opus.posture-submitted', route: '/members/list', page: 'member-list' },
} as const
export type PushType = keyof typeof PUSHES

/** Spec §7: these show a notification with a view button; type 1 also one that dismisses its key. */
export const NOTIFYING_PUSHES: readonly PushType[] = [1, 2, 4, 5, 9, 10, 11]
export const TOKEN_PUSH = 3
export const REFUND_PUSH = 8

/** Why the server closes a socket. After `replaced` a client needs a uuid of its own; after `ended` it has no session. */
export const SOCKET_CLOSE = { ended: 4401, silent: 4408, replaced: 4409, flooded: 1008, restart: 1012 } as const

export type Push = { type: PushType; key: string; content: string; token: string | null }
/** A record is no longer as it was, or something that hangs on it: its list's name, and its id. */
export type Changed = { readonly record: string; readonly id: string }
/**
 * Besides the contract's types, and without one, so that a client that knows only those passes it over (decisions 027, 032, 046, 068, 154, 155);
 * `reach` says that this person sees other records than before, `figures` that what the page of this key adds up is other than before,
 * `rows` that records in the list of the page of this key are.
 */
export type Hint = {
  decided?: string
  task?: string
  message?: string
  menu?: true
  reach?: true
  changed?: Changed
  figures?: string
  rows?: string
}

export type Envelope<T = unknown> = { code: number; msg: string; data: T }
export type Paged<T> = { records: T[]; total: number; totalAt: string }

/** Spec §3: USER_STATUS → userStatusKvList, GENDER → genderKvList, IamRole → iamRoleKvList. */
export function kvListName(target: string): string {
  const words = target.includes('_') || target === target.toUpperCase() ? target.toLowerCase().split('_') : [target]
  const [first = '', ...rest] = words.filter(word => word !== '')
  return `${first.charAt(0).toLowerCase()}${first.slice(1)}${rest.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')}KvList`
}
